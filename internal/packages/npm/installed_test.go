//go:build packages

package npm_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
)

// install installs the packed packages into an empty project, as a user does.
func install(t *testing.T) (project string) {
	t.Helper()
	files := packagestest.Pack(t, "npm")
	project = t.TempDir()
	if err := os.WriteFile(filepath.Join(project, "package.json"), []byte(`{"private": true, "type": "module"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := packagestest.Command(t, project, "npm", append([]string{"install", "--no-audit", "--no-fund"}, files...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return project
}

func TestTheInstalledPackageRunsTheCommand(t *testing.T) {
	project := install(t)
	out, err := packagestest.Command(t, project, "npx", "ccwire", "version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var version map[string]string
	if err := json.Unmarshal(out, &version); err != nil || version["newest_cli"] == "" {
		t.Errorf("%s, %v", out, err)
	}
	bad := packagestest.Command(t, project, "npx", "ccwire", "no-such-verb")
	text, err := bad.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 || !strings.Contains(string(text), "no-such-verb") {
		t.Errorf("a wrong verb: %v\n%s", err, text)
	}
}
