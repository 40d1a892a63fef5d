package seeds

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/framing"
	"github.com/ccwire/ccwire/internal/gztext"
)

// An Input is one input of a fuzzer.
type Input struct {
	Name string // fit for a file name
	Data []byte
}

// packedFrames has, compressed, lines of recorded sessions and of documents about the protocol: for
// each definition of the schemas, and for each kind of deviation, the shortest line that has it,
// where there is one.
//
//go:embed frames.ndjson.gz
var packedFrames []byte

// maxStream is the length of the longest stream; fuzzers are slow on long ones.
const maxStream = 256 << 10

// Streams returns streams of lines that break parsers.
func Streams() []Input {
	var all []Input
	seen := map[string]bool{}
	for _, s := range append(framing.Nasties(), framing.Edges()...) {
		if len(s.Data) > maxStream || seen[string(s.Data)] {
			continue
		}
		seen[string(s.Data)] = true
		all = append(all, Input{fileName(len(all), s.Name), s.Data})
	}
	return all
}

// Frames returns single frames, without LF.
func Frames() []Input {
	var all []Input
	for line := range bytes.Lines(gztext.Must(packedFrames)) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		all = append(all, Input{fileName(len(all), describe(line)), line})
	}
	return all
}

// fileName makes a file name of a description.
func fileName(n int, text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_')
	})
	return fmt.Sprintf("%03d-%s", n, strings.Join(words, "-"))
}
