package wire_test

import (
	"encoding/json"
	"errors"
	"flag"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

// generated is how many values the properties must hold for.
const generated = 100_000

// checks runs a property for every definition, so often that count values are drawn in all.
func checks(t *testing.T, count int, property func(d wire.Definition) func(rt *rapid.T)) {
	if testing.Short() {
		count /= 20
	}
	definitions := slices.DeleteFunc(slices.Clone(wire.Definitions), func(d wire.Definition) bool {
		return schema.Default().Lookup(d.Name).Legacy() // the closed form has none of these
	})
	perDefinition := (count + len(definitions) - 1) / len(definitions)
	if testing.Short() {
		limitChecks(t, perDefinition)
	}
	runs := rapidChecks()
	var drawn atomic.Int64
	for _, d := range definitions {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			check := property(d)
			rapid.Check(t, func(rt *rapid.T) {
				for range (perDefinition + runs - 1) / runs {
					check(rt)
					drawn.Add(1)
				}
			})
		})
	}
	t.Cleanup(func() {
		if n := drawn.Load(); !t.Failed() && n < int64(count) {
			t.Errorf("%d values, want %d", n, count)
		}
	})
}

// rapidChecks returns how often rapid.Check runs a property.
func rapidChecks() int {
	return flag.Lookup("rapid.checks").Value.(flag.Getter).Get().(int)
}

// limitChecks lets rapid.Check run a property n times with -short until the test ends, unless the
// command line says how often.
func limitChecks(t *testing.T, n int) {
	const less = 5 // rapid divides by that with -short
	f := flag.Lookup("rapid.checks")
	before := f.Value.String()
	if before != f.DefValue {
		return
	}
	if err := f.Value.Set(strconv.Itoa(less * n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Value.Set(before) })
}

func TestGeneratedValuesAreDecodedStrictlyAndLosslessly(t *testing.T) {
	checks(t, generated, func(d wire.Definition) func(rt *rapid.T) {
		gen := values.Of(schema.Default(), d.Name)
		return func(rt *rapid.T) {
			v := gen.Draw(rt, "value")
			if err := checkForms(rt, d, v); err != nil {
				rt.Fatalf("%s: a valid value is refused: %v\n%s", d.Name, err, v)
			}
			roundTrip(rt, d, v)
		}
	})
}

func TestGeneratedOpenValuesAreDecodedTolerantlyAndLosslessly(t *testing.T) {
	checks(t, generated/4, func(d wire.Definition) func(rt *rapid.T) {
		gen := values.Of(schema.Default(), d.Name, values.Open())
		return func(rt *rapid.T) {
			v := gen.Draw(rt, "value")
			checkForms(rt, d, v)
			roundTrip(rt, d, v)
		}
	})
}

func TestMutantsAreStrictlyDecodableExactlyWhenValidByTheClosedForm(t *testing.T) {
	checks(t, generated/2, func(d wire.Definition) func(rt *rapid.T) {
		gen := values.Mutants(schema.Default(), d.Name)
		return func(rt *rapid.T) {
			m := gen.Draw(rt, "mutant")
			checkForms(rt, d, m.JSON)
			checkKept(rt, d, m)
		}
	})
}

// TestTheFormsAgreeOnEveryExampleAndReject goes through the schemas' own instances, the broken ones
// too, as what they are and as whole lines.
func TestTheFormsAgreeOnEveryExampleAndReject(t *testing.T) {
	frame := definition(t, "envelope/frame.json")
	for _, d := range schema.Default().Definitions() {
		var instances []json.RawMessage
		instances = append(instances, d.Examples...)
		for _, r := range d.Rejects {
			instances = append(instances, r.Value)
		}
		for _, text := range instances {
			if !d.Legacy() && !d.Unknown && !slices.Contains(notGenerated, d.Name()) {
				checkForms(t, definition(t, d.Name()), text)
			}
			checkForms(t, frame, text)
		}
	}
}

// checkKept checks that the tolerant mode loses nothing of a mutant, if it accepts it. What it
// reads as a modern form changes, and some of it cannot be sent.
func checkKept(t failer, d wire.Definition, m values.Mutant) {
	t.Helper()
	var deviations []codec.Deviation
	decoded, err := d.Decode(m.JSON, reporting(&deviations))
	if err != nil {
		if len(deviations) > 0 {
			t.Fatalf("%s: not accepted, but reported: %v\n%s", d.Name, deviations, m)
		}
		return
	}
	invalid := schema.Default().Closed().Validate(d.Name, m.JSON)
	if invalid != nil && len(deviations) == 0 && m.Mutation != values.Duplicate {
		t.Fatalf("%s: accepted without a report: %v\n%s", d.Name, invalid, m)
	}
	if slices.ContainsFunc(deviations, func(v codec.Deviation) bool { return v.Kind == codec.LegacyShape }) && m.Mutation != values.Legacy {
		return
	}
	out, err := decoded.Encode()
	if err != nil {
		if unsendable(err) {
			return
		}
		t.Fatalf("%s: encode: %v\n%s", d.Name, err, m)
	}
	checkLossless(t, d, m.JSON, out, decoded.Value)
}

// unsendable reports whether an error says that what may be read must not be sent: an allow without
// its input, an empty id of a request.
func unsendable(err error) bool {
	var e *codec.Error
	return errors.As(err, &e) && e.Kind == codec.Missing &&
		(strings.HasSuffix(e.Path, "/updatedInput") || strings.HasSuffix(e.Path, "request_id"))
}

// checkForms checks that the closed form and the strict mode agree on a text, and that the tolerant
// mode makes the same of what strict accepts, without a deviation. It returns the error of the
// strict mode.
func checkForms(t failer, d wire.Definition, text []byte) error {
	t.Helper()
	invalid := schema.Default().Closed().Validate(d.Name, text)
	s, err := d.Decode(text, strict())
	if (invalid == nil) != (err == nil) {
		t.Fatalf("%s:\nclosed form: %v\nstrict mode: %v\n%s", d.Name, invalid, err, text)
	}
	if err != nil {
		return err
	}
	var deviations []codec.Deviation
	tolerant, err := d.Decode(text, reporting(&deviations))
	if err != nil {
		t.Fatalf("%s: strict accepts, tolerant does not: %v\n%s", d.Name, err, text)
	}
	if len(deviations) > 0 {
		t.Fatalf("%s: strict accepts, tolerant reports %v\n%s", d.Name, deviations, text)
	}
	if !reflect.DeepEqual(s.Value, tolerant.Value) {
		t.Fatalf("%s: strict and tolerant differ: %s\n%s", d.Name, cmp.Diff(s.Value, tolerant.Value), text)
	}
	return nil
}
