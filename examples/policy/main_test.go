package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
)

func TestPolicyAllowsReadsAndWritesBelowTheFolder(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink(os.TempDir(), filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(os.TempDir(), "no", "such"), filepath.Join(folder, "dangling")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		tool, input string
		allowed     bool
	}{
		{"Read", `{"file_path":"/etc/hosts"}`, true},
		{"Write", `{"file_path":"a.txt","content":""}`, true},
		{"Write", `{"file_path":"new/folder/a.txt","content":""}`, true},
		{"Edit", `{"old_string":"a","new_string":"b","file_path":"` + filepath.Join(folder, "a.txt") + `"}`, true},
		{"Write", `{"file_path":"../a.txt","content":""}`, false},
		{"Write", `{"content":"","file_path":"` + folder + `-other/a.txt"}`, false},
		{"Write", `{"file_path":"/etc/hosts","content":""}`, false},
		{"Write", `{"file_path":"link/a.txt","content":""}`, false},
		{"Write", `{"file_path":"dangling","content":""}`, false},
		{"Write", `{}`, false},
		{"Bash", `{"command":"ls"}`, false},
	}
	for _, test := range tests {
		r := &wire.CanUseToolRequest{ToolName: test.tool, Input: wire.Raw(test.input)}
		result, err := writesBelow(folder)(t.Context(), r)
		if _, allowed := result.(*wire.PermissionAllow); err != nil || allowed != test.allowed {
			t.Errorf("%s %s: %T, %v", test.tool, test.input, result, err)
		}
	}
}
