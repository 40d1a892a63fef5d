package wire

import (
	"reflect"

	"github.com/ccwire/ccwire/gen/wire/internal/run"
)

// A Definition reaches the reader and the writer of a schema definition.
type Definition struct {
	Name  string
	codec any // a nil pointer of a type with methods, or a codecFunc
}

// Decoded is a value with its encoder.
type Decoded struct {
	Value  any
	Encode func() ([]byte, error)
}

// A codecFunc reads a value of a type without methods.
type codecFunc = func(data []byte, o *Options) (*Decoded, error)

// Decode reads a value.
func (d Definition) Decode(data []byte, o *Options) (*Decoded, error) {
	if decode, ok := d.codec.(codecFunc); ok {
		return decode(data, o)
	}
	v := reflect.New(reflect.TypeOf(d.codec).Elem())
	into := v.Interface().(interface {
		readable
		Appender
	})
	if err := decodeWith(into, data, o); err != nil {
		return nil, err
	}
	return &Decoded{v.Elem().Interface(), func() ([]byte, error) { return into.AppendJSON(nil) }}, nil
}

// box holds a value of a type without methods, so that a reader and a writer can be written for
// each.
type box[T any] struct{ V T }

// codecOf makes an entry of the table from a reader and a writer.
func codecOf[T any](read func(*box[T], *run.Decoder) bool, write func(*box[T], []byte) ([]byte, error)) codecFunc {
	return func(data []byte, o *Options) (*Decoded, error) {
		var b box[T]
		var d run.Decoder
		d.Reset(data, o)
		if !read(&b, &d) || !d.Finish() {
			return nil, d.Err()
		}
		return &Decoded{b.V, func() ([]byte, error) { return write(&b, nil) }}, nil
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
