package wire_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

// strict, tolerant and reporting are the ways to decode.
func strict() *codec.Options { return &codec.Options{Strict: true} }

func reporting(to *[]codec.Deviation) *codec.Options {
	return &codec.Options{Report: func(d codec.Deviation) { *to = append(*to, d) }}
}

// failer is the part of testing.TB and rapid.T that the checks need.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// definition returns the entry of the table.
func definition(t testing.TB, name string) wire.Definition {
	t.Helper()
	for _, d := range wire.Definitions {
		if d.Name == name {
			return d
		}
	}
	t.Fatalf("there is no type for %s", name)
	panic("unreachable")
}

// roundTrip decodes tolerantly, encodes, and checks that nothing was lost. It returns the encoded
// text.
func roundTrip(t failer, d wire.Definition, text []byte) []byte {
	t.Helper()
	decoded, err := d.Decode(text, nil)
	if err != nil {
		t.Fatalf("%s: decode: %v\n%s", d.Name, err, text)
	}
	out, err := decoded.Encode()
	if err != nil {
		t.Fatalf("%s: encode: %v\n%s", d.Name, err, text)
	}
	checkLossless(t, d, text, out, decoded.Value)
	return out
}

// checkLossless compares a text with what came out of decoding and encoding it.
func checkLossless(t failer, d wire.Definition, text, out []byte, decoded any) {
	t.Helper()
	if err := values.Same(schema.Default(), d.Name, text, out); err != nil {
		t.Fatalf("%s: %v\nin:  %s\nout: %s", d.Name, err, text, out)
	}
	eachRaw(reflect.ValueOf(decoded), func(r codec.Raw) {
		if !bytes.Contains(text, r) {
			t.Fatalf("%s: the raw value %q is not in the line %q", d.Name, r, text)
		}
		if !bytes.Contains(out, oneLine(r)) {
			t.Fatalf("%s: the raw value %q does not come out as it is: %q", d.Name, r, out)
		}
	})
	checkOneLine(t, out)
}

// oneLine is what becomes of raw JSON on its way out.
func oneLine(r []byte) []byte { return []byte(lineBreaks.Replace(string(r))) }

var lineBreaks = strings.NewReplacer("\n", "", "\r", "", "\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`)

// checkOneLine checks that text is one line for every reader of lines.
func checkOneLine(t failer, text []byte) {
	t.Helper()
	for i, r := range string(text) {
		if r < ' ' && r != '\t' || r == 0x85 || r == 0x2028 || r == 0x2029 {
			t.Fatalf("%U at byte %d of %q", r, i, text)
		}
	}
}

// eachRaw calls f for every raw value below v.
func eachRaw(v reflect.Value, f func(codec.Raw)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachRaw(v.Elem(), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			eachRaw(v.Field(i), f)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			eachRaw(it.Value(), f)
		}
	case reflect.Slice:
		if r, ok := v.Interface().(codec.Raw); ok {
			if r != nil {
				f(r)
			}
			return
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			eachRaw(v.Index(i), f)
		}
	}
}

// decodeError returns the error as a *codec.Error.
func decodeError(t testing.TB, err error) *codec.Error {
	t.Helper()
	var e *codec.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a *codec.Error", err)
	}
	return e
}

// sameJSON reports whether two texts are the same JSON value.
func sameJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	x, err := wire.Raw(a).Any()
	if err != nil {
		t.Errorf("%s: %v", a, err)
	}
	y, err := wire.Raw(b).Any()
	if err != nil {
		t.Errorf("%s: %v", b, err)
	}
	return reflect.DeepEqual(x, y)
}
