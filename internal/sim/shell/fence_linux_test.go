package shell

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestWithoutLandlockACommandWithAFenceDoesNotStart(t *testing.T) {
	has := landlock
	landlock = func() int { return 0 }
	t.Cleanup(func() { landlock = has })
	dir := t.TempDir()
	fenced := Command{Line: "echo x > made", Dir: dir, Fence: []string{dir}}
	if _, err := fenced.Run(t.Context()); !errors.Is(err, ErrNoFence) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
		t.Error("it ran")
	}
	free := Command{Line: "true", Dir: dir}
	if _, err := free.Run(t.Context()); err != nil {
		t.Error(err)
	}
}
