package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testName  = regexp.MustCompile("`((?:Test|Fuzz|Benchmark|Example)[A-Z]\\w*)`")
	tableRule = regexp.MustCompile(`^[|\s:-]+$`)
)

// testFunctions returns the names of all tests of the module, whatever their build tags.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				names[f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestEveryTestThatADocumentNamesExists(t *testing.T) {
	names := testFunctions(t)
	docs, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range docs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testName.FindAllStringSubmatch(string(text), -1) {
			if !names[m[1]] {
				t.Errorf("%s names %s, which does not exist", path, m[1])
			}
		}
	}
}

func TestEveryGuaranteeOfTheTransportHasATest(t *testing.T) {
	text, err := os.ReadFile("docs/transport.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, body := 0, false
	for line := range strings.Lines(string(text)) {
		switch {
		case !strings.HasPrefix(line, "|"):
			body = false
		case tableRule.MatchString(line):
			body = true
		case body:
			rows++
			if !testName.MatchString(line) {
				t.Errorf("no test: %s", line)
			}
		}
	}
	if rows < 50 {
		t.Errorf("only %d guarantees found", rows)
	}
}

// TestTheArchitectureNamesWhatIsThere checks the paths in backquotes. A file without a folder may
// be in any.
func TestTheArchitectureNamesWhatIsThere(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	err = filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		files[filepath.Base(name)] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	placeholder := regexp.MustCompile("<[a-z]+>")
	seen := 0
	for _, m := range regexp.MustCompile("`([a-z][A-Za-z0-9_*./<>-]*)`").FindAllStringSubmatch(string(text), -1) {
		name := placeholder.ReplaceAllString(m[1], "*")
		first, _, inFolder := strings.Cut(name, "/")
		ok := files[name] || strings.Contains(name, "*")
		if inFolder {
			if !files[first] {
				continue // not a path
			}
			found, err := filepath.Glob(name)
			ok = err == nil && len(found) > 0
		} else if filepath.Ext(name) != ".go" {
			continue
		}
		seen++
		if !ok {
			t.Errorf("%s: there is nothing of that name", m[1])
		}
	}
	if seen < 30 {
		t.Errorf("only %d names", seen)
	}
}
