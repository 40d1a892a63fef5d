package schema

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
)

// small is a set with one of everything.
func small(t testing.TB) *Set {
	t.Helper()
	return mustLoad(t, map[string]string{
		"s/frame.json": `{"oneOf":[{"$ref":"#/$defs/Call"},{"$ref":"#/$defs/Note"},{"$ref":"#/$defs/Unknown"},{"$ref":"#/$defs/OldCall"},{"$ref":"#/$defs/Gone"}],
			"x-legacy-tags":{"memo":"note","shout":null},
			"$defs":{
				"Call":{"type":"object","required":["type","id","args"],"properties":{
					"type":{"const":"call"},
					"id":{"type":"string"},
					"args":{"type":"array","items":{"$ref":"#/$defs/Arg"}},
					"mode":{"type":["string","null"],"x-enum":["slow","fast"]},
					"cause":{"type":"string","x-enum":["rain"],"x-enum-partial":true},
					"count":{"type":"integer"},
					"ratio":{"type":"number"},
					"extra":{"type":"object","x-opaque":true,"x-content":{"$ref":"#/$defs/Text"}},
					"empty":{"type":"object"},
					"env":{"type":"object","additionalProperties":{"type":"string"}},
					"parent":{"oneOf":[{"$ref":"#/$defs/Note"},{"type":"null"}]},
					"old":{"x-evidence":"legacy","type":"string"}}},
				"Arg":{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"number"}},{"$ref":"#/$defs/Text"}]},
				"Text":{"type":"object","required":["text"],"properties":{"text":{"type":"string"}}},
				"Note":{"type":"object","required":["type","level"],"properties":{"type":{"const":"note"},"level":{"enum":["info","warn"]}}},
				"Unknown":{"type":"object","x-unknown":true,"required":["type"],"properties":{"type":{"type":"string","not":{"enum":["call","note","gone"]}}}},
				"OldCall":{"type":"object","x-evidence":"legacy","required":["type","name"],"not":{"required":["args"]},"properties":{"type":{"const":"call"},"name":{"type":"string"}}},
				"Gone":{"type":"object","x-evidence":"legacy","required":["type","why"],"properties":{"type":{"const":"gone"},"why":{"type":"string"}}}}}`,
	})
}

// invalid returns a violation of the kind that the open form reports.
func invalid(path, keyword, detail string) Violation {
	return Violation{codec.Deviation{Kind: codec.Invalid, Path: path, Detail: detail}, keyword}
}

// departs returns a violation of another kind.
func departs(kind codec.DeviationKind, path, keyword, detail string) Violation {
	return Violation{codec.Deviation{Kind: kind, Path: path, Detail: detail}, keyword}
}

