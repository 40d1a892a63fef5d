package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fakeCLI makes an executable that is never run.
func fakeCLI(t *testing.T, dir, name string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindTakesOptionThenEnvironmentThenPath(t *testing.T) {
	dir := t.TempDir()
	onPath := fakeCLI(t, dir, "claude")
	other := fakeCLI(t, dir, "other")
	missing := filepath.Join(dir, "missing")
	tests := []struct {
		name, explicit, env, path string
		want                      string // empty: not found
		says                      string
	}{
		{name: "option before the rest", explicit: other, env: missing, path: dir, want: other},
		{name: "option by name", explicit: "other", path: dir, want: other},
		{name: "environment before PATH", env: other, path: dir, want: other},
		{name: "PATH", path: dir, want: onPath},
		{name: "a wrong option is not replaced", explicit: missing, env: other, path: dir, says: missing},
		{name: "a wrong variable is not replaced", env: missing, path: dir, says: "from CLAUDE_CLI"},
		{name: "nothing", path: t.TempDir(), says: `tried "claude" (on PATH, CLAUDE_CLI is not set)`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(EnvVar, test.env)
			t.Setenv("PATH", test.path)
			got, err := Find(test.explicit)
			if got != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
			if test.want != "" {
				return
			}
			if !errors.Is(err, ErrNotFound) {
				t.Fatalf("error = %v, want ErrNotFound", err)
			}
			for _, part := range []string{test.says, "npm install -g @anthropic-ai/claude-code"} {
				if !strings.Contains(filepath.ToSlash(err.Error()), filepath.ToSlash(part)) {
					t.Errorf("error = %q, want it to say %q", err, part)
				}
			}
		})
	}
}

func TestFindMakesThePathAbsolute(t *testing.T) {
	dir := t.TempDir()
	fakeCLI(t, dir, "claude")
	t.Chdir(dir)
	got, err := Find("." + string(filepath.Separator) + "claude")
	if err != nil || !filepath.IsAbs(got) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestFindRefusesWhatIsNotExecutable(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // has no execute bit
	}
	path := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Find(path)
	var spawn *SpawnError
	if !errors.As(err, &spawn) || !errors.Is(err, fs.ErrPermission) || errors.Is(err, ErrNotFound) {
		t.Errorf("error = %v, want a SpawnError about the permission", err)
	}
}
