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
	// A known member of the wrong shape is beside the fields, and there it gets its shape.
	f.Add([]byte(`{"type":"user","":{"":""},"message":0}`), uint16(6), "", []byte(`{"a": [1,2.50] }`))
	f.Fuzz(func(t *testing.T, line []byte, at uint16, text string, raw []byte) {
		frame, err := wire.Decode(line)
		if err != nil {
			return
		}
		planted, beside := plant(reflect.ValueOf(frame), int(at), text, raw)
		if !planted {
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
		same := compact // the space around raw JSON is not kept
		if beside {
			same = ordered // what was put beside the fields may be one of them, and takes its place
		}
		if err != nil || !bytes.Equal(same(t, out), same(t, third)) {
			t.Fatalf("encoded again it is not the same: %v\n%q\n%q\n%s", err, out, third, cmp.Diff(frame, again))
		}
		last, err := wire.Decode(third)
		if err != nil {
			t.Fatalf("what was encoded again does not decode: %v\n%q", err, third)
		}
		if fourth, err := wire.Append(nil, last); err != nil || !bytes.Equal(third, fourth) {
			t.Fatalf("encoded a third time it is not the same: %v\n%q\n%q\n%s", err, third, fourth, cmp.Diff(again, last))
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

// ordered returns the text without insignificant space, the members of each object by their names.
func ordered(t *testing.T, text []byte) []byte {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// plant writes a text or raw JSON into the nth place of a value that can hold one, and says
// whether that place is beside the fields.
func plant(v reflect.Value, n int, text string, raw []byte) (planted, beside bool) {
	var places []place
	collect(v, false, &places)
	if len(places) == 0 {
		return false, false
	}
	chosen := places[n%len(places)]
	if chosen.Kind() == reflect.String {
		chosen.SetString(text)
	} else {
		chosen.SetBytes(raw)
	}
	return true, chosen.beside
}

// place is a string or a raw value that can be set.
type place struct {
	reflect.Value
	beside bool // in the members that have no field
}

// collect finds all places of a value.
func collect(v reflect.Value, beside bool, places *[]place) {
	beside = beside || v.Type() == reflect.TypeFor[codec.Members]()
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collect(v.Elem(), beside, places)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			collect(v.Field(i), beside, places)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[codec.Raw]() {
			if v.CanSet() {
				*places = append(*places, place{v, beside})
			}
			return
		}
		for i := range v.Len() {
			collect(v.Index(i), beside, places)
		}
	case reflect.String:
		if v.CanSet() {
			*places = append(*places, place{v, beside})
		}
	}
}
