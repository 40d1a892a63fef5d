//go:build live

package repotest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/npm"
)

// TestLiveTheTestOfTheFakeAPIRunsWithTheRealCLI runs the test in docs/fakeapi.md, which is skipped
// where there is no claude in PATH.
func TestLiveTheTestOfTheFakeAPIRunsWithTheRealCLI(t *testing.T) {
	cli, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(cli, filepath.Join(bin, "claude")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("docs/fakeapi.md")
	if err != nil {
		t.Fatal(err)
	}
	m := docTest.FindStringSubmatch(string(text))
	if m == nil {
		t.Fatal("docs/fakeapi.md has no test")
	}
	env := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out := runDocTest(t, env, m[1]+" -v", m[2], m[3]); !strings.Contains(out, "--- PASS: TestTheRealCLIGreets") {
		t.Errorf("it does not pass:\n%s", out)
	}
}
