package fence

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
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

func TestAProgramThatIsStillOpenForWritingStartsOnceItIsNot(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "program.sh")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("#!/bin/sh\necho here\n"); err != nil {
		t.Fatal(err)
	}
	closed := time.AfterFunc(20*time.Millisecond, func() { file.Close() })
	defer closed.Stop()
	free := New(Options{Dir: dir, Open: true})
	defer free.Close()
	out, code, err := free.Output(t.Context(), Command{Name: name, Dir: dir})
	if err != nil || code != 0 || string(out) != "here\n" {
		t.Errorf("%q, code %d, %v", out, code, err)
	}
}
