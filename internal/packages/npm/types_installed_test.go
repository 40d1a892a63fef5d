//go:build packages

package npm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/internal/vectors"
	"github.com/ccwire/ccwire/schema"
)

func TestInstalledTypesNarrowByTagsAndRefuseMisspeltMembers(t *testing.T) {
	compile(t, project(t), "--noEmit", "narrow.ts")
}

func TestInstalledTypesShowTheirCommentsToEditors(t *testing.T) {
	got := string(run(t, project(t), "node", "hover.mjs", "narrow.ts", "updatedInput:"))
	if want := "Input to run the tool with, the proposed one or a changed one."; !strings.HasPrefix(got, want) {
		t.Errorf("it shows %q", got)
	}
}

func TestInstalledTypesFitWhatIsValid(t *testing.T) {
	dir := project(t)
	m, err := model.New(schema.Default())
	if err != nil {
		t.Fatal(err)
	}
	list, err := vectors.All()
	if err != nil {
		t.Fatal(err)
	}
	code := bytes.NewBufferString("import type * as ccwire from \"ccwire\";\n")
	count := 0
	for i := range list {
		v := &list[i]
		name := typed(m, v)
		if name == "" {
			continue
		}
		fmt.Fprintf(code, "export const v%d: ccwire.%s = %s; // %s\n", i, name, v.Value, v.ID)
		count++
	}
	if count < 2500 {
		t.Errorf("%d values are checked", count)
	}
	write(t, dir, "valid.ts", code.Bytes())
	compile(t, dir, "--noEmit", "--skipLibCheck", "valid.ts")
}

// typed returns the name of the type of a vector that has a value without any deviation, "" for
// others: the types have no legacy shapes, and an unknown tag is not written by naming it.
func typed(m *model.Model, v *vectors.Vector) string {
	if v.Value == nil || !*v.Valid || strings.HasSuffix(v.Definition, "/Unknown") {
		return ""
	}
	e := m.Definition(v.Definition)
	deviations, err := schema.Default().Lint(v.Definition, v.Value)
	if err != nil || len(deviations) > 0 || e.Type == nil || e.Nullable || e.Type.Legacy || misdirected(m, v) {
		return ""
	}
	return e.Type.Name
}

// misdirected reports whether an SDK would not write a value so: it is a request that only the CLI
// makes, or lacks what an SDK gives.
func misdirected(m *model.Model, v *vectors.Vector) bool {
	var line struct {
		Behavior     string
		UpdatedInput json.RawMessage
		Request      struct{ Subtype string }
	}
	if v.Direction != string(model.SDK) || json.Unmarshal(v.Value, &line) != nil {
		return false
	}
	return line.Behavior == "allow" && line.UpdatedInput == nil || slices.ContainsFunc(m.Requests, func(r *model.Request) bool {
		return r.Subtype == line.Request.Subtype && r.Direction == model.CLI
	})
}
