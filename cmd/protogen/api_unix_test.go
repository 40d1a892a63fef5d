//go:build unix

package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPIPassesSignalsOnAndCleansUp(t *testing.T) {
	script, tmp := filepath.Join(t.TempDir(), "script.json"), t.TempDir()
	if err := os.WriteFile(script, []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const command = `trap 'echo got it; exit 9' TERM; echo ready; while :; do sleep 0.02; done`
	cmd := exec.Command("protogen", "api", "--script", script, "--", "sh", "-c", command)
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for _, want := range []string{"ready", "got it"} {
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("the command says %q, want %q", lines.Text(), want)
		}
		if want == "ready" {
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 9 {
		t.Errorf("it ended with %v, want exit code 9", err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
