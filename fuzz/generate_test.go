package fuzz_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/fuzz"
	"github.com/ccwire/ccwire/schema"
)

var directions = map[string]schema.Direction{"either": schema.Either, "CLI": schema.FromCLI, "SDK": schema.FromSDK}

func TestFramesAreValidLinesOfTheirDirection(t *testing.T) {
	for name, d := range directions {
		t.Run(name, func(t *testing.T) {
			frames := fuzz.Frames(d)
			rapid.Check(t, func(t *rapid.T) {
				frame := frames.Draw(t, "frame")
				if err := schema.Default().Closed().ValidateFrame(d, frame); err != nil {
					t.Error(err)
				}
				if bytes.ContainsRune(frame, '\n') {
					t.Error("it has a LF")
				}
			})
		})
	}
}

func TestMutantsAreInvalidAndSayWhy(t *testing.T) {
	set := schema.Default()
	for name, d := range directions {
		t.Run(name, func(t *testing.T) {
			mutants := fuzz.Mutants(d)
			rapid.Check(t, func(t *rapid.T) {
				m := mutants.Draw(t, "mutant")
				if set.Closed().Validate(d.Definition(), m.JSON) == nil {
					t.Error("the closed form takes it")
				}
				if open := set.Open().Validate(d.Definition(), m.JSON) == nil; open != m.Open {
					t.Errorf("whether the open form takes it: %t", open)
				}
				if set.Lookup(m.Definition) == nil || m.Reason == "" {
					t.Error("it does not say why")
				}
				if bytes.ContainsRune(m.JSON, '\n') {
					t.Error("it has a LF")
				}
			})
		})
	}
}

func TestAMutantNamesTheDefinitionThatItBreaks(t *testing.T) {
	set, either := schema.Default(), schema.Either.Definition()
	mutants := fuzz.Mutants(schema.Either).Filter(func(m fuzz.Mutant) bool { // the others may hide what a part is
		return strings.HasPrefix(m.Reason, "extra member") || strings.HasPrefix(m.Reason, "unknown value")
	})
	rapid.Check(t, func(t *rapid.T) {
		m := mutants.Draw(t, "mutant")
		places, err := set.Places(either, m.JSON)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(places, func(p schema.Place) bool {
			return p.Definition.Name() == m.Definition && strings.HasPrefix(m.Path+"/", p.At+"/")
		}) {
			t.Errorf("nothing at %s is a %s", m.Path, m.Definition)
		}
	})
}

func TestLinesAreOfAllKinds(t *testing.T) {
	lines := fuzz.Lines()
	count := map[string]int{}
	for seed := range 1000 {
		line := lines.Example(seed)
		if bytes.ContainsRune(line, '\n') {
			t.Errorf("a line with a LF: %q", line)
		}
		switch {
		case schema.Default().Closed().ValidateFrame(schema.Either, line) == nil:
			count["frame"]++
		case schema.Default().Open().ValidateFrame(schema.Either, line) == nil:
			count["unknown"]++
		case isObject(line):
			count["object"]++
		case len(bytes.TrimSpace(line)) == 0:
			count["blank"]++
		default:
			count["noise"]++
		}
	}
	for _, kind := range []string{"frame", "unknown", "object", "blank", "noise"} {
		if count[kind] < 5 {
			t.Errorf("%d lines of 1000 are of the kind %q", count[kind], kind)
		}
	}
}

func TestALineIsPrintedSoThatPeopleCanReadIt(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{`{"type":"keep_alive"}`, `{"type":"keep_alive"}`},
		{"a\xff\r", `"a\xff\r"`},
	} {
		if got := fuzz.Line(test.line).GoString(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}
