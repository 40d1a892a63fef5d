package schemaedit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/schema"
)

func TestUnionsListAllFilesOfTheirFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, schema.Files()); err != nil {
		t.Fatal(err)
	}
	changed, err := UpdateArms(dir)
	if err != nil || len(changed) > 0 {
		t.Errorf("UpdateArms changes %v (error %v): call it on the schema folder", changed, err)
	}
}

func TestUpdateArmsRewritesOneOfAndTheUnknownArmOnly(t *testing.T) {
	head := func(name string) string {
		return "{\n  \"$schema\": \"" + schema.Draft + "\",\n  \"$id\": \"" + schema.Base + name + "\",\n"
	}
	arm := func(name, tag string) string {
		return head(name) + `  "type":"object","required":["type"],"properties":{"type":{"const":"` + tag + `"}}}`
	}
	union := func(arms, tags string) string {
		return head("a/u.json") + `  "x-arms": "b/u.*.json",
  "oneOf": ` + arms + `,
  "examples":   [ {"type": "x"} ],
  "$defs": {
    "Old":{"type": "object", "x-evidence": "legacy", "required":["type"],"properties":{"type":{"const":"old"}}},
    "Unknown": {"type": "object", "x-unknown": true, "required": ["type"], "properties": {"type": {"type": "string",
      "not": {"enum": ` + tags + `}}}}
  }
}
`
	}
	const old, unknown = `{"$ref": "#/$defs/Old"}`, `{"$ref": "#/$defs/Unknown"}`
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/u.json":     union(`[{"$ref": "../b/u.gone.json"}, `+unknown+`, `+old+`]`, `["gone", "old"]`),
		"b/u.one.json": arm("b/u.one.json", "one"),
		"b/u.two.json": arm("b/u.two.json", "two"),
		"b/v.json":     arm("b/v.json", "v"),
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	changed, err := UpdateArms(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/u.json"}, changed); diff != "" {
		t.Error(diff)
	}
	got, err := os.ReadFile(filepath.Join(dir, "a", "u.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := union("[\n    "+strings.Join([]string{`{"$ref": "../b/u.one.json"}`, `{"$ref": "../b/u.two.json"}`, unknown, old}, ",\n    ")+"\n  ]",
		`["one", "two", "old"]`)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	if _, err := schema.Load(os.DirFS(dir)); err != nil {
		t.Error(err)
	}
	if changed, err = UpdateArms(dir); err != nil || len(changed) > 0 {
		t.Errorf("a second run changes %v, error %v", changed, err)
	}
}

func TestUnionsListTheFilesOfSeveralFolders(t *testing.T) {
	file := func(name, rest string) string {
		return `{"$schema": "` + schema.Draft + `", "$id": "` + schema.Base + name + `", ` + rest + `}`
	}
	arm := func(name, tag string) string {
		return file(name, `"type":"object","required":["type"],"properties":{"type":{"const":"`+tag+`"}}`)
	}
	write := func(t *testing.T, globs string) string {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"a/u.json": file("a/u.json", `"x-arms": "`+globs+`", "oneOf": [{"$ref": "../b/x.json"}, {"$ref": "v.json"}]`),
			"a/v.json": arm("a/v.json", "v"),
			"b/x.json": arm("b/x.json", "x"),
			"c/y.json": arm("c/y.json", "y"),
		} {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	dir := write(t, "b/*.json c/*.json")
	if changed, err := UpdateArms(dir); err != nil || len(changed) != 1 {
		t.Fatalf("changed %v, error %v", changed, err)
	}
	set, err := schema.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, arm := range set.Lookup("a/u.json").OneOf {
		got = append(got, arm.Ref)
	}
	if diff := cmp.Diff([]string{"b/x.json", "c/y.json", "a/v.json"}, got); diff != "" {
		t.Error(diff)
	}
	for _, globs := range []string{"b/*.json d/*.json", "b/*.json c/["} {
		if _, err := UpdateArms(write(t, globs)); err == nil {
			t.Errorf("%q is not refused", globs)
		}
	}
}

func TestUpdateArmsRewritesWhatAnOpenArmLeavesOut(t *testing.T) {
	file := func(name, rest string) string {
		return `{"$schema": "` + schema.Draft + `", "$id": "` + schema.Base + name + `", ` + rest + `}`
	}
	open := func(tags string) string {
		return file("a/u.open.json", `"type": "object", "required": ["type"], "properties": {"type": {"type": "string", "x-enum": ["x"], "not": {"enum": `+tags+`}}}`)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"u.json":      file("a/u.json", `"x-arms": "a/u.*.json", "oneOf": [{"$ref": "u.one.json"}, {"$ref": "u.open.json"}]`),
		"u.one.json":  file("a/u.one.json", `"type":"object","required":["type"],"properties":{"type":{"const":"one"}}`),
		"u.open.json": open(`["gone"]`),
	} {
		if err := os.MkdirAll(filepath.Join(dir, "a"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	changed, err := UpdateArms(dir)
	if diff := cmp.Diff([]string{"a/u.open.json"}, changed); diff != "" || err != nil {
		t.Error(diff, err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "a", "u.open.json"))
	if diff := cmp.Diff(open("[\n  \"one\"\n]"), string(got)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestUpdateArmsRefusesATagWhoseRefLeadsNowhere(t *testing.T) {
	file := func(name, rest string) string {
		return `{"$schema": "` + schema.Draft + `", "$id": "` + schema.Base + name + `", ` + rest + `}`
	}
	for _, tt := range []struct{ name, ref, want string }{
		{"to a definition that does not exist", "u.gone.json", "a/u.one.json#/properties/type points to a/u.gone.json, which does not exist"},
		{"in a circle", "#/$defs/A", "in a circle"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "a"), 0o755); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{
				"a/u.json": file("a/u.json", `"x-arms": "a/u.*.json", "oneOf": [{"$ref": "u.one.json"}, {"$ref": "u.open.json"}]`),
				"a/u.one.json": file("a/u.one.json", `"type":"object","required":["type"],"properties":{"type":{"$ref":"`+tt.ref+`"}},
					"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}`),
				"a/u.open.json": file("a/u.open.json", `"type":"object","required":["type"],"properties":{"type":{"type":"string","not":{"enum":["one"]}}}`),
			} {
				if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			changed, err := UpdateArms(dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(changed) > 0 {
				t.Errorf("got %v and changed %v, want %q", err, changed, tt.want)
			}
		})
	}
}

func TestListsAreFilledUpToTheWidth(t *testing.T) {
	var items []string
	for range 20 {
		items = append(items, `"abcdefghij"`)
	}
	got := listEdit{items: items, fill: true}.layout([]byte("{\n    \"enum\": "))
	for _, line := range strings.Split(got, "\n") {
		if len(line) > width {
			t.Errorf("line of %d characters: %s", len(line), line)
		}
	}
	if n := strings.Count(got, "\n"); n != 4 {
		t.Errorf("%d line breaks in\n%s", n, got)
	}
}
