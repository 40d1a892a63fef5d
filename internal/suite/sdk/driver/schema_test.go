package driver

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

const schemas = "../../../../schema/conformance/"

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.Compile(schemas + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func examples(t *testing.T, name string) []json.RawMessage {
	t.Helper()
	text, err := os.ReadFile(schemas + name)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Examples []json.RawMessage }
	if err := json.Unmarshal(text, &doc); err != nil || len(doc.Examples) == 0 {
		t.Fatalf("%s: %v, %d examples", name, err, len(doc.Examples))
	}
	return doc.Examples
}

// valid checks a value as JSON.
func valid(t *testing.T, s *jsonschema.Schema, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

func TestExamplesOfTheSchemasAreReadAndWrittenAgain(t *testing.T) {
	command, report := compile(t, "command.json"), compile(t, "report.json")
	for _, text := range examples(t, "command.json") {
		var c Command
		if err := strict(text, &c); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		valid(t, command, c)
	}
	for _, text := range examples(t, "report.json") {
		r, err := parseReport(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		valid(t, report, r)
	}
}

func TestSchemaNamesTheFeaturesThatAreKnown(t *testing.T) {
	text, err := os.ReadFile(schemas + "report.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Defs struct {
			Feature struct {
				Description string
				Enum        []string
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(doc.Defs.Feature.Enum, Features) {
		t.Errorf("the schema has %q, the package %q", doc.Defs.Feature.Enum, Features)
	}
	for _, f := range Features {
		if !strings.Contains(doc.Defs.Feature.Description, f) {
			t.Errorf("the description says nothing of %s", f)
		}
	}
}
