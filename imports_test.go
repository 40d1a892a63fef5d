package ccwire_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ccwire/ccwire/"

// floors are the layers from the ground up. A package may import packages of
// its own floor and of lower ones.
var floors = [][]string{
	{"schema", "codec", "transport/cli", "transport/internal/tail"},
	{"gen/"},
	{"transport"},
	{"conformance", "fuzz"},
	{"cmd/", "examples/"},
}

type goPackage struct {
	ImportPath   string
	Standard     bool
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// packages lists the module's packages.
func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []goPackage
	d := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

func floor(path string) int {
	name := strings.TrimPrefix(path, module)
	for i, prefixes := range floors {
		for _, p := range prefixes {
			if name == p || strings.HasPrefix(name, strings.TrimSuffix(p, "/")+"/") {
				return i
			}
		}
	}
	return -1 // internal packages and the root
}

func TestImportsPointDownOnly(t *testing.T) {
	seen := 0
	for _, p := range packages(t) {
		from := floor(p.ImportPath)
		if from < 0 {
			continue
		}
		seen++
		for _, path := range p.Imports {
			if strings.HasPrefix(path, module) && floor(path) > from {
				t.Errorf("%s imports %s, which is above it", p.ImportPath, path)
			}
		}
	}
	if seen < 4 {
		t.Errorf("only %d packages looked at", seen)
	}
}

// vendored are the packages that other modules copy.
var vendored = []string{"gen/wire", "gen/wire/internal/run", "codec", "internal/jsontext"}

func TestCodecAndWireImportTheStandardLibraryAlone(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if !slices.Contains(vendored, name) {
			continue
		}
		for _, path := range p.Imports {
			first, _, _ := strings.Cut(path, "/")
			if strings.Contains(first, ".") && !slices.Contains(vendored, strings.TrimPrefix(path, module)) {
				t.Errorf("%s imports %s", p.ImportPath, path)
			}
		}
	}
}

func TestTheGeneratorIsUsedByTheCommandAlone(t *testing.T) {
	generator := module + "internal/generator"
	for _, p := range packages(t) {
		if slices.Contains(p.Imports, generator) && !strings.HasPrefix(p.ImportPath, module+"cmd/protogen") {
			t.Errorf("%s imports the generator", p.ImportPath)
		}
	}
}

func TestTheCLIIsRunWithoutTheWire(t *testing.T) {
	own := []string{module + "transport/internal/tail"}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, path := range p.Imports {
			switch {
			case name == "transport/cli" && strings.HasPrefix(path, module) && !slices.Contains(own, path):
				t.Errorf("%s imports %s", name, path)
			case path == module+"transport" && (strings.HasPrefix(name, "conformance") || strings.HasPrefix(name, "cmd/")):
				t.Errorf("%s imports package transport; transport/cli runs the CLI", name)
			}
		}
	}
}
