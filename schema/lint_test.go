package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLintReportsWhatTheSchemasDoNotName(t *testing.T) {
	tests := []struct {
		name, doc string
		want      []Finding
	}{
		{"nothing", `{"type":"call","id":"1","args":["a",{"text":"x"}],"mode":"fast","parent":{"type":"note","level":"info"}}`, nil},
		{"members", `{"type":"call","id":"1","args":[{"text":"x","b":1}],"a":1,"empty":{"c":1}}`, []Finding{
			{UnknownMember, "/a", `unknown member "a"`},
			{UnknownMember, "/args/0/b", `unknown member "b"`},
			{UnknownMember, "/empty/c", `unknown member "c"`}}},
		{"not inside opaque values", `{"type":"call","id":"1","args":[],"extra":{"new":1}}`, nil},
		{"inside opaque values of known content", `{"type":"call","id":"1","args":[],"extra":{"text":"x","new":1}}`, []Finding{
			{UnknownMember, "/extra/new", `unknown member "new"`}}},
		{"not the names of a map", `{"type":"call","id":"1","args":[],"env":{"new":"x"}}`, nil},
		{"type", `{"type":"future","a":1}`, []Finding{{UnknownType, "/type", `unknown type "future"`}}},
		{"value", `{"type":"call","id":"1","args":[],"mode":"odd"}`, []Finding{{UnknownValue, "/mode", `unknown value "odd"`}}},
		{"legacy tag", `{"type":"memo"}`, []Finding{{Legacy, "/type", `type "memo" of old peers`}}},
		{"legacy tag without a modern one", `{"type":"shout"}`, []Finding{{Legacy, "/type", `type "shout" of old peers`}}},
		{"legacy member", `{"type":"call","id":"1","args":[],"old":"x"}`, []Finding{{Legacy, "/old", `member "old" of old peers`}}},
		{"legacy shape", `{"type":"call","name":"x"}`, []Finding{{Legacy, "", "a shape of old peers (s/frame.json#/$defs/OldCall)"}}},
		{"number out of range", `{"type":"call","id":"1","args":[],"count":9223372036854775808}`, []Finding{
			{Invalid, "/count", "got a number outside the range of 64-bit integers"}}},
		{"what is invalid", `{"type":"call","id":1,"args":[],"a":1}`, []Finding{
			{UnknownMember, "/a", `unknown member "a"`},
			{Invalid, "/id", "got a number, want a string"}}},
	}
	set := small(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := set.Lint("s/frame.json", []byte(test.doc))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
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
