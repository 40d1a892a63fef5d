package crate_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/crate"
	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/schema"
)

// pack makes the crate.
func pack(t *testing.T) packages.File {
	t.Helper()
	m, err := model.New(schema.Default())
	if err != nil {
		t.Fatal(err)
	}
	files, err := crate.Target{}.Packages(&packages.Source{
		Model:   m,
		Info:    packages.Info{Version: "0.1.0", SchemaRevision: m.Revision, NewestCLI: "2.1.328", Repository: packages.Repository},
		Licence: []byte("MIT\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Fatalf("%d files were made", len(files))
	}
	return files[0]
}

// contents returns the files of a crate by their paths.
func contents(t *testing.T, f packages.File) map[string]string {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(f.Data))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[h.Name] = string(text)
	}
}

func TestACrateHasWhatARegistryWants(t *testing.T) {
	f := pack(t)
	if f.Name != "ccwire-0.1.0.crate" {
		t.Errorf("it is called %s", f.Name)
	}
	files := contents(t, f)
	for _, name := range []string{"Cargo.toml", "README.md", "LICENSE", "provenance.json", "src/lib.rs", "src/types/message.rs"} {
		if files["ccwire-0.1.0/"+name] == "" {
			t.Errorf("it does not have %s", name)
		}
	}
	manifest := files["ccwire-0.1.0/Cargo.toml"]
	for _, line := range []string{`name = "ccwire"`, `version = "0.1.0"`, `license = "MIT"`, `rust-version = "` + crate.OldestRust + `"`} {
		if !strings.Contains(manifest, line+"\n") {
			t.Errorf("Cargo.toml does not say %s", line)
		}
	}
}

func TestTheSameSourceMakesTheSameBytes(t *testing.T) {
	if one, other := pack(t), pack(t); !bytes.Equal(one.Data, other.Data) {
		t.Errorf("%s differs", one.Name)
	}
}

// panics are what must not be in the code of a library that reads what others write.
var panics = regexp.MustCompile(`\.unwrap\(\)|\.expect\(|\bpanic!|\bunreachable!|\btodo!|\bunsafe\b|[\w)]\[[^\]]*\.\.`)

func TestNothingInACratePanics(t *testing.T) {
	for name, text := range contents(t, pack(t)) {
		for _, line := range strings.Split(text, "\n") {
			if strings.HasSuffix(name, ".rs") && !strings.HasPrefix(strings.TrimSpace(line), "//") && panics.MatchString(line) {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}

func TestTypesAreNamedAsRustNamesThem(t *testing.T) {
	types := ""
	for name, text := range contents(t, pack(t)) {
		if strings.Contains(name, "src/types/") {
			types += text
		}
	}
	for _, want := range []string{
		"pub struct McpServerRef {",                                   // MCPServerRef
		"    CanUseTool(CanUseToolRequest),\n",                        // an arm is called as its tag
		"    pub hook_specific_output: Option<HookSpecificOutput>,\n", // hookSpecificOutput
		"    pub r#async: Option<bool>,\n",
		"    /// Seen since 2.1.290.\n",
		"        AcceptEdits = \"acceptEdits\",\n",
	} {
		if !strings.Contains(types, want) {
			t.Errorf("there is no %q", want)
		}
	}
}
