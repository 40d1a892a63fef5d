package wire

import "github.com/ccwire/ccwire/gen/wire/internal/run"

// Decoded is a value with its encoder.
type Decoded struct {
	Value  any
	Encode func() ([]byte, error)
}

// codecOf makes an entry of the table from a reader and a writer.
func codecOf[T any](read func(*T, *run.Decoder) bool, write func(*T, []byte) ([]byte, error)) func([]byte, *Options) (*Decoded, error) {
	return func(data []byte, o *Options) (*Decoded, error) {
		var v T
		var d run.Decoder
		d.Reset(data, o)
		if !read(&v, &d) || !d.Finish() {
			return nil, d.Err()
		}
		return &Decoded{v, func() ([]byte, error) { return write(&v, nil) }}, nil
	}
}

// frameCodec reads and writes whole lines.
func frameCodec(data []byte, o *Options) (*Decoded, error) {
	f, err := DecodeFrame(data, o)
	if err != nil {
		return nil, err
	}
	return &Decoded{f, func() ([]byte, error) { return Append(nil, f) }}, nil
}
