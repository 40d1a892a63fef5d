//go:build live

package sim_test

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
)

// TestLiveFormatsAreThoseOfTheRealCLI plays the runs of the simulated CLI with the real one.
func TestLiveFormatsAreThoseOfTheRealCLI(t *testing.T) {
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			s, err := fakeapi.ParseScript([]byte(formatScript))
			if err != nil {
				t.Fatal(err)
			}
			api, err := fakeapi.Start(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			defer api.Close()
			scratch, err := sandbox.NewScratch(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer scratch.Remove()
			var stdout, stderr bytes.Buffer
			cmd := exec.CommandContext(t.Context(), path, strings.Fields(f.args)...)
			cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = scratch.Cwd, scratch.Env(api.URL(), nil), &stdout, &stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(in, f.in) // the CLI may end before it reads it
			if !f.open {
				_ = in.Close() // the same
			}
			_ = cmd.Wait() // the code is looked at
			if got, code := shape(stdout.Bytes()), cmd.ProcessState.ExitCode(); got != f.want || code != f.code {
				t.Errorf("%s\nexit code %d, want %d; got %s\nwant %s", f.args, code, f.code, got, f.want)
			}
			if !strings.Contains(stderr.String(), f.err) {
				t.Errorf("%s: stderr is %q, want %q", f.args, stderr.String(), f.err)
			}
		})
	}
}
