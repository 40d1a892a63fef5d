package watch

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAWatchedFileIsToldWhenItIsWrittenAndSteady(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	w := &Watcher{files: map[string]*watchedFile{path: {}}}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	look := func(want string) {
		t.Helper()
		got := ""
		for _, c := range w.look() {
			got += c.Event
		}
		if got != want {
			t.Errorf("the look finds %q, want %q", got, want)
		}
	}
	look("")
	write("one")
	look("")
	write("one two")
	look("") // it is still being written
	look("add")
	look("")
	write("one two three")
	look("")
	look("change")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	look("")
	look("unlink")
	look("")
}
