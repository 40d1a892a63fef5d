package scenario

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPatternMatches(t *testing.T) {
	vars := func() Vars { return Vars{"cwd": "/scratch/cwd", "id": "r1"} }
	for _, tt := range []struct {
		name, pattern, doc string
		want               string // the mismatch; "" if it fits
	}{
		{"members may be more", `{"a":1}`, `{"a":1,"b":2}`, ""},
		{"member is missing", `{"a":1}`, `{"b":2}`, `/a is absent, want 1`},
		{"value differs", `{"a":{"b":"x"}}`, `{"a":{"b":"y"}}`, `/a/b is "y", want "x"`},
		{"type is compared first", `{"a":1,"type":"t"}`, `{"type":"u"}`, `/type is "u", want "t"`},
		{"number by value", `{"a":1.0}`, `{"a":1}`, ""},
		{"null is not absent", `{"a":null}`, `{}`, `/a is absent, want null`},
		{"absent", `{"a":"$absent"}`, `{}`, ""},
		{"not absent", `{"a":"$absent"}`, `{"a":null}`, `/a is null, want absent`},
		{"array in length", `[1,2]`, `[1,2,3]`, `the value is 3: [1,2,3], want 2 elements`},
		{"array of one", `[1]`, `[1,2]`, `the value is 2: [1,2], want 1 element`},
		{"contains", `["$contains",{"n":2}]`, `[{"n":1},{"n":2}]`, ""},
		{"does not contain", `["$contains",3]`, `[1,2]`, `the value is [1,2], want an element like 3`},
		{"unordered", `["$unordered",{"n":2},{"n":1}]`, `[{"n":1},{"n":2}]`, ""},
		{"unordered, the loose pattern first", `["$unordered","$number",2]`, `[2,1]`, ""},
		{"unordered, one element for two patterns", `["$unordered",1,1]`, `[1,2]`, `the value is [1,2], want in any order [1,1]`},
		{"unordered, one element more", `["$unordered",1]`, `[1,2]`, `the value is [1,2], want in any order [1]`},
		{"kinds", `["$string","$number","$bool","$object","$array","$any"]`, `["s",1,true,{},[],null]`, ""},
		{"wrong kind", `"$number"`, `"1"`, `the value is "1", want a number`},
		{"uuid", `"$uuid"`, `"0b5a1c1e-0000-4000-8000-000000000001"`, ""},
		{"regexp", `"$re:^a.c$"`, `"abc"`, ""},
		{"regexp with a folder", `"$re:^${cwd}/x$"`, `"/scratch/cwd/x"`, ""},
		{"folder", `"${cwd}/a.txt"`, `"/scratch/cwd/a.txt"`, ""},
		{"escaped dollar", `"$$any"`, `"$any"`, ""},
		{"reference", `{"id":"$ref:id"}`, `{"id":"r1"}`, ""},
		{"other than the reference", `{"id":"$ref:id"}`, `{"id":"r2"}`, `/id is "r2", want "r1" (id)`},
		{"nothing bound", `"$ref:nope"`, `1`, `the value is 1, want nope, which nothing has bound`},
		{"exact", `{"$exact":{"a":1}}`, `{"a":1,"b":2}`, `the value is {"a":1,"b":2}, want no other members than {"a":1}`},
		{"or", `{"a":{"$or":[1,2]}}`, `{"a":2}`, ""},
		{"not", `{"a":{"$not":1}}`, `{"a":1}`, `/a is 1, want not 1`},
		{"not, and absent", `{"a":{"$not":1}}`, `{}`, ""},
		{"pointer is escaped", `{"a/b":1}`, `{"a/b":2}`, `/a~1b is 2, want 1`},
		{"not JSON", `{}`, `{`, `the value is unexpected EOF, want JSON`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ParsePattern(tt.pattern)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if m := p.Match([]byte(tt.doc), vars()); m != nil {
				got = m.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPatternBindsOnlyWhenItMatches(t *testing.T) {
	p, err := ParsePattern(`{"a":"$bind:x","b":1}`)
	if err != nil {
		t.Fatal(err)
	}
	vars := Vars{}
	if p.Match([]byte(`{"a":"v","b":2}`), vars) == nil || len(vars) > 0 {
		t.Errorf("a mismatch has bound %v", vars)
	}
	if m := p.Match([]byte(`{"a":"v","b":1}`), vars); m != nil {
		t.Error(m)
	}
	if diff := cmp.Diff(Vars{"x": "v"}, vars); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestPatternKeepsNothingOfATryThatFailed(t *testing.T) {
	for _, tt := range []struct {
		pattern, doc string
		want         Vars
	}{
		{`{"$or":[{"a":"$bind:y","b":1},{"c":3}]}`, `{"a":"wrong","b":2,"c":3}`, Vars{"x": "old"}},
		{`{"a":{"$not":{"d":"$bind:y","e":1}}}`, `{"a":{"d":"wrong","e":2}}`, Vars{"x": "old"}},
		{`["$contains",{"a":"$ref:x","b":"$bind:x","c":1}]`, `[{"a":"old","b":"wrong","c":2},{"a":"old","b":"new","c":1}]`, Vars{"x": "new"}},
		{`["$unordered",{"a":"$ref:x","b":"$bind:x"},{"c":1}]`, `[{"a":"old","b":"wrong","c":1},{"a":"old","b":"new"}]`, Vars{"x": "new"}},
	} {
		p, err := ParsePattern(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		vars := Vars{"x": "old"}
		if m := p.Match([]byte(tt.doc), vars); m != nil {
			t.Errorf("%s: %v", p, m)
		}
		if diff := cmp.Diff(tt.want, vars); diff != "" {
			t.Errorf("%s: -want +got\n%s", p, diff)
		}
	}
}

func TestPatternsWithMistakesAreRejected(t *testing.T) {
	for _, text := range []string{`"$strng"`, `{"a":"$re:["}`, `{"$or":1}`, `{"$exact":{},"a":1}`, `{"$nope":1}`, `"$bind:"`, `"$bind:x:nope"`, `{`, `1 2`} {
		if _, err := ParsePattern(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

func TestExpandJSON(t *testing.T) {
	vars := Vars{"id": "a\"b", "n": map[string]any{"k": true}, "cwd": `/x"y`}
	for _, tt := range []struct{ text, want string }{
		{`{"a":"$ref:id"}`, `{"a":"a\"b"}`},
		{`{"a":"$ref:n"}`, `{"a":{"k":true}}`},
		{`{"a":"${cwd}/z"}`, `{"a":"/x\"y/z"}`},
		{`{"a":"${repeat:3:ab}"}`, `{"a":"ababab"}`},
	} {
		got, err := vars.ExpandJSON(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{`"$ref:nope"`, `"${nope}"`, `"${n}"`, `"${repeat:99999999999:x}"`} {
		if _, err := vars.ExpandJSON(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
