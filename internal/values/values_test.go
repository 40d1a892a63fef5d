package values_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

// current lists the definitions of what is sent today.
func current(set *schema.Set) (names []string) {
	for _, d := range set.Definitions() {
		if !d.Legacy() && !d.Unknown {
			names = append(names, d.Name())
		}
	}
	return names
}

// seeds is how many values are made of each definition.
func seeds() int {
	if testing.Short() {
		return 4
	}
	return 12
}

func TestEveryValueIsValidByTheClosedForm(t *testing.T) {
	set := schema.Default()
	for _, name := range current(set) {
		gen := values.Of(set, name)
		for seed := range seeds() {
			v := gen.Example(seed)
			if err := set.Closed().Validate(name, v); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, v)
			}
		}
	}
}

func TestEveryOpenValueIsValidByTheOpenForm(t *testing.T) {
	set := schema.Default()
	found := map[codec.DeviationKind]bool{}
	for _, name := range current(set) {
		gen := values.Of(set, name, values.Open())
		for seed := range seeds() {
			v := gen.Example(seed)
			if err := set.Open().Validate(name, v); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, v)
			}
			findings, _ := set.Lint(name, v)
			for _, f := range findings {
				found[f.Kind] = true
			}
		}
	}
	for _, kind := range []codec.DeviationKind{codec.UnknownMember, codec.UnknownTag, codec.UnknownValue} {
		if !found[kind] {
			t.Errorf("no value has an %s", kind)
		}
	}
}

func TestEveryArmAndOddityOccurs(t *testing.T) {
	set := schema.Default()
	var all strings.Builder
	for _, name := range []string{"envelope/frame.json", "message/system.json", "envelope/control_request.json#/$defs/Request"} {
		seen := map[string]bool{}
		gen := values.Of(set, name)
		for seed := range 1500 {
			v := gen.Example(seed)
			touched, err := set.Touched(name, v)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range touched {
				seen[name] = true
			}
			all.Write(v)
		}
		for _, arm := range set.Lookup(name).OneOf {
			if target := set.Lookup(arm.Ref); !target.Unknown && !target.Legacy() && !seen[arm.Ref] {
				t.Errorf("no %s is a %s", name, arm.Ref)
			}
		}
	}
	text := all.String()
	for _, part := range []string{
		`\ud800`, "\u2028", "\u0085", "1e400", "123456789012345678901234567890123456789012345678901", "\n", ": ", `\u0074`, `"permission_mode"`,
		`"bypassPermissions"`, ":null", "9223372036854775807",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no value has %q", part)
		}
	}
}

func TestSendRequiredMembersAreAlwaysThere(t *testing.T) {
	set := schema.Default()
	for _, d := range set.Definitions() {
		for _, name := range d.SendRequired {
			gen := values.Of(set, d.Name())
			for seed := range 50 {
				var v map[string]any
				if err := json.Unmarshal(gen.Example(seed), &v); err != nil {
					t.Fatal(err)
				}
				if _, ok := v[name]; !ok {
					t.Errorf("%s: no %s in %v", d.Name(), name, v)
				}
			}
		}
	}
}

func TestEveryMutationOccursAndBreaksWhatItSays(t *testing.T) {
	set := schema.Default()
	valid, total := map[values.Mutation]int{}, map[values.Mutation]int{}
	for _, name := range []string{"envelope/frame.json", "control/initialize.json#/$defs/Request", "shared/usage.json"} {
		gen := values.Mutants(set, name)
		for seed := range 1000 {
			m := gen.Example(seed)
			total[m.Mutation]++
			if m.Mutation != values.Duplicate && !json.Valid(m.JSON) {
				t.Errorf("not JSON: %s", m)
			}
			if set.Closed().Validate(name, m.JSON) == nil {
				valid[m.Mutation]++
			}
			if m.Path != "" && !strings.HasPrefix(m.Path, "/") {
				t.Errorf("no pointer: %s", m)
			}
		}
	}
	for _, m := range values.Mutations {
		if total[m] < 10 {
			t.Errorf("%s: %d mutants", m, total[m])
		}
		if valid[m] == total[m] {
			t.Errorf("%s: every mutant is valid", m)
		}
	}
	for _, m := range []values.Mutation{values.DropRequired, values.ExtraMember, values.UnknownValue, values.Fraction, values.Duplicate, values.Legacy} {
		if valid[m] != 0 {
			t.Errorf("%s: %d of %d mutants are valid", m, valid[m], total[m])
		}
	}
}

func TestValuesShrink(t *testing.T) {
	smallest := values.Of(schema.Default(), "shared/usage.json").Filter(func(v values.Text) bool { return len(v) < 40 })
	if v := smallest.Example(1); !bytes.HasPrefix(v, []byte("{")) {
		t.Errorf("got %s", v)
	}
}

func TestSameComparesByTheSchema(t *testing.T) {
	set := schema.Default()
	for _, tt := range []struct {
		name, definition, want, got string
		same                        bool
	}{
		{"order and space", "envelope/keep_alive.json", `{"type":"keep_alive","a":1}`, `{ "a" : 1, "type":"keep_alive"}`, true},
		{"unknown member gone", "envelope/keep_alive.json", `{"type":"keep_alive","a":1}`, `{"type":"keep_alive"}`, false},
		{"unknown member new", "envelope/keep_alive.json", `{"type":"keep_alive"}`, `{"type":"keep_alive","a":1}`, false},
		{"text of an unknown number", "envelope/keep_alive.json", `{"type":"keep_alive","a":1.0}`, `{"type":"keep_alive","a":1}`, false},
		{"value of an integer", "shared/usage.json", `{"input_tokens":1.0}`, `{"input_tokens":1}`, true},
		{"integer off by one", "shared/usage.json", `{"input_tokens":9007199254740993}`, `{"input_tokens":9007199254740992}`, false},
		{"spelling of a string", "envelope/keep_alive.json", `{"type":"keep\u005falive"}`, `{"type":"keep_alive"}`, true},
		{"lone surrogates", "envelope/keep_alive.json", `{"type":"keep_alive","a":"\ud800"}`, `{"type":"keep_alive","a":"\ud801"}`, false},
		{"member twice", "envelope/keep_alive.json", `{"type":"keep_alive"}`, `{"type":"keep_alive","type":"keep_alive"}`, false},
		{"null and absent", "envelope/keep_alive.json", `{"type":"keep_alive","a":null}`, `{"type":"keep_alive"}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := values.Same(set, tt.definition, []byte(tt.want), []byte(tt.got)); (err == nil) != tt.same {
				t.Errorf("got %v", err)
			}
		})
	}
}
