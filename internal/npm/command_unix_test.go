//go:build unix

package npm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestAnInstallationThatIsStoppedLeavesNothing(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "pid")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PIDS", fifo)
	fakeNPM(t, `sleep 1000 & echo $! > "$PIDS"; wait`)
	ctx, cancel := context.WithCancel(t.Context())
	cache := &Cache{Dir: filepath.Join(t.TempDir(), "cli")}
	failed := make(chan error)
	go func() {
		_, err := cache.Path(ctx, "1.0.128")
		failed <- err
	}()
	text, err := os.ReadFile(fifo) // waits for the script
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(cache.Dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	for deadline := time.Now().Add(10 * time.Second); running(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is left", pid)
		}
	}
}

// running reports whether a process is there and not only waited for by nobody.
func running(pid int) bool {
	if err := syscall.Kill(pid, 0); err != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
