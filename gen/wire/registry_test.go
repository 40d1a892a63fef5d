package wire

import (
	"reflect"

	"github.com/ccwire/ccwire/gen/wire/internal/run"
)

// Decoded is a value with its encoder.
type Decoded struct {
	Value  any
	Encode func() ([]byte, error)
}

// object is a type with a reader and a writer of its own.
type object interface {
	readable
	Appender
}

// methodsOf makes an entry of the table from a type with methods.
func methodsOf(typed object) func([]byte, *Options) (*Decoded, error) {
	return func(data []byte, o *Options) (*Decoded, error) {
		v := reflect.New(reflect.TypeOf(typed).Elem())
		fresh := v.Interface().(object)
		var d run.Decoder
		d.Reset(data, o)
		if !fresh.read(&d, false) || !d.Finish() {
			return nil, d.Err()
		}
		return &Decoded{v.Elem().Interface(), func() ([]byte, error) { return fresh.AppendJSON(nil) }}, nil
	}
}

// box holds a value of a type without methods, so that a reader and a writer can be written for each.
type box[T any] struct{ V T }

// codecOf makes an entry of the table from a reader and a writer.
func codecOf[T any](read func(*box[T], *run.Decoder) bool, write func(*box[T], []byte) ([]byte, error)) func([]byte, *Options) (*Decoded, error) {
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
