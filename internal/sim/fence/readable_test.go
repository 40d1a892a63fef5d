package fence_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/sim/fence"
)

func TestWhatIsTheSameForEverybodyIsPublic(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/etc/passwd", link); err != nil {
		t.Skip("no links: ", err)
	}
	for _, tt := range []struct {
		path string
		want bool
	}{
		{"/etc/hostname", true},
		{"/usr/bin/env", true},
		{"/etc/passwd", false},
		{"/etc/group", false},
		{"/etc/shadow", false},
		{"/etc", false},
		{"/", false},
		{"/proc/self/environ", false},
		{"/usr/../etc/shadow", false},
		{dir, false},
		{link, false},
		{filepath.Join(dir, "missing"), false},
	} {
		if _, err := os.Lstat(tt.path); tt.want && err != nil {
			continue // another system
		}
		if got := fence.Public(tt.path); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.path, got, tt.want)
		}
	}
}
