package schema_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// linesOf compiles what a bundle for generators says of the lines of a side.
func linesOf(t *testing.T, bundle, side schema.Direction) *jsonschema.Schema {
	t.Helper()
	text, err := schema.Default().CodegenBundle(schema.CodegenOptions{Direction: bundle, Name: naming.New().Definition})
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("bundle.json", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("bundle.json#/definitions/" + map[schema.Direction]string{schema.FromCLI: "FromCLI", schema.FromSDK: "FromSDK"}[side])
}

func TestCodegenBundleOfASideTakesItsRecordedLinesAsTheWholeDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("it tries every arm for every line; make test-all runs it")
	}
	sides := map[schema.Direction]struct{ whole, own *jsonschema.Schema }{}
	for _, side := range []schema.Direction{schema.FromCLI, schema.FromSDK} {
		sides[side] = struct{ whole, own *jsonschema.Schema }{linesOf(t, schema.Either, side), linesOf(t, side, side)}
	}
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for _, s := range sessions {
		// In one scenario the SDK sends requests that are for a CLI to send.
		if s.Version != corpus.Newest() || s.Scenario == "control/own-requests-refused" {
			continue
		}
		for i := range s.Lines {
			l := &s.Lines[i]
			var v any
			d := json.NewDecoder(bytes.NewReader(l.Text))
			d.UseNumber()
			if d.Decode(&v) != nil {
				continue
			}
			side := schema.FromSDK
			if l.Dir == recording.ToSDK {
				side = schema.FromCLI
			}
			whole, own := sides[side].whole.Validate(v), sides[side].own.Validate(v)
			if (whole == nil) != (own == nil) {
				t.Errorf("%s: the whole bundle: %v, that of its side: %v", s.At(l), whole, own)
			}
			if own == nil {
				taken++
			}
		}
	}
	if taken < 5000 {
		t.Errorf("%d lines are valid", taken)
	}
}
