package transport

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each acceptance criterion in docs/transport.md names tests, and each of them exists here.
func TestAcceptanceCriteriaHaveTheirTests(t *testing.T) {
	doc, err := os.ReadFile("../docs/transport.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(doc), "## Acceptance\n")
	if !ok {
		t.Fatal("there is no table of the criteria")
	}
	exists := testNames(t, token.NewFileSet())
	row := regexp.MustCompile(`(?m)^\| ([0-9]+)\. .*$`)
	name := regexp.MustCompile("`(Test[A-Z]\\w*)`")
	rows := row.FindAllStringSubmatch(table, -1)
	if len(rows) != 11 {
		t.Errorf("%d criteria, want 11", len(rows))
	}
	for i, r := range rows {
		if r[1] != fmt.Sprint(i+1) {
			t.Errorf("criterion %s is at place %d", r[1], i+1)
		}
		names := name.FindAllStringSubmatch(r[0], -1)
		if len(names) == 0 {
			t.Errorf("criterion %s has no test", r[1])
		}
		for _, n := range names {
			if !exists[n[1]] {
				t.Errorf("criterion %s: %s does not exist", r[1], n[1])
			}
		}
	}
}

// testNames returns the tests of this folder, whatever their build tags are.
func testNames(t testing.TB, files *token.FileSet) map[string]bool {
	paths, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, path := range paths {
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}
