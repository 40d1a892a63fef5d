package repotest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docTest finds a test in a document: a comment that says how it is run and, after a semicolon,
// what it says if it must fail; then the whole file.
var docTest = regexp.MustCompile("(?m)^<!-- run: (go test[^;\n]*?)(?:; fails: ([^\n]*?))? -->\n+```go\n((?s:.*?))^```$")

// TestTheTestsInTheDocumentsRunAsTheyAre runs each of them in a module of its own that has this one
// by a replace.
func TestTheTestsInTheDocumentsRunAsTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds test programs and fuzzes; make test-all runs it")
	}
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range docTest.FindAllStringSubmatch(string(text), -1) {
			found++
			t.Run(fmt.Sprintf("%s/%d", filepath.Base(file), i+1), func(t *testing.T) { runDocTest(t, nil, m[1], m[2], m[3]) })
		}
	}
	if found < 8 {
		t.Errorf("only %d tests found", found)
	}
}

// runDocTest runs a test with an environment, nil for that of this process.
func runDocTest(t *testing.T, env []string, command, fails, text string) (output string) {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"doc_test.go": text,
		"go.sum":      string(sums),
		"go.mod": "module example.com/doc\n\ngo 1.26\n\nrequire " + strings.TrimSuffix(module, "/") + " v0.0.0\n\n" +
			"replace " + strings.TrimSuffix(module, "/") + " => " + root + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := strings.Fields(command)
	cmd := exec.CommandContext(t.Context(), args[0], append([]string{args[1], "-mod=mod"}, args[2:]...)...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	switch {
	case fails == "" && err != nil:
		t.Errorf("%s: %v\n%s", command, err, out)
	case fails == "" && (strings.Contains(string(out), "no tests to run") || !strings.Contains(string(out), "ok  \t")):
		t.Errorf("%s runs nothing:\n%s", command, out)
	case fails != "" && err == nil:
		t.Errorf("%s does not fail:\n%s", command, out)
	case fails != "" && !strings.Contains(string(out), fails):
		t.Errorf("%s does not say %q:\n%s", command, fails, out)
	}
	return string(out)
}
