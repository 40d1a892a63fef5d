//go:build unix

package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestDeathByASignalIsReported(t *testing.T) {
	p := start(t, childOptions(t, "stubborn"))
	peertest.ReadLine(t, p.Stdout())
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	err := p.Wait()
	exit := p.Exit()
	if exit.Code != -1 || exit.Signal != "killed" || exit.Success() {
		t.Errorf("exit = %+v", exit)
	}
	if err == nil || !strings.Contains(err.Error(), "ended by a signal: killed") {
		t.Errorf("Wait = %v", err)
	}
}

func TestBrokenPipeIsEPIPE(t *testing.T) {
	p := start(t, childOptions(t, "close-stdin"))
	peertest.ReadLine(t, p.Stdout())
	if _, err := io.WriteString(p.Stdin(), "x"); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("error = %v, want EPIPE", err)
	}
}

func TestExitedProcessIsReaped(t *testing.T) {
	p := start(t, childOptions(t, "fail"))
	waitDone(t, p)
	if err := syscall.Kill(p.PID(), 0); err != syscall.ESRCH {
		t.Errorf("process %d: %v, want that it does not exist", p.PID(), err)
	}
}

func TestProcessHasAGroupOfItsOwn(t *testing.T) {
	p := start(t, childOptions(t, "stubborn"))
	if group, err := syscall.Getpgid(p.PID()); err != nil || group != p.PID() {
		t.Errorf("group = %d, %v, want %d", group, err, p.PID())
	}
}

func TestOutputOfADescendantIsReadForTheDrainTime(t *testing.T) {
	opts := childOptions(t, "parent", "latecomer", "apart", "stdout")
	opts.DrainTime = forever
	p, child := startParent(t, opts)
	io.WriteString(p.Stdin(), "\n")
	if got := peertest.ReadLine(t, p.Stdout()); got != "bye" {
		t.Errorf("stdout = %q", got)
	}
	for syscall.Kill(p.PID(), 0) != syscall.ESRCH { // until it is gone, though not done
		time.Sleep(time.Millisecond)
	}
	io.WriteString(child, "now")
	if got := peertest.ReadAll(t, p.Stdout()); got != "late\n" {
		t.Errorf("stdout = %q", got)
	}
	waitDone(t, p)
}

func TestSpawnErrorsOfFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	self := childOptions(t, "echo").Path
	checkSpawnErrors(t, []spawnError{
		{name: "not executable", opts: Options{Path: file("plain", "text", 0o644)}, is: fs.ErrPermission, says: "permission denied"},
		{name: "no interpreter", opts: Options{Path: file("script", "#!"+dir+"/missing\n", 0o755)}, is: fs.ErrNotExist, says: "interpreter"},
		{name: "no program", opts: Options{Path: file("garbage", "\x00\x01\x02\x03", 0o755)}, says: "format"},
		{name: "file as directory", opts: Options{Path: self, Dir: self}, is: syscall.ENOTDIR, says: "working directory " + self},
	})
}
