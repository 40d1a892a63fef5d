package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ccwire/ccwire/codec"
)

// ignoreOffsets compares deviations without their offsets, which have a test of their own.
var ignoreOffsets = cmpopts.IgnoreFields(codec.Deviation{}, "Offset")

func TestLintReportsWhatTheSchemasDoNotName(t *testing.T) {
	tests := []struct {
		name, doc string
		want      []codec.Deviation
	}{
		{"nothing", `{"type":"call","id":"1","args":["a",{"text":"x"}],"mode":"fast","parent":{"type":"note","level":"info"}}`, nil},
		{"members", `{"type":"call","id":"1","args":[{"text":"x","b":1}],"a":1,"empty":{"c":1}}`, []codec.Deviation{
			{Kind: codec.UnknownMember, Path: "/a", Detail: `"a"`},
			{Kind: codec.UnknownMember, Path: "/args/0/b", Detail: `"b"`},
			{Kind: codec.UnknownMember, Path: "/empty/c", Detail: `"c"`}}},
		{"not inside opaque values", `{"type":"call","id":"1","args":[],"extra":{"new":1}}`, nil},
		{"inside opaque values of known content", `{"type":"call","id":"1","args":[],"extra":{"text":"x","new":1}}`, []codec.Deviation{
			{Kind: codec.UnknownMember, Path: "/extra/new", Detail: `"new"`}}},
		{"not the names of a map", `{"type":"call","id":"1","args":[],"env":{"new":"x"}}`, nil},
		{"type", `{"type":"future","a":1}`, []codec.Deviation{{Kind: codec.UnknownTag, Path: "/type", Detail: `"future"`}}},
		{"value", `{"type":"call","id":"1","args":[],"mode":"odd"}`, []codec.Deviation{{Kind: codec.UnknownValue, Path: "/mode", Detail: `"odd"`}}},
		{"not the values of a partial list", `{"type":"call","id":"1","args":[],"cause":"snow"}`, nil},
		{"legacy tag", `{"type":"memo"}`, []codec.Deviation{{Kind: codec.LegacyShape, Path: "/type", Detail: `"memo"`}}},
		{"legacy tag without a modern one", `{"type":"shout"}`, []codec.Deviation{{Kind: codec.LegacyShape, Path: "/type", Detail: `"shout"`}}},
		{"legacy member", `{"type":"call","id":"1","args":[],"old":"x"}`, []codec.Deviation{{Kind: codec.LegacyShape, Path: "/old", Detail: `"old"`}}},
		{"legacy shape", `{"type":"call","name":"x"}`, []codec.Deviation{{Kind: codec.LegacyShape, Path: "", Detail: "s/frame.json#/$defs/OldCall"}}},
		{"number out of range", `{"type":"call","id":"1","args":[],"count":9223372036854775808}`, []codec.Deviation{
			{Kind: codec.Invalid, Path: "/count", Detail: "got a number outside the range of 64-bit integers"}}},
		{"what is invalid", `{"type":"call","id":1,"args":[],"a":1}`, []codec.Deviation{
			{Kind: codec.UnknownMember, Path: "/a", Detail: `"a"`},
			{Kind: codec.Invalid, Path: "/id", Detail: "got a number, want a string"}}},
	}
	set := small(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := set.Lint("s/frame.json", []byte(test.doc))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, ignoreOffsets); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLintOfNoJSONIsAnError(t *testing.T) {
	if _, err := small(t).Lint("s/frame.json", []byte(`{`)); err == nil {
		t.Error("no error")
	}
	if _, err := small(t).Lint("s/other.json", []byte(`{}`)); err == nil {
		t.Error("no error")
	}
}

func TestTouchedListsDefinitionsOfAllParts(t *testing.T) {
	doc := []byte(`{"type":"call","id":"1","args":["a",{"text":"x"}],"parent":{"type":"note","level":"info"}}`)
	got, err := small(t).Touched("s/frame.json", doc)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"s/frame.json", "s/frame.json#/$defs/Arg", "s/frame.json#/$defs/Call", "s/frame.json#/$defs/Note", "s/frame.json#/$defs/Text",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
