//go:build live

package drivers

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/conformance/sandbox"
)

// suites are the tests of each SDK against the simulated CLI.
var suites = map[string][]string{
	"typescript": {"node", "--test", "--test-timeout", "60000", "greeting.test.mjs", "sim.test.mjs"},
	"python":     {"bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_greeting.py", "test_sim.py"},
}

func TestLiveSDKsAgreeWithTheSimulatedCLI(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "protogen"), "github.com/ccwire/ccwire/cmd/protogen")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, d := range drivers {
		t.Run(d.name, func(t *testing.T) {
			dir := d.installed(t)
			scratch, err := sandbox.NewScratch(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer scratch.Remove()
			path := bin + string(os.PathListSeparator) + os.Getenv("PATH")
			run(t, dir, scratch.Env("http://127.0.0.1:1", map[string]string{"CLAUDE_CODE_ENTRYPOINT": "", "PATH": path}), suites[d.name]...)
		})
	}
}
