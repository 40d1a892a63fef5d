package tools_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ccwire/ccwire/internal/sim/tools"
)

func TestContentsAreThoseOfRegularFilesInside(t *testing.T) {
	p := newPlace(t)
	if err := os.WriteFile(filepath.Join(p.dir, "plain.txt"), []byte("plain"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(p.dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	set := newSet(t, tools.Options{Dir: p.dir})
	if text, err := set.Contents("plain.txt"); err != nil || string(text) != "plain" {
		t.Errorf("plain.txt: %q, %v", text, err)
	}
	for _, path := range []string{"file", "folder/secret.txt", "chain/secret.txt", "../outside/secret.txt", "pipe", "sub", "missing"} {
		if text, err := set.Contents(path); err == nil {
			t.Errorf("%s has been read: %q", path, text)
		}
	}
}
