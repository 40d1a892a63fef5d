package transport

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each acceptance criterion in the package comment names tests, and each of them exists.
func TestAcceptanceCriteriaHaveTheirTests(t *testing.T) {
	files := token.NewFileSet()
	doc, err := parser.ParseFile(files, "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(doc.Doc.Text(), "# Acceptance\n")
	if !ok {
		t.Fatal("the package comment has no table")
	}
	exists := testNames(t, files)
	row := regexp.MustCompile(`(?m)^\t *([0-9]+)  .*$`)
	name := regexp.MustCompile(`Test[A-Z]\w*`)
	rows := row.FindAllStringSubmatch(table, -1)
	if len(rows) != 11 {
		t.Errorf("%d criteria, want 11", len(rows))
	}
	for i, r := range rows {
		if r[1] != fmt.Sprint(i+1) {
			t.Errorf("criterion %s is at place %d", r[1], i+1)
		}
		names := name.FindAllString(r[0], -1)
		if len(names) == 0 {
			t.Errorf("criterion %s has no test", r[1])
		}
		for _, n := range names {
			if !exists[n] {
				t.Errorf("criterion %s: there is no %s", r[1], n)
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
