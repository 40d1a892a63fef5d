package schema

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// tree makes a file system of schema files; "$schema" and the right "$id" are put in front unless
// the text has them.
func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		if !strings.Contains(text, `"$id"`) {
			text = `{"$schema":"` + Draft + `","$id":"` + Base + name + `",` + strings.TrimPrefix(strings.TrimSpace(text), "{")
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func mustLoad(t testing.TB, files map[string]string) *Set {
	t.Helper()
	set, err := Load(tree(files))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestLoadNamesFileAndPointerOfAMistake(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  LoadError // Err is compared by text: it must contain Err
		text  string
	}{
		{"unknown keyword",
			map[string]string{"a/x.json": `{"type":"string","maxLength":3}`},
			LoadError{File: "a/x.json", Pointer: "/maxLength"}, "unknown keyword"},
		{"unknown keyword deep inside",
			map[string]string{"a/x.json": `{"$defs":{"R":{"type":"object","properties":{"a/b":{"items":{"pattern":"x"}}}}}}`},
			LoadError{File: "a/x.json", Pointer: "/$defs/R/properties/a~1b/items/pattern"}, "unknown keyword"},
		{"a version without a number",
			map[string]string{"a/x.json": `{"type":"string","x-since":"2.1"}`},
			LoadError{File: "a/x.json", Pointer: "/x-since"}, "want a version such as 2.1.325"},
		{"unknown keyword in not",
			map[string]string{"a/x.json": `{"type":"string","not":{"const":"a"}}`},
			LoadError{File: "a/x.json", Pointer: "/not/const"}, "unknown keyword"},
		{"dangling ref to a file",
			map[string]string{"a/x.json": `{"type":"array","items":{"$ref":"../b/y.json"}}`},
			LoadError{File: "a/x.json", Pointer: "/items/$ref"}, "b/y.json, which does not exist"},
		{"dangling ref to a definition",
			map[string]string{"a/x.json": `{"type":"array","items":{"$ref":"#/$defs/Y"},"$defs":{"Z":{"type":"string"}}}`},
			LoadError{File: "a/x.json", Pointer: "/items/$ref"}, "a/x.json#/$defs/Y, which does not exist"},
		{"ref to something that is not a definition",
			map[string]string{"a/x.json": `{"type":"object","properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}}}`},
			LoadError{File: "a/x.json", Pointer: "/properties/b/$ref"}, "does not exist"},
		{"absolute ref",
			map[string]string{"a/x.json": `{"$ref":"https://example.com/x.json"}`},
			LoadError{File: "a/x.json", Pointer: "/$ref"}, "relative"},
		{"refs in a circle",
			map[string]string{"a/x.json": `{"$ref":"y.json"}`, "a/y.json": `{"$ref":"x.json"}`},
			LoadError{File: "a/x.json", Pointer: "/$ref"}, "circle"},
		{"id of another file",
			map[string]string{"a/x.json": `{"$schema":"` + Draft + `","$id":"` + Base + `a/y.json","type":"string"}`},
			LoadError{File: "a/x.json", Pointer: "/$id"}, "want"},
		{"another draft",
			map[string]string{"a/x.json": `{"$schema":"http://json-schema.org/draft-07/schema#","$id":"` + Base + `a/x.json","type":"string"}`},
			LoadError{File: "a/x.json", Pointer: "/$schema"}, "want"},
		{"required without property",
			map[string]string{"a/x.json": `{"type":"object","required":["a"],"properties":{"b":{"type":"string"}}}`},
			LoadError{File: "a/x.json", Pointer: "/required"}, "not among the properties"},
		{"unknown type",
			map[string]string{"a/x.json": `{"type":"float"}`},
			LoadError{File: "a/x.json", Pointer: "/type"}, "unknown type"},
		{"unknown evidence",
			map[string]string{"a/x.json": `{"type":"string","x-evidence":"guessed"}`},
			LoadError{File: "a/x.json", Pointer: "/x-evidence"}, "guessed"},
		{"partial list without a list",
			map[string]string{"a/x.json": `{"type":"string","x-enum-partial":true}`},
			LoadError{File: "a/x.json", Pointer: "/x-enum-partial"}, "for an x-enum"},
		{"member twice",
			map[string]string{"a/x.json": `{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"number"}}}`},
			LoadError{File: "a/x.json", Pointer: "/properties"}, "twice"},
		{"no JSON",
			map[string]string{"a/x.json": `{"$id":`},
			LoadError{File: "a/x.json"}, "is not JSON"},
		{"no definition",
			map[string]string{"a/x.json": `{"$schema":"` + Draft + `","$id":"` + Base + `a/x.json"}`},
			LoadError{File: "a/x.json"}, "defines nothing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load(tree(test.files))
			var got *LoadError
			if !errors.As(err, &got) {
				t.Fatalf("got %v, want a *LoadError", err)
			}
			if got.File != test.want.File || got.Pointer != test.want.Pointer || !strings.Contains(got.Error(), test.text) {
				t.Errorf("got %q, want file %q, pointer %q, text %q", got, test.want.File, test.want.Pointer, test.text)
			}
		})
	}
}

