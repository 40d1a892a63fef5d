package fuzz_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// FuzzEncode puts any text and any raw JSON into the fields of frames. What is encoded is one
// canonical line that decodes to the same value, or there is an error.
func FuzzEncode(f *testing.F) {
	for i, line := range lines() {
		f.Add(line, uint16(i), "a\u2028\xff", []byte(`{"a": [1,2.50] }`))
		f.Add(line, uint16(i*7), "\"\\\n", []byte("{\"a\":\"\xff\"}"))
		f.Add(line, uint16(i*3), "\xed\xa0\x80", []byte(`{"a":"\ud800","a":1}`))
	}
	f.Fuzz(func(t *testing.T, line []byte, at uint16, text string, raw []byte) {
		frame, err := wire.Decode(line)
		if err != nil {
			return
		}
		if !plant(reflect.ValueOf(frame), int(at), text, raw) {
			return
		}
		out, err := wire.Append(nil, frame)
		if err != nil {
			var e *codec.Error
			if !errors.As(err, &e) || e.Offset != -1 {
				t.Fatalf("error of encoding: %T %v", err, err)
			}
			return
		}
		checkCanonical(t, out)
		if malformed(out, codec.DefaultMaxDepth+2) == twice {
			return // raw JSON is not searched for duplicates, and need not decode where the schemas describe the value
		}
		again, err := wire.Decode(out)
		if err != nil {
			t.Fatalf("what was encoded does not decode: %v\n%q", err, out)
		}
		third, err := wire.Append(nil, again)
		if err != nil || !bytes.Equal(compact(t, out), compact(t, third)) { // the space around raw JSON is not kept
			t.Fatalf("encoded again it is not the same: %v\n%q\n%q\n%s", err, out, third, cmp.Diff(frame, again))
		}
	})
}

// compact takes insignificant space away.
func compact(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// plant writes a text or raw JSON into the nth place of a value that can hold one.
func plant(v reflect.Value, n int, text string, raw []byte) bool {
	var places []reflect.Value
	collect(v, &places)
	if len(places) == 0 {
		return false
	}
	place := places[n%len(places)]
	if place.Kind() == reflect.String {
		place.SetString(text)
	} else {
		place.SetBytes(raw)
	}
	return true
}

// collect finds all strings and raw values that can be set.
func collect(v reflect.Value, places *[]reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collect(v.Elem(), places)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			collect(v.Field(i), places)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[codec.Raw]() {
			if v.CanSet() {
				*places = append(*places, v)
			}
			return
		}
		for i := range v.Len() {
			collect(v.Index(i), places)
		}
	case reflect.String:
		if v.CanSet() {
			*places = append(*places, v)
		}
	}
}
