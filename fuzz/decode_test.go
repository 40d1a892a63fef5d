package fuzz_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

// FuzzDecode holds the decoder to its oracles for any line.
func FuzzDecode(f *testing.F) {
	addAll(f, lines())
	f.Add(delta)
	f.Add([]byte(`{"type":"result","subtype":"success","duration_ms":1,"duration_api_ms":1,"is_error":false,"num_turns":1,"result":"","session_id":"s","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1,"novel":[1]},"permission_denials":[],"uuid":"u","novel":{"a":1}}`))
	f.Fuzz(func(t *testing.T, line []byte) { checkLine(t, line) })
}

// FuzzMutants is FuzzDecode with frames made from the schemas, with one thing broken in each.
func FuzzMutants(f *testing.F) {
	gen := values.Mutants(schema.Default(), schema.Either.Definition())
	for i := range 64 {
		f.Add(bytes.Repeat([]byte{byte(i * 4)}, 2048))
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { checkLine(t, gen.Draw(t, "mutant").JSON) }))
}

// fataler is the part of testing.TB and rapid.T that the checks need.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkLine(t fataler, line []byte) {
	t.Helper()
	before := bytes.Clone(line)
	var deviations []codec.Deviation
	frame, err := wire.DecodeFrame(line, &codec.Options{Report: func(d codec.Deviation) { deviations = append(deviations, d) }})
	checkAcceptance(t, line, err)
	checkStrict(t, line, frame, err, deviations)
	checkHistory(t, line, frame, err)
	if err == nil {
		checkSilent(t, line, frame)
		checkEncoding(t, line, frame, deviations)
	}
	if !bytes.Equal(before, line) {
		t.Fatalf("the line was changed to %q", line)
	}
}

// checkAcceptance compares with encoding/json: what it does not accept does not decode, and what it
// does accept is not called malformed.
func checkAcceptance(t fataler, line []byte, err error) {
	t.Helper()
	reason := malformed(line, codec.DefaultMaxDepth)
	if reason != "" && reason != twice && err == nil { // in opaque values the tolerant mode does not look for duplicates
		t.Fatalf("a line decodes that is malformed: %s", reason)
	}
	var e *codec.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("error %T: %v", err, err)
	}
	if err == nil {
		return
	}
	switch e.Kind {
	case codec.Syntax, codec.BadUTF8, codec.Duplicate, codec.TooDeep, codec.TooLong:
		if reason == "" {
			t.Fatalf("a line that encoding/json accepts is malformed: %v", err)
		}
	}
	if e.Offset < 0 || e.Offset > len(line) {
		t.Fatalf("offset %d in a line of %d bytes", e.Offset, len(line))
	}
	if e.Error() == "" {
		t.Fatalf("an error without a text")
	}
}

// checkStrict compares the strict mode with the closed form of the schemas and with the tolerant
// mode.
func checkStrict(t fataler, line []byte, tolerant wire.Frame, tolerantErr error, deviations []codec.Deviation) {
	t.Helper()
	frame, err := wire.DecodeFrame(line, &codec.Options{Strict: true})
	invalid := schema.Default().Closed().ValidateFrame(schema.Either, line)
	if (err == nil) != (invalid == nil) {
		t.Fatalf("strict mode: %v\nclosed form: %v", err, invalid)
	}
	if malformed(line, codec.DefaultMaxDepth) == twice {
		return // strict refuses it, tolerant may not
	}
	if clean := tolerantErr == nil && len(deviations) == 0; clean != (err == nil) {
		t.Fatalf("strict mode: %v\ntolerant mode: %v, %v", err, tolerantErr, deviations)
	}
	if err == nil && !reflect.DeepEqual(frame, tolerant) {
		t.Fatalf("the modes differ: -strict +tolerant\n%s", cmp.Diff(frame, tolerant))
	}
	findings, lintErr := schema.Default().Lint(schema.Either.Definition(), line)
	if invalid != nil && lintErr == nil && len(findings) == 0 {
		t.Fatalf("closed form: %v\nlint: %v, %v", invalid, lintErr, findings)
	}
}

// checkSilent checks that decoding without Report, and with shared memory, makes no difference.
func checkSilent(t fataler, line []byte, frame wire.Frame) {
	t.Helper()
	for _, o := range []*codec.Options{nil, {Alias: true}} {
		again, err := wire.DecodeFrame(line, o)
		if err != nil || !reflect.DeepEqual(frame, again) {
			t.Fatalf("options %+v: %v\n%s", o, err, cmp.Diff(frame, again))
		}
	}
}

// delta is the line that a Decoder remembers most of, as the schema has it.
var delta = func() []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, schema.Default().Lookup("message/stream_event.json").Examples[0]); err != nil {
		panic(err)
	}
	return b.Bytes()
}()

// checkHistory checks that what a Decoder has read before changes nothing.
func checkHistory(t fataler, line []byte, frame wire.Frame, err error) {
	t.Helper()
	first, deltaErr := new(wire.Decoder).Decode(delta)
	if deltaErr != nil {
		t.Fatalf("%v", deltaErr)
	}
	var d wire.Decoder
	for range 2 {
		if again, err := d.Decode(delta); err != nil || !reflect.DeepEqual(first, again) {
			t.Fatalf("a piece of text after the line: %v\n%s", err, cmp.Diff(first, again))
		}
		again, againErr := d.Decode(line)
		if !reflect.DeepEqual(err, againErr) || !reflect.DeepEqual(frame, again) {
			t.Fatalf("after a piece of text: %v, want %v\n%s", againErr, err, cmp.Diff(frame, again))
		}
	}
}

// checkEncoding checks that encoding loses nothing and that doing it again changes nothing.
func checkEncoding(t fataler, line []byte, frame wire.Frame, deviations []codec.Deviation) {
	t.Helper()
	out, err := wire.Append(nil, frame)
	if err != nil {
		var e *codec.Error
		if errors.As(err, &e) && e.Kind == codec.Missing { // decoded because old peers leave it out, but never sent without
			return
		}
		t.Fatalf("what was decoded cannot be encoded: %v", err)
	}
	checkCanonical(t, out)
	legacy := malformed(line, codec.DefaultMaxDepth) == twice // or nothing that can be compared
	for _, d := range deviations {
		legacy = legacy || d.Kind == codec.LegacyShape
	}
	if !legacy {
		if err := values.Same(schema.Default(), schema.Either.Definition(), line, out); err != nil {
			t.Fatalf("encoded it is not the same: %v\n%q", err, out)
		}
	}
	again, err := wire.Decode(out)
	if err != nil {
		t.Fatalf("what was encoded does not decode: %v\n%q", err, out)
	}
	if third, err := wire.Append(nil, again); err != nil || !bytes.Equal(out, third) {
		t.Fatalf("encoded again it is not the same: %v\n%q\n%q", err, out, third)
	}
}

// checkCanonical checks that a text is one line for every reader of lines.
func checkCanonical(t fataler, text []byte) {
	t.Helper()
	if reason := malformed(text, codec.DefaultMaxDepth+2); reason != "" && reason != twice {
		t.Fatalf("what was encoded is malformed: %s\n%q", reason, text)
	}
	for i, r := range string(text) {
		if r < ' ' && r != '\t' || r == 0x85 || r == 0x2028 || r == 0x2029 {
			t.Fatalf("%U at byte %d of %q", r, i, text)
		}
	}
}
