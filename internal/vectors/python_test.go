package vectors

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program returns the Python program of the document.
func program(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(documentation)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```python\n")
	code, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatal("there is no program")
	}
	return code
}

// python runs the program on a file of vectors.
func python(t testing.TB, code string, list []Vector) (string, error) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"vectors.py": []byte(code), "vectors.ndjson": output(t, list)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "python3", "vectors.py", "vectors.ndjson")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestPythonOfTheDocumentPasses(t *testing.T) {
	list := all(t)
	ran := 0
	for _, v := range list {
		if v.Value == nil {
			ran++
		}
	}
	out, err := python(t, program(t), list)
	if want := fmt.Sprintf("%d vectors passed\n", ran); err != nil || out != want {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
}

func TestPythonOfTheDocumentFindsAParserThatIsWrong(t *testing.T) {
	code := program(t)
	for name, change := range map[string][2]string{
		"ends lines at CR":        {`split(b"\n")`, `splitlines()`},
		"takes duplicate members": {", object_pairs_hook=unique", ""},
	} {
		wrong := strings.Replace(code, change[0], change[1], 1)
		if wrong == code {
			t.Fatalf("%s: the program has no %q", name, change[0])
		}
		if out, err := python(t, wrong, all(t)); err == nil || !strings.Contains(out, "AssertionError") {
			t.Errorf("%s: got %q, %v", name, out, err)
		}
	}
}
