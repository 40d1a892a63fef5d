package peertest

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// CheckLeaks fails the test if, after its other clean-ups, there are goroutines, or on Linux pipes
// or process descriptors, that were not there before. Until then there is no garbage collection,
// which would close a forgotten file.
func CheckLeaks(t testing.TB) {
	t.Helper()
	collect := debug.SetGCPercent(-1)
	goroutinesBefore, filesBefore := goroutines(), openFiles()
	t.Cleanup(func() {
		if left := newKeys(filesBefore, openFiles()); len(left) > 0 {
			t.Errorf("left behind: %d files\n%s", len(left), strings.Join(left, "\n"))
		}
		debug.SetGCPercent(collect)
		for deadline := time.Now().Add(Patience); ; time.Sleep(time.Millisecond) {
			left := newKeys(goroutinesBefore, goroutines())
			if len(left) == 0 {
				return
			}
			if time.Now().After(deadline) {
				t.Errorf("left behind: %d goroutines\n%s", len(left), strings.Join(left, "\n\n"))
				return
			}
		}
	})
}

// goroutines returns the stack of each goroutine by its number, but for that with which the runtime
// takes events where JavaScript runs it.
func goroutines() map[string]string {
	buf := make([]byte, 1<<20)
	stacks := map[string]string{}
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(stack, "\nruntime.handleEvent(") {
			continue
		}
		number, _, _ := strings.Cut(stack, " [")
		stacks[number] = stack
	}
	return stacks
}

// openFiles returns the pipes and process descriptors of this process, where the system shows them.
func openFiles() map[string]string {
	const dir = "/proc/self/fd"
	files := map[string]string{}
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		target, err := os.Readlink(filepath.Join(dir, entry.Name()))
		if err == nil && (strings.HasPrefix(target, "pipe:") || strings.Contains(target, "pidfd")) {
			files[entry.Name()+" -> "+target] = entry.Name() + " -> " + target
		}
	}
	return files
}

func newKeys(before, after map[string]string) []string {
	var added []string
	for key, value := range after {
		if _, ok := before[key]; !ok {
			added = append(added, value)
		}
	}
	return added
}
