//go:build packages

package pypi_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
	"github.com/ccwire/ccwire/internal/workshop"
)

func stderr(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}

func TestTheInstalledWheelRunsTheCommand(t *testing.T) {
	dir := install(t)
	for _, command := range [][]string{
		{filepath.Join(dir, "bin/ccwire")},
		{filepath.Join(dir, "bin/python"), "-m", "ccwire"},
		{filepath.Join(workshop.Python(t, "testdata/python"), "bin/uvx"), "--offline", "--from", environment.wheel, "ccwire"},
	} {
		var version map[string]string
		out := run(t, t.TempDir(), command[0], append(command[1:], "version", "--json")...)
		if err := json.Unmarshal([]byte(out), &version); err != nil || version["newest_cli"] == "" {
			t.Errorf("%q: %s, %v", command, out, err)
		}
		bad := packagestest.Command(t, dir, command[0], append(command[1:], "no-such-verb")...)
		text, err := bad.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(text), "no-such-verb") {
			t.Errorf("%q and a wrong verb: %v\n%s", command, err, text)
		}
	}
}

func TestTheInstalledWheelIsSmallEnough(t *testing.T) {
	install(t)
	const most = 15_000_000
	info, err := os.Stat(environment.wheel)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > most {
		t.Errorf("the wheel has %d bytes, more than %d", info.Size(), most)
	}
	t.Logf("%d bytes", info.Size())
}

func TestTheInstalledPackageIsImportedQuickly(t *testing.T) {
	const most = 0.3
	out := python(t, t.TempDir(), "-c", `
import subprocess, sys, time
def once(code):
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start
once("import ccwire.types")
print(min(once("import ccwire, ccwire.types") for _ in range(5)) - min(once("pass") for _ in range(5)))`)
	took, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
	if err != nil {
		t.Fatal(err)
	}
	if took > most {
		t.Errorf("importing takes %.2f s, more than %.1f s", took, most)
	}
	t.Logf("%.3f s", took)
}
