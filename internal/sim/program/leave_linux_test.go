package program_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/sim/install"
)

// held makes this program one that starts the CLI at a path, and waits: a test that can be killed.
const held = "CCWIRE_TEST_HELD"

func init() {
	path := os.Getenv(held)
	if path == "" {
		return
	}
	cmd := exec.Command(path, streaming...)
	cmd.Env = append(os.Environ(), held+"=")
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Fprintln(in, `{"type":"control_request","request_id":"i","request":{"subtype":"initialize"}}`)
	lines := bufio.NewScanner(out)
	lines.Scan() // it has begun
	fmt.Fprintln(in, `{"type":"user","message":{"role":"user","content":"go"}}`)
	fmt.Println(cmd.Process.Pid)
	for lines.Scan() { // until this program is killed
	}
	time.Sleep(time.Hour)
}

var streaming = []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json", "--permission-mode", "bypassPermissions"}

func TestASimulatedCLIEndsWithATestThatIsKilled(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		faults []string
	}{
		"waits for input":      {`{}`, nil},
		"waits in an answer":   {`{"turns": [{"text": "late", "pace": {"before": "10m"}}]}`, nil},
		"waits for a command":  {`{"turns": [{"content": [{"type": "tool_use", "name": "Bash", "input": {"command": "sleep 600"}}]}], "tools_anywhere": true}`, nil},
		"hangs":                {`{}`, []string{"hang@result"}},
		"does not read":        {`{}`, []string{"deaf@user"}},
		"stays without an SDK": {`{}`, []string{"stay@line"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, work, tmp := t.TempDir(), t.TempDir(), t.TempDir()
			path, err := install.Write(dir, install.Config{Script: script(t, c.script), Faults: c.faults})
			if err != nil {
				t.Fatal(err)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(self)
			cmd.Dir, cmd.Env = work, append(os.Environ(), held+"="+path, "HOME="+work, "TMPDIR="+tmp, "CLAUDE_CONFIG_DIR=", "IS_SANDBOX=1")
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			var pid int
			if _, err := fmt.Fscan(out, &pid); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
			for end := time.Now().Add(20 * time.Second); syscall.Kill(pid, 0) == nil && !zombie(pid); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("process %d lives", pid)
				}
			}
			if list := files(t, work, tmp, filepath.Join(dir, "claude.sim", "tmp")); len(list) > 0 {
				t.Errorf("it has left %q", list)
			}
		})
	}
}

// zombie reports whether a process has ended, and nobody has asked how.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}

// files returns the files and folders below some folders.
func files(t *testing.T, dirs ...string) (list []string) {
	t.Helper()
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if path != dir && err == nil {
				list = append(list, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// A CLI that is killed itself has no time to remove anything: what is left is beside it, and not in
// the cache or the temporary folder.
func TestAKilledSimulatedCLILeavesNothingOutsideItsFolder(t *testing.T) {
	dir, work, tmp := t.TempDir(), t.TempDir(), t.TempDir()
	path, err := install.Write(dir, install.Config{Script: script(t,
		`{"turns": [{"content": [{"type": "tool_use", "name": "Bash", "input": {"command": "echo > begun; while [ -e begun ]; do sleep 0.1; done"}}]}], "tools_anywhere": true}`)})
	if err != nil {
		t.Fatal(err)
	}
	run := func(text string) *exec.Cmd {
		cmd := exec.Command(path, append([]string{"-p", text}, streaming[:3]...)...)
		cmd.Args = append(cmd.Args, "--permission-mode", "bypassPermissions")
		cmd.Dir, cmd.Env = work, append(os.Environ(), "HOME="+work, "TMPDIR="+tmp, "CLAUDE_CONFIG_DIR=", "XDG_CACHE_HOME=", "IS_SANDBOX=1")
		return cmd
	}
	cmd := run("go")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begun := filepath.Join(work, "begun")
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(begun); err == nil {
			break
		} else if time.Now().After(end) {
			t.Fatal("the command has not begun")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if err := os.Remove(begun); err != nil {
		t.Fatal(err)
	}
	if list := files(t, work, tmp); len(list) > 0 {
		t.Errorf("it has left %q", list)
	}
	left := files(t, filepath.Join(dir, "claude.sim", "tmp"))
	if len(left) == 0 {
		t.Fatal("the command had no folder")
	}
	again := run("again")
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Process.Kill(); again.Wait() })
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(left[0]); errors.Is(err, fs.ErrNotExist) {
			return
		} else if time.Now().After(end) {
			t.Fatalf("the next one has not removed %s", left[0])
		}
	}
}
