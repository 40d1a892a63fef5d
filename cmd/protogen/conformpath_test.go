package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConformHoldsWhereverTheTemporaryFolderIs plays scenarios whose texts hold paths.
func TestConformHoldsWhereverTheTemporaryFolderIs(t *testing.T) {
	folder := filepath.Join(t.TempDir(), strings.Repeat("x", 60))
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{folder, link} {
		t.Setenv("TMPDIR", dir)
		var out, errs bytes.Buffer
		args := []string{"conform", "--run", "*/*compact", "--run", "task/output", "--run", "permission/plan-approved"}
		if code := run(args, strings.NewReader(""), &out, &errs); code != 0 {
			t.Errorf("in %s: exit code %d:\n%s%s", dir, code, &out, &errs)
		}
		if !strings.Contains(out.String(), "auto-compact") {
			t.Errorf("it played %s", &out)
		}
	}
}
