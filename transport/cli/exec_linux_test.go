package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A process that runs one program after another has no environment for a moment each time.
func TestDescendantIsNotTakenForAStrangerWhileItRunsAnotherProgram(t *testing.T) {
	again := filepath.Join(t.TempDir(), "again")
	if err := os.WriteFile(again, []byte("#!/bin/sh\nexec \"$0\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := start(t, Options{Path: again})
	defer p.Kill()
	pid := p.family.leader
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		entry, ok := readProcess(pid)
		if !ok {
			t.Fatal("it has ended")
		}
		delete(p.family.known, pid)
		if ours, known := p.family.owns(pid, entry); known && !ours {
			t.Fatal("it is taken for a stranger")
		}
	}
}
