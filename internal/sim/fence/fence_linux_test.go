package fence

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestWithoutLandlockACommandWithAFenceDoesNotStart(t *testing.T) {
	setLandlock(t, 0)
	dir := t.TempDir()
	made := Command{Name: "/bin/bash", Args: []string{"-c", "echo x > made"}, Dir: dir}
	fenced := New(Options{Dir: dir})
	defer fenced.Close()
	if _, _, err := fenced.Output(t.Context(), made); !errors.Is(err, ErrNone) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
		t.Error("it ran")
	}
	free := New(Options{Dir: dir, Open: true})
	defer free.Close()
	if _, code, err := free.Output(t.Context(), made); err != nil || code != 0 {
		t.Error(code, err)
	}
}
