//go:build unix

package transport

import (
	"os"
	"path/filepath"
	"testing"
)

// The unread messages on the disk are for nobody else.
func TestTheFileOfUnreadMessagesHasNoName(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	m := newMailbox(Limits{MessageBytes: 4096, DiskBytes: -1}, Spill)
	fill(m, 10_000)
	if m.rest.file == nil {
		t.Fatal("nothing was written to a file")
	}
	if names, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(names) != 0 {
		t.Errorf("found %q", names)
	}
	wantMarks(t, m, 0, 10_000)
}
