package wire_test

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
)

func TestOneCaseTakesEverySystemLine(t *testing.T) {
	seen := 0
	for _, arm := range wire.Unions["envelope/frame.json"] {
		frame := arm.(wire.Frame)
		system, ok := frame.(wire.SystemFrame)
		if want := strings.HasPrefix(typeName(arm), "System"); ok != want {
			t.Errorf("%T is a SystemFrame: %v", arm, ok)
		}
		if !ok {
			continue
		}
		seen++
		if frame.Type() != "system" || system.Subtype() == "" {
			t.Errorf("%T: %q, %q", arm, frame.Type(), system.Subtype())
		}
	}
	if seen < 40 {
		t.Errorf("only %d system lines", seen)
	}
}

func TestSubtypesOfSystemLinesAreThoseOfTheWire(t *testing.T) {
	eachExample(t, func(definition string, example []byte, decoded *wire.Decoded) {
		if f, ok := arm(decoded.Value).(wire.SystemFrame); ok {
			if want, _ := wire.Raw(example).Find("/subtype").Text(); f.Subtype() != want {
				t.Errorf("%s: %q, want %q", definition, f.Subtype(), want)
			}
		}
	})
}

func TestASystemLineOfANewSubtypeIsASystemFrame(t *testing.T) {
	const line = `{"subtype":"mood","type":"system","session_id":"s","uuid":"u","mood":{"good":true}}`
	frame, err := wire.Decode([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	system, ok := frame.(wire.SystemFrame)
	if !ok || system.Subtype() != "mood" || system.Type() != "system" || wire.SessionID(system) != "s" {
		t.Fatalf("got %T", frame)
	}
	unknown, ok := frame.(*wire.UnknownSystem)
	if !ok || unknown.ID() != "u" || unknown.Text("/uuid") != "u" || unknown.Raw.String() != line {
		t.Errorf("got %T", frame)
	}
	if out, err := wire.Append(nil, frame); err != nil || string(out) != line {
		t.Errorf("it comes out as %s, %v", out, err)
	}
	for _, line := range []string{`{"type":"mood"}`, `{"type":"mood","subtype":"init"}`} {
		frame, err := wire.Decode([]byte(line))
		if _, ok := frame.(*wire.UnknownFrame); err != nil || !ok {
			t.Errorf("%s: %T, %v", line, frame, err)
		}
	}
	if _, err := wire.Append(nil, (*wire.UnknownSystem)(nil)); err == nil {
		t.Error("a nil frame can be written")
	}
}
