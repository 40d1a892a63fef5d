package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The race detector must see every package that starts goroutines.
func TestPackagesWithGoroutinesAreInTheRaceRun(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(`(?m)^RACE \?= (.*)$`).FindSubmatch(makefile)
	if match == nil {
		t.Fatal("the Makefile has no RACE")
	}
	patterns := strings.Fields(string(match[1]))
	covered := func(dir string) bool {
		for _, pattern := range patterns {
			tree, all := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
			if dir == tree || all && strings.HasPrefix(dir, tree+"/") {
				return true
			}
		}
		return false
	}
	found := 0
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "internal/bench" || d.Name() == "testdata" || len(name) > 1 && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case path.Ext(name) != ".go" || !startsGoroutines(t, name):
			return nil
		}
		found++
		if dir := filepath.ToSlash(filepath.Dir(name)); !covered(dir) {
			t.Errorf("%s starts goroutines, and the RACE of the Makefile does not name %s", name, dir)
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("looked at the sources: %v, %d files with goroutines", err, found)
	}
}

func startsGoroutines(t *testing.T, name string) (starts bool) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Go" {
				starts = true
			}
		}
		return true
	})
	return starts
}
