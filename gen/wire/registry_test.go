package wire

import "github.com/ccwire/ccwire/codec"

// Decoded is a value with its encoder.
type Decoded struct {
	Value  any
	Encode func() ([]byte, error)
}

// codecOf makes an entry of the table from a reader and a writer.
func codecOf[T any](read func(*T, *codec.Decoder) bool, write func(*T, []byte) ([]byte, error)) func([]byte, *codec.Options) (*Decoded, error) {
	return func(data []byte, o *codec.Options) (*Decoded, error) {
		var v T
		if err := codec.Unmarshal(&v, data, o, read); err != nil {
			return nil, err
		}
		return &Decoded{v, func() ([]byte, error) { return write(&v, nil) }}, nil
	}
}

// frameCodec reads and writes whole lines.
func frameCodec(data []byte, o *codec.Options) (*Decoded, error) {
	f, err := DecodeFrame(data, o)
	if err != nil {
		return nil, err
	}
	return &Decoded{f, func() ([]byte, error) { return Append(nil, f) }}, nil
}
