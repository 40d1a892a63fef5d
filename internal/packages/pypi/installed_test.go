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
	const most = 0.3 // seconds of processor time, so that other processes do not count
	for _, module := range []string{"ccwire", "ccwire.types", "ccwire.testing"} {
		code := "import time; start = time.process_time(); import " + module + "; print(time.process_time() - start)"
		took, err := strconv.ParseFloat(strings.TrimSpace(python(t, t.TempDir(), "-c", code)), 64)
		if err != nil {
			t.Fatal(err)
		}
		if took > most {
			t.Errorf("importing %s takes %.2f s, more than %.1f s", module, took, most)
		}
		t.Logf("%s: %.3f s", module, took)
	}
}
