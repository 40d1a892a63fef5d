package result

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// properties are the versions since which the members of a line are there, by its schema.
func properties(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../../../schema/message/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties map[string]struct {
			Since string `json:"x-since"`
		}
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	since := map[string]string{}
	for name, p := range schema.Properties {
		since[name] = p.Since
	}
	return since
}

func TestMembersAreThereSinceTheVersionThatTheSchemaSays(t *testing.T) {
	schema := properties(t, "result.error")
	for name, since := range properties(t, "result.success") {
		schema[name] = since
	}
	for _, l := range []members{turn, noSession} {
		declared, want := map[string]string{}, map[string]string{}
		for _, m := range l {
			declared[m.Name], want[m.Name] = m.Since, schema[m.Name]
			if _, ok := schema[m.Name]; !ok {
				t.Errorf("the schema of results does not have %s", m.Name)
			}
		}
		if diff := cmp.Diff(want, declared); diff != "" {
			t.Errorf("the versions differ from those of the schema:\n%s", diff)
		}
	}
}
