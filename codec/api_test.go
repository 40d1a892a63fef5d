package codec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// standard are methods that every Go programmer knows.
var standard = map[string]bool{"String": true, "Error": true, "Is": true, "Unwrap": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true}

// TestThePackageIsSmall counts the exported declarations: types, functions, groups of constants and
// variables, and methods that are not those of well-known interfaces.
func TestThePackageIsSmall(t *testing.T) {
	const most = 40
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || !standard[d.Name.Name]) {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() {
							names = append(names, s.Name.Name)
						}
					case *ast.ValueSpec:
						if s.Names[0].IsExported() && s == d.Specs[0] {
							names = append(names, s.Names[0].Name+"…")
						}
					}
				}
			}
		}
	}
	if len(names) > most || len(names) < 20 {
		t.Errorf("%d declarations, want at most %d: %s", len(names), most, strings.Join(names, " "))
	}
}

// TestTheDocumentationFitsOnTwoScreens takes a screen for 40 lines.
func TestTheDocumentationFitsOnTwoScreens(t *testing.T) {
	out, err := exec.Command("go", "doc", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(out), "\n"); n > 80 || n < 40 {
		t.Errorf("go doc prints %d lines", n)
	}
}
