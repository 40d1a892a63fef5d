package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

func bundle(t testing.TB) []byte {
	t.Helper()
	text, err := Default().Bundle()
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
	text, err := again.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, bundle(t)) {
		t.Error("two bundles of the same files differ")
	}
}

func TestBundleNeedsNoOtherDocument(t *testing.T) {
	var doc struct {
		OneOf []json.RawMessage
		Defs  map[string]json.RawMessage `json:"$defs"`
	}
	text := bundle(t)
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if got, want := len(doc.Defs)+1, len(Default().Definitions()); got != want {
		t.Errorf("%d definitions with the root, want %d", got, want)
	}
	if got, want := len(doc.OneOf), len(Default().Lookup(Either.Definition()).OneOf); got != want {
		t.Errorf("the root has %d arms, want %d", got, want)
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

// The bundle is plain JSON Schema, so any validator that tries all arms of a oneOf must come to the
// verdict of the one here, which looks at the tag.
func TestBundleAndValidatorAgree(t *testing.T) {
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

// An independent tool of another ecosystem reads the bundle.
func TestBundleIsReadByJSONSchemaToTypeScript(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs a package of npm; make test-all runs it")
	}
	npx, err := exec.LookPath("npx")
	if err != nil {
		message := "npx is not on the PATH: install Node.js (https://nodejs.org/en/download, or apt-get install nodejs npm) to run this test"
		if os.Getenv("CI") == "true" {
			t.Fatal(message)
		}
		t.Skip(message)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "bundle.json"), filepath.Join(dir, "bundle.d.ts")
	if err := os.WriteFile(in, bundle(t), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(npx, "-y", "json-schema-to-typescript@15", "--unreachableDefinitions", "-i", in, "-o", out)
	cmd.Dir = dir
	if output, err := cmd.CombinedOutput(); err != nil {
		if slices.ContainsFunc([]string{"ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT"}, func(code string) bool {
			return bytes.Contains(output, []byte(code))
		}) && os.Getenv("CI") != "true" {
			t.Skipf("npx cannot fetch json-schema-to-typescript (npm install -g json-schema-to-typescript@15 with a network, once):\n%s", output)
		}
		t.Fatalf("%v\n%s", err, output)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CanUseToolRequest", "PreToolUseInput", "SystemInit", "PermissionMode"} {
		if !bytes.Contains(text, []byte("export type "+want+" ")) && !bytes.Contains(text, []byte("export interface "+want+" ")) {
			t.Errorf("the TypeScript types lack %s", want)
		}
	}
	if !bytes.Contains(text, []byte(`"acceptEdits"`)) {
		t.Error("the TypeScript types lack the known values of an open enum")
	}
}
