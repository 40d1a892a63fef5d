package after

import (
	"log/slog"

	"github.com/ccwire/ccwire/gen/wire"
)

//doc:report

// newDecoder returns a decoder that logs what is odd about a line.
func newDecoder(log *slog.Logger) *wire.Decoder {
	return &wire.Decoder{Options: &wire.Options{Report: func(d wire.Deviation) {
		log.Debug("odd line from the CLI", "kind", d.Kind, "path", d.Path, "detail", d.Detail)
	}}}
}

//doc:end
