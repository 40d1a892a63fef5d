// Package linetest holds declared lines to the schemas, for the tests of packages that are directly
// below internal/sim.
package linetest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/sim/line"
)

// Check fails the test if a declared line has members that its schemas do not have, or another
// version since which one is there. A schema is a path below the folder schema, with the name of a
// definition in it after a # if it is one; what an earlier schema says counts.
func Check[T any](t *testing.T, l line.Line[T], schemas ...string) {
	t.Helper()
	since := map[string]string{}
	for _, schema := range schemas {
		for name, version := range versions(t, schema) {
			if _, ok := since[name]; !ok {
				since[name] = version
			}
		}
	}
	declared, want := map[string]string{}, map[string]string{}
	for _, m := range l {
		declared[m.Name] = m.Since
		if version, ok := since[m.Name]; ok {
			want[m.Name] = version
		}
	}
	if diff := cmp.Diff(want, declared); diff != "" {
		t.Errorf("the line is not that of %s:\n%s", strings.Join(schemas, " and "), diff)
	}
}

// versions are the versions since which the members of an object are there, by its schema.
func versions(t *testing.T, schema string) map[string]string {
	t.Helper()
	type object struct {
		Properties map[string]struct {
			Since string `json:"x-since"`
		}
	}
	var file struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	path, definition, _ := strings.Cut(schema, "#")
	data, err := os.ReadFile(filepath.Join("../../../schema", path))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	found := file.object
	if definition != "" {
		found = file.Defs[definition]
	}
	since := map[string]string{}
	for name, p := range found.Properties {
		since[name] = p.Since
	}
	return since
}
