package run

import (
	"errors"
	"testing"
)

// decoderOf returns a Decoder of a text; nil options mean the tolerant mode.
func decoderOf(text string, o *Options) *Decoder {
	d := new(Decoder)
	d.Reset([]byte(text), o)
	return d
}

// wantError checks kind, path and offset of an error of decoding.
func wantError(t testing.TB, err error, kind ErrorKind, path string, offset int) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("error %v, want %v at %q", err, kind, path)
		return
	}
	if e.Kind != kind || e.Path != path || e.Offset != offset {
		t.Errorf("error %v (kind %q, path %q, byte %d), want %q, path %q, byte %d", e, e.Kind, e.Path, e.Offset, kind, path, offset)
	}
}
