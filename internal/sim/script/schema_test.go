package script_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/sim/script"
)

func TestTheSchemaNamesTheMembersOfScripts(t *testing.T) {
	var schema struct {
		Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(script.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{
		"Script": script.Script{}, "Turn": fakeapi.Turn{}, "Match": fakeapi.Match{}, "Error": fakeapi.Error{}, "Pace": fakeapi.Pace{}, "Cut": fakeapi.Cut{},
		"Result": script.Result{},
	} {
		var got []string
		for member := range schema.Defs[name].Properties {
			got = append(got, member)
		}
		slices.Sort(got)
		want := members(reflect.TypeOf(v))
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -Go +schema\n%s", name, diff)
		}
	}
}

// members returns the names of a struct's members in JSON.
func members(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			names = append(names, members(f.Type)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func TestScriptsAreValidByTheSchema(t *testing.T) {
	schema, err := jsonschema.CompileString("script.json", string(script.Schema))
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text []byte) error {
		var v any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			return err
		}
		return schema.Validate(v)
	}
	count := 0
	for _, pattern := range []string{"../../../conformance/scenarios/*/*.txtar", "../../../examples/internal/offline/scripts/*.json", "../../../docs/simulated.md", "../../../docs/fakeapi.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range scripts(file, data) {
				count++
				if err := valid(text); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d scripts", count)
	}
	for _, bad := range []string{`{"turn": []}`, `{"turns": [{"txt": "a"}]}`, `{"turns": [{"match": {}}]}`, `{"strict": "promts"}`, `{"turns": [{"pace": {"before": "soon"}}]}`} {
		if valid([]byte(bad)) == nil {
			t.Errorf("%s is valid", bad)
		}
	}
}

var fenced = regexp.MustCompile("(?s)```json\n(\\{\n\t\"turns\".*?)```")

// scripts returns the scripts in a file.
func scripts(file string, data []byte) (list [][]byte) {
	switch filepath.Ext(file) {
	case ".json":
		return [][]byte{data}
	case ".md":
		for _, m := range fenced.FindAllSubmatch(data, -1) {
			list = append(list, m[1])
		}
		return list
	}
	if _, rest, found := bytes.Cut(data, []byte("\n-- api.json --\n")); found {
		text, _, _ := bytes.Cut(rest, []byte("\n-- "))
		list = append(list, text)
	}
	return list
}