func TestViolationsNamePathKeywordAndReason(t *testing.T) {
	const s = "s/frame.json#"
	tests := []struct {
		name, doc string
		want      []Violation
	}{
		{"valid", `{"type":"call","id":"1","args":["a",[1,2.5],{"text":"x"}],"mode":null,"count":1e2,"parent":null,"env":{"A":"b"}}`, nil},
		{"valid with unknown things", `{"type":"call","id":"1","args":[],"mode":"odd","new":1}`, nil},
		{"unknown tag", `{"type":"future","id":1}`, nil},
		{"legacy arm", `{"type":"call","name":"x"}`, nil},
		{"missing members, each at its own place", `{"type":"call"}`, []Violation{
			invalid("/args", s+"/$defs/Call/required", `missing required member "args"`),
			invalid("/id", s+"/$defs/Call/required", `missing required member "id"`)}},
		{"wrong kind", `{"type":"call","id":5,"args":"x"}`, []Violation{
			invalid("/args", s+"/$defs/Call/properties/args/type", "got a string, want an array"),
			invalid("/id", s+"/$defs/Call/properties/id/type", "got a number, want a string")}},
		{"wrong kind of a nullable", `{"type":"call","id":"1","args":[],"mode":[]}`, []Violation{
			invalid("/mode", s+"/$defs/Call/properties/mode/type", "got an array, want a string or null")}},
		{"fraction for an integer", `{"type":"call","id":"1","args":[],"count":1.5}`, []Violation{
			invalid("/count", s+"/$defs/Call/properties/count/type", "got a fraction, want a whole number")}},
		{"value of a map", `{"type":"call","id":"1","args":[],"env":{"a/b":1}}`, []Violation{
			invalid("/env/a~1b", s+"/$defs/Call/properties/env/additionalProperties/type", "got a number, want a string")}},
		{"value of a map with a name that a URL would escape", `{"type":"call","id":"1","args":[],"env":{"a b%":1}}`, []Violation{
			invalid("/env/a b%", s+"/$defs/Call/properties/env/additionalProperties/type", "got a number, want a string")}},
		{"no kind of a choice", `{"type":"call","id":"1","args":[true]}`, []Violation{
			invalid("/args/0", s+"/$defs/Arg/oneOf", "got a boolean, want a string, an array or an object")}},
		{"the arm of the right kind", `{"type":"call","id":"1","args":["a",["b"],{"text":1}]}`, []Violation{
			invalid("/args/1/0", s+"/$defs/Arg/oneOf/1/items/type", "got a string, want a number"),
			invalid("/args/2/text", s+"/$defs/Text/properties/text/type", "got a number, want a string")}},
		{"nullable object", `{"type":"call","id":"1","args":[],"parent":{"type":"note"}}`, []Violation{
			invalid("/parent/level", s+"/$defs/Note/required", `missing required member "level"`)}},
		{"closed enum", `{"type":"note","level":"loud"}`, []Violation{
			invalid("/level", s+"/$defs/Note/properties/level/enum", `got "loud", want "info" or "warn"`)}},
		{"no tag", `{"id":"1"}`, []Violation{invalid("/type", s+"/oneOf", `missing required member "type"`)}},
		{"tag of the wrong kind", `{"type":7}`, []Violation{invalid("/type", s+"/oneOf", "got a number, want a string")}},
		{"broken legacy arm", `{"type":"call","name":5}`, []Violation{
			invalid("/name", s+"/$defs/OldCall/properties/name/type", "got a number, want a string")}},
		{"broken legacy arm with a tag of its own", `{"type":"gone"}`, []Violation{
			invalid("/why", s+"/$defs/Gone/required", `missing required member "why"`)}},
		{"no object", `"x"`, []Violation{invalid("", s+"/oneOf", "got a string, want an object")}},
	}
	set := small(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, violations(t, set.Open().Validate("s/frame.json", []byte(test.doc))), ignoreOffsets); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestClosedFormAllowsWhatTheSchemasNameOnly(t *testing.T) {
	const s = "s/frame.json#"
	tests := []struct {
		name, doc string
		want      []Violation
	}{
		{"valid", `{"type":"call","id":"1","args":["a"],"mode":"fast","count":-9223372036854775808,"empty":{},"extra":{"any":1},"env":{"A":"b"}}`, nil},
		{"null in an open enum", `{"type":"call","id":"1","args":[],"mode":null}`, nil},
		{"unknown member", `{"type":"call","id":"1","args":[{"text":"x","n/w":1}]}`, []Violation{
			departs(codec.UnknownMember, "/args/0/n~1w", s+"/$defs/Text/additionalProperties", `"n/w"`)}},
		{"member of an object without members", `{"type":"call","id":"1","args":[],"empty":{"a":1}}`, []Violation{
			departs(codec.UnknownMember, "/empty/a", s+"/$defs/Call/properties/empty/additionalProperties", `"a"`)}},
		{"legacy member", `{"type":"call","id":"1","args":[],"old":"x"}`, []Violation{
			departs(codec.LegacyShape, "/old", s+"/$defs/Call/additionalProperties", `"old"`)}},
		{"unknown value", `{"type":"call","id":"1","args":[],"mode":"odd"}`, []Violation{
			departs(codec.UnknownValue, "/mode", s+"/$defs/Call/properties/mode/enum", `got "odd", want "slow" or "fast"`)}},
		{"other value of a partial list", `{"type":"call","id":"1","args":[],"cause":"snow"}`, nil},
		{"wrong kind in a partial list", `{"type":"call","id":"1","args":[],"cause":5}`, []Violation{
			invalid("/cause", s+"/$defs/Call/properties/cause/type", "got a number, want a string")}},
		{"unknown tag", `{"type":"future"}`, []Violation{departs(codec.UnknownTag, "/type", s+"/oneOf", `got "future", want "call" or "note"`)}},
		{"legacy tag", `{"type":"memo"}`, []Violation{departs(codec.UnknownTag, "/type", s+"/oneOf", `got "memo", want "call" or "note"`)}},
		{"legacy arm", `{"type":"gone","why":"x"}`, []Violation{departs(codec.UnknownTag, "/type", s+"/oneOf", `got "gone", want "call" or "note"`)}},
		{"legacy arm with the tag of another", `{"type":"call","name":"x"}`, []Violation{
			invalid("/args", s+"/$defs/Call/required", `missing required member "args"`),
			invalid("/id", s+"/$defs/Call/required", `missing required member "id"`),
			departs(codec.UnknownMember, "/name", s+"/$defs/Call/additionalProperties", `"name"`)}},
		{"integer past 64 bits", `{"type":"call","id":"1","args":[],"count":9223372036854775808}`, []Violation{
			invalid("/count", s+"/$defs/Call/properties/count/maximum", "got a number outside the range of 64-bit integers")}},
	}
	set := small(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, violations(t, set.Closed().Validate("s/frame.json", []byte(test.doc))), ignoreOffsets); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// violations returns those of a validation error, and fails for other errors.
func violations(t testing.TB, err error) []Violation {
	t.Helper()
	var e *Error
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	if e == nil {
		return nil
	}
	return e.Violations
}

func TestFrameIsJudgedByItsDirection(t *testing.T) {
	line := []byte(`{"type":"update_environment_variables","variables":{"A":"b"}}` + "\n")
	for dir, valid := range map[Direction]bool{Either: true, FromSDK: true, FromCLI: false} {
		if err := Default().Closed().ValidateFrame(dir, line); (err == nil) != valid {
			t.Errorf("%s: %v", dir.Definition(), err)
		}
	}
	err := Default().Open().ValidateFrame(FromCLI, []byte(`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Bash"}}`))
	want := []Violation{invalid("/request/input", "control/can_use_tool.json#/$defs/Request/required", `missing required member "input"`)}
	if diff := cmp.Diff(want, violations(t, err), ignoreOffsets); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownDefinitionIsAnError(t *testing.T) {
	err := small(t).Open().Validate("s/other.json", []byte(`{}`))
	if err == nil || !strings.Contains(err.Error(), `"s/other.json"`) {
		t.Errorf("got %v", err)
	}
}

func TestErrorTextReadsWell(t *testing.T) {
	err := small(t).Open().Validate("s/frame.json", []byte(`{"type":"call","args":5}`))
	want := `invalid at /args: got a number, want an array (s/frame.json#/$defs/Call/properties/args/type); ` +
		`invalid at /id: missing required member "id" (s/frame.json#/$defs/Call/required)`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestAlternativesNeverSayOneOthers(t *testing.T) {
	names := strings.Split("abcdefghij", "")
	for n, want := range map[int]string{
		2:  "a or b",
		9:  "a, b, c, d, e, f, g, h or i",
		10: "a, b, c, d, e, f, g, h or 2 others",
	} {
		if got := alternatives(names[:n]); got != want {
			t.Errorf("%d names: got %q, want %q", n, got, want)
		}
	}
}
