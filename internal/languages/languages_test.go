//go:build languages

package languages

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/internal/workshop"
	"github.com/ccwire/ccwire/schema"
)

// minimum is how many samples the recordings give at least.
const minimum = 1500

func TestTypeScriptCompilesAndNarrows(t *testing.T) {
	b := newBench(t)
	dir := workshop.Node(t, "node")
	report := workshop.Run(t, dir, "node", "typescript.mjs", b.bundle, "types.ts", b.samples, "lines.ts")
	b.judge(report, nil)
	workshop.Run(t, dir, "node", "node_modules/typescript/bin/tsc", "--strict", "--noEmit", "--skipLibCheck", "--target", "es2022",
		"--module", "nodenext", "types.ts", "lines.ts", "narrow.ts")

	workshop.Run(t, dir, "node", "typescript.mjs", b.excerpt, "excerpt.ts")
	code := read(t, filepath.Join(dir, "excerpt.ts"))
	checkPage(t, "typescript", cut(t, code, "export interface CanUseToolRequest {", "\n}\n"),
		cut(t, code, "export type PermissionResult =", ";\n"))
}

func TestZodReadsTheSamples(t *testing.T) {
	b := newBench(t)
	b.judge(workshop.Run(t, workshop.Node(t, "node"), "node", "zod.mjs", b.bundle, b.samples), map[string]string{
		"input/extra-members:4": "zod drops the member __proto__",
	})
}

func TestPydanticReadsTheSamplesIntoTheirTypes(t *testing.T) {
	b := newBench(t)
	dir := workshop.Python(t, "python")
	generate := func(bundle, out string) {
		workshop.Run(t, dir, "bin/datamodel-codegen", "--input", bundle, "--output", out, "--input-file-type", "jsonschema",
			"--output-model-type", "pydantic_v2.BaseModel", "--enum-field-as-literal", "all", "--use-title-as-name",
			"--target-python-version", "3.11", "--formatters", "builtin", "--disable-timestamp")
	}
	generate(b.bundle, "models.py")
	b.judge(workshop.Run(t, dir, "bin/python", "check.py", "models.py", b.samples), map[string]string{
		"hook/python-keys-ignored:6": "continue_ is how the models spell the member continue",
	})

	generate(b.excerpt, "excerpt.py")
	code := read(t, filepath.Join(dir, "excerpt.py"))
	checkPage(t, "python", cut(t, code, "class CanUseToolRequest(", "\n\n\n"), cut(t, code, "class PermissionResult(", "\n\n\n"))
}

func TestRustReadsTheSamplesIntoTheirTypes(t *testing.T) {
	b := newBench(t)
	dir := workshop.Rust(t, "rust")
	t.Setenv("WIRE_TYPES", filepath.Join(dir, "types.rs"))
	workshop.Run(t, dir, "cargo", "build", "--quiet", "--locked", "--package", "generate")
	workshop.Run(t, dir, "target/debug/generate", b.bundle, "types.rs")
	workshop.Run(t, dir, "cargo", "build", "--quiet", "--locked", "--package", "check")
	b.judge(workshop.Run(t, dir, "target/debug/check", b.samples), map[string]string{
		"input/lone-surrogate:4": "serde_json reads Unicode only",
	})

	workshop.Run(t, dir, "target/debug/generate", b.excerpt, "excerpt.rs")
	code := read(t, filepath.Join(dir, "excerpt.rs"))
	code = attributes.ReplaceAllString(code, "")
	code = paths.ReplaceAllString(code, "")
	checkPage(t, "rust", cut(t, code, "pub struct CanUseToolRequest {", "\n}\n"), cut(t, code, "pub enum PermissionResult {", "\n}\n"))
}

// What the page leaves out of the code in Rust.
var (
	attributes = regexp.MustCompile(`(?m)^ *#\[serde.*\n`)
	paths      = regexp.MustCompile(`::std::(option|string|vec)::`)
)

// judge fails the test for each problem in a report, but for the samples that a language is known
// to fail on, with the reason. One that does not fail any more is a problem, too.
func (b *bench) judge(report []byte, known map[string]string) {
	b.t.Helper()
	failed := map[string]bool{}
	count := 0
	for _, line := range bytes.Split(bytes.TrimSpace(report), []byte("\n")) {
		var r struct {
			At, Problem string
			Read        int
		}
		if err := json.Unmarshal(line, &r); err != nil {
			b.t.Errorf("not a report: %s", line)
		}
		count += r.Read
		failed[r.At] = failed[r.At] || r.Problem != ""
		if r.Problem != "" && known[r.At] == "" {
			b.t.Errorf("%s: %s", r.At, r.Problem)
		}
	}
	for at := range known {
		if !failed[at] {
			b.t.Errorf("%s is read, and is listed as one that is not", at)
		}
	}
	if count < minimum {
		b.t.Errorf("%d samples were read, want %d or more", count, minimum)
	}
	b.t.Logf("%d samples read", count)
}

// bundles returns the bundle, and one of can_use_tool alone without descriptions, for the page.
func bundles(t testing.TB) (whole, excerpt []byte) {
	t.Helper()
	whole, err := schema.Default().CodegenBundle(schema.CodegenOptions{Name: naming.New().Definition})
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(whole, &doc); err != nil {
		t.Fatal(err)
	}
	all, kept := doc["definitions"].(map[string]any), map[string]any{}
	var keep func(v any)
	keep = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, element := range v {
				keep(element)
			}
		case map[string]any:
			if _, ok := v["description"].(string); ok {
				delete(v, "description")
			}
			if ref, ok := v["$ref"].(string); ok {
				name := strings.TrimPrefix(ref, "#/definitions/")
				if kept[name] == nil {
					kept[name] = all[name]
					keep(all[name])
				}
			}
			for _, member := range v {
				keep(member)
			}
		}
	}
	root := map[string]any{"$schema": doc["$schema"], "title": "Excerpt", "type": "object", "definitions": kept, "properties": map[string]any{
		"request":  map[string]any{"$ref": "#/definitions/CanUseToolRequest"},
		"response": map[string]any{"$ref": "#/definitions/PermissionResult"},
	}}
	keep(root["properties"])
	excerpt, err = json.MarshalIndent(root, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return whole, excerpt
}

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// cut returns the part of code from start to end, both included, without empty lines at its end.
func cut(t testing.TB, code, start, end string) string {
	t.Helper()
	_, after, ok := strings.Cut(code, start)
	body, _, found := strings.Cut(after+"\n\n\n", end)
	if !ok || !found {
		t.Fatalf("the generated code has no %q", start)
	}
	return strings.TrimRight(start+body+end, "\n") + "\n"
}
