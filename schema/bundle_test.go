package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

func bundle(t testing.TB) []byte {
	t.Helper()
	text, err := Default().Bundle(BundleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestBundleIsTheSameEveryTime(t *testing.T) {
	again, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	text, err := again.Bundle(BundleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, bundle(t)) {
		t.Error("two bundles of the same files differ")
	}
}

func TestBundleNeedsNoOtherDocument(t *testing.T) {
	var doc struct {
		AllOf []json.RawMessage
		Defs  map[string]json.RawMessage `json:"$defs"`
	}
	text := bundle(t)
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if got, want := len(doc.Defs)+1, len(Default().Definitions()); got != want {
		t.Errorf("%d definitions with the root, want %d", got, want)
	}
	if got, want := len(doc.AllOf), len(cases(Default().unions[Default().Lookup(Either.Definition()).Node], "type")); got != want {
		t.Errorf("the root has %d cases, want %d", got, want)
	}
	for _, want := range []string{"CanUseToolRequest", "PreToolUseInput", "SystemInit", "Usage"} {
		if doc.Defs[want] == nil {
			t.Errorf("there is no %s", want)
		}
	}
	for _, part := range strings.Split(string(text), `"$ref": "`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		if key, ok := strings.CutPrefix(name, "#/$defs/"); !ok || doc.Defs[key] == nil {
			t.Errorf("$ref %q does not resolve", name)
		}
	}
}

func TestBundleHasAnnotationsOnDemandOnly(t *testing.T) {
	if bytes.Contains(bundle(t), []byte(`"x-`)) {
		t.Error("the bundle has keywords of ours, which strict validators refuse")
	}
	text, err := Default().Bundle(BundleOptions{Annotations: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"x-direction": "cli-to-sdk"`, `"x-since": "`, `"x-required-since": "`, `"x-evidence": "observed"`, `"x-enum": [`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the annotated bundle lacks %s", want)
		}
	}
}

func TestBundleRootIsALineOfTheDirection(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the bundle; make test-all runs it")
	}
	c := jsonschema.NewCompiler()
	for _, dir := range []Direction{FromCLI, FromSDK} {
		text, err := Default().Bundle(BundleOptions{Direction: dir})
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("bundle%d.json", dir)
		if err := c.AddResource(name, bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		root := c.MustCompile(name)
		broken := map[string]any{"type": "update_environment_variables"} // known from the SDK only
		if valid := root.Validate(broken) == nil; valid != (dir == FromCLI) {
			t.Errorf("direction %d: a broken line that only the SDK writes is valid: %v", dir, valid)
		}
	}
}

// The bundle is plain JSON Schema, so any validator that tries all arms of a oneOf must come to the
// verdict of the one here, which looks at the tag.
func TestBundleAndValidatorAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the bundle many times; make test-all runs it")
	}
	names, err := Default().BundleNames()
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("bundle.json", bytes.NewReader(bundle(t))); err != nil {
		t.Fatal(err)
	}
	compiled := map[string]*jsonschema.Schema{}
	compare := func(definition string, text []byte) {
		t.Helper()
		if compiled[definition] == nil {
			at := "bundle.json#/$defs/" + names[definition]
			if definition == Either.Definition() {
				at = "bundle.json"
			}
			compiled[definition] = c.MustCompile(at)
		}
		doc, err := decode(text)
		if err != nil {
			t.Fatal(err)
		}
		plain := compiled[definition].Validate(doc)
		ours := Default().Open().check(definition, doc)
		if (plain == nil) != (ours == nil) {
			t.Errorf("%s: %s:\nbundle: %v\nours:   %v", definition, clip(string(text)), plain, ours)
		}
	}
	for _, d := range Default().Definitions() {
		for _, example := range d.Examples {
			compare(d.Name(), example)
		}
		for _, reject := range d.Rejects {
			compare(d.Name(), reject.Value)
		}
	}
	for _, v := range seedVectors(t) {
		for _, dir := range []Direction{Either, FromCLI, FromSDK} {
			compare(dir.Definition(), v.Frame)
		}
	}
	seen := map[string]bool{}
	for _, l := range distinct(recorded(t)) {
		names, err := Default().Touched(l.direction().Definition(), l.Text)
		if shape := fmt.Sprint(l.Dir, names, err != nil); scan(l.Text) == nil && !seen[shape] {
			seen[shape] = true // the others have the same definitions in them
			compare(l.direction().Definition(), l.Text)
			compare(Either.Definition(), l.Text)
		}
	}
}
