package transcript_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/sim/transcript"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

func TestSessionsOfTemporaryFoldersThatAreGoneAreRemoved(t *testing.T) {
	config, tmp := t.TempDir(), t.TempDir()
	there, gone, elsewhere := filepath.Join(tmp, "there"), filepath.Join(tmp, "gone"), "/elsewhere-that-is-gone"
	if err := os.Mkdir(there, 0o700); err != nil {
		t.Fatal(err)
	}
	file := func(dir string) string { return filepath.Join(config, "projects", workspace.Flat(dir), "1.jsonl") }
	for _, dir := range []string{there, gone, elsewhere} {
		if err := os.MkdirAll(filepath.Join(filepath.Dir(file(dir)), "1", "subagents"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(dir), []byte("{\"type\":\"queue-operation\"}\n{\"type\":\"user\",\"cwd\":\""+dir+"\"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	transcript.Sweep([]string{"CLAUDE_CONFIG_DIR=" + config, "TMPDIR=" + tmp})
	for dir, kept := range map[string]bool{there: true, gone: false, elsewhere: true} {
		if _, err := os.Stat(filepath.Dir(file(dir))); (err == nil) != kept {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
