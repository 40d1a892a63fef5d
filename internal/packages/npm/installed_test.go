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

// mostBytes is how large a packed package may be.
const mostBytes = 15_000_000

func TestPackedAndInstalledPackagesAreSmall(t *testing.T) {
	for _, name := range packagestest.Pack(t, "npm") {
		if info, err := os.Stat(name); err != nil || info.Size() > mostBytes {
			t.Errorf("%s has more than %d bytes, or %v", filepath.Base(name), mostBytes, err)
		}
	}
}

func TestTheInstalledPackageRunsTheCommand(t *testing.T) {
	dir := t.TempDir() // an empty project
	write(t, dir, "package.json", []byte(`{"private": true, "type": "module"}`))
	add(t, dir)
	out, err := packagestest.Command(t, dir, "npx", "ccwire", "version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var version map[string]string
	if err := json.Unmarshal(out, &version); err != nil || version["newest_cli"] == "" {
		t.Errorf("%s, %v", out, err)
	}
	bad := packagestest.Command(t, dir, "npx", "ccwire", "no-such-verb")
	text, err := bad.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 || !strings.Contains(string(text), "no-such-verb") {
		t.Errorf("a wrong verb: %v\n%s", err, text)
	}
}

func TestInstalledPackageIsLoadedByRequireToo(t *testing.T) {
	out := run(t, project(t), "node", "--no-warnings", "-e", `console.log(require("ccwire").readFromCLI("{}").error.message)`, "--input-type=commonjs")
	if got := string(out); got != "/type: is missing\n" {
		t.Errorf("it prints %q", got)
	}
}
