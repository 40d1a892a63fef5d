//go:build live

package scoreboard

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
)

// testRun are the tests of an SDK against the simulated CLI: the runner of tests, and its files.
type testRun struct {
	run   []string
	files []string
	hooks string // the file that runs against the real CLI too
}

var testRuns = map[string]testRun{
	"typescript": {[]string{"node", "--test", "--test-timeout", "120000"}, []string{"greeting.test.mjs", "sim.test.mjs"}, "hooks.test.mjs"},
	"python":     {[]string{"bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider"}, []string{"test_greeting.py", "test_sim.py"}, "test_hooks.py"},
}

// hooksFolder is what the model says and the project in the tests of hooks.
func hooksFolder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("hooks")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLiveSDKsAgreeWithTheSimulatedCLI(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "protogen"), "github.com/ccwire/ccwire/cmd/protogen")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	path := bin + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, d := range drivers {
		t.Run(d.name, func(t *testing.T) {
			s := testRuns[d.name]
			command := slices.Concat(s.run, s.files, []string{s.hooks})
			d.test(t, "http://127.0.0.1:1", map[string]string{"PATH": path, "CCWIRE_HOOKS": hooksFolder(t)}, command)
		})
	}
}

// TestLiveSDKsHearTheHooksOfTheRealCLI shows that what the simulated CLI is asked for is what the
// real one does.
func TestLiveSDKsHearTheHooksOfTheRealCLI(t *testing.T) {
	cli, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder := hooksFolder(t)
	data, err := os.ReadFile(filepath.Join(folder, "script.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drivers {
		t.Run(d.name, func(t *testing.T) {
			script, err := fakeapi.ParseScript(data)
			if err != nil {
				t.Fatal(err)
			}
			api, err := fakeapi.Start(t.Context(), script)
			if err != nil {
				t.Fatal(err)
			}
			defer api.Close()
			s := testRuns[d.name]
			d.test(t, api.URL(), map[string]string{"CCWIRE_REAL_CLI": cli, "CCWIRE_HOOKS": folder}, append(slices.Clone(s.run), s.hooks))
		})
	}
}

// test runs tests of the SDK, with variables beside those of a sandbox whose API is at url.
func (d *driver) test(t *testing.T, url string, env map[string]string, command []string) {
	t.Helper()
	dir := d.installed(t)
	scratch, err := sandbox.NewScratch(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer scratch.Remove()
	env["CLAUDE_CODE_ENTRYPOINT"] = ""
	run(t, dir, scratch.Env(url, env), command...)
}