func TestLoadReportsEveryMistake(t *testing.T) {
	_, err := Load(tree(map[string]string{
		"a/x.json": `{"type":"string","format":"date"}`,
		"a/y.json": `{"type":"string","pattern":"x","title":"y"}`,
	}))
	for _, want := range []string{"a/x.json#/format", "a/y.json#/pattern", "a/y.json#/title"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

func TestLoadSkipsTestdata(t *testing.T) {
	fsys := tree(map[string]string{"a/x.json": `{"type":"string"}`})
	fsys["testdata/broken.json"] = &fstest.MapFile{Data: []byte("{")}
	if _, err := Load(fsys); err != nil {
		t.Error(err)
	}
	if _, err := Load(fstest.MapFS{}); err == nil {
		t.Error("an empty tree loads")
	}
}

func TestEmbeddedFilesAreThoseOfTheFolder(t *testing.T) {
	onDisk, err := Load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Default().Revision(), onDisk.Revision(); got != want {
		t.Errorf("embedded revision %s, on disk %s: does embed.go lack a folder?", got, want)
	}
}

func TestRevisionChangesWithContentsOnly(t *testing.T) {
	revision := func(text string) string { return mustLoad(t, map[string]string{"a/x.json": text}).Revision() }
	a := revision(`{"type":"string"}`)
	if b := revision("{\"type\" :\n \"string\"}"); a != b {
		t.Errorf("white space changes the revision: %s, %s", a, b)
	}
	if b := revision(`{"type":"number"}`); a == b {
		t.Error("another type does not change the revision")
	}
}

func TestModelKeepsOrderAndKeywords(t *testing.T) {
	set := mustLoad(t, map[string]string{"a/x.json": `{
		"description":"An x.", "x-direction":"both", "x-since":"1.0.0", "x-evidence":"observed",
		"type":"object", "required":["z"], "x-send-required":["a"],
		"properties":{"z":{"$ref":"#/$defs/Z"}, "a":{"type":["string","null"],"x-enum":["p","q"]}, "m":{"type":"object","x-opaque":true,"x-content":{"$ref":"#/$defs/Z"}}},
		"examples":[{"z": 1}], "x-rejects":[{"value":{},"at":"/z","why":"no z"}],
		"$defs":{"Z":{"type":"integer"}}}`})
	d := set.Lookup("a/x.json")
	var order []string
	for _, p := range d.Properties {
		order = append(order, p.Name)
	}
	if got := strings.Join(order, " "); got != "z a m" {
		t.Errorf("properties %q", got)
	}
	if !d.Properties[0].Required || d.Properties[1].Required {
		t.Error("requiredness of properties is wrong")
	}
	if got := set.Resolve(d.Property("z").Node); !got.HasType("integer") {
		t.Errorf("z resolves to %+v", got)
	}
	if got := d.Property("m").Content.Ref; got != "a/x.json#/$defs/Z" {
		t.Errorf("content is %q", got)
	}
	if string(d.Examples[0]) != `{"z": 1}` || d.Rejects[0].At != "/z" || d.SendRequired[0] != "a" {
		t.Errorf("annotations are wrong: %+v", d.Node)
	}
	if names := set.Definitions(); len(names) != 2 || names[1].Name() != "a/x.json#/$defs/Z" {
		t.Errorf("definitions: %v", names)
	}
	if got := strings.Join(set.Kinds(d.Property("a").Node), " "); got != "string null" {
		t.Errorf("kinds of a: %s", got)
	}
}
