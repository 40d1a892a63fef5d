package npm

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheScriptOfOldPackagesIsFoundAndMadeExecutable(t *testing.T) {
	old := &Cache{Dir: t.TempDir()}
	want := write(t, filepath.Join(old.Dir, "1.0.128", "node_modules", "@anthropic-ai", "claude-code", "cli.js"))
	if got, err := old.Path(t.Context(), "1.0.128"); err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	if info, err := os.Stat(want); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("the script is not executable: %v, %v", info, err)
	}
}

func TestTheBinaryOfThePlatformIsPreferred(t *testing.T) {
	for _, row := range []struct{ goos, goarch, file string }{
		{"linux", "amd64", "claude-code-linux-x64/claude"},
		{"linux", "arm64", "claude-code-linux-arm64-musl/claude"},
		{"darwin", "arm64", "claude-code-darwin-arm64/claude"},
		{"windows", "amd64", "claude-code-win32-x64/claude.exe"},
	} {
		dir := t.TempDir()
		packages := filepath.Join(dir, "node_modules", "@anthropic-ai")
		write(t, filepath.Join(packages, "claude-code", "cli.js"))
		want := write(t, filepath.Join(packages, filepath.FromSlash(row.file)))
		if got, err := executableFor(dir, row.goos, row.goarch); err != nil || got != want {
			t.Errorf("%s/%s: got %s, %v", row.goos, row.goarch, got, err)
		}
	}
}

// fakeNPM puts a program called npm first on PATH.
func fakeNPM(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "npm"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

func TestAVersionIsInstalledOnce(t *testing.T) {
	fakeNPM(t, `echo "$@" >> "$LOG"; mkdir -p node_modules/@anthropic-ai/claude-code; echo x > node_modules/@anthropic-ai/claude-code/cli.js`)
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("LOG", log)
	cache := &Cache{Dir: filepath.Join(t.TempDir(), "cli")}
	for range 2 {
		path, err := cache.Path(t.Context(), "1.0.128")
		if err != nil || !strings.HasPrefix(path, filepath.Join(cache.Dir, "1.0.128")) {
			t.Fatalf("got %s, %v", path, err)
		}
	}
	data, err := os.ReadFile(log)
	if err != nil || strings.Count(string(data), "\n") != 1 || !strings.Contains(string(data), "@anthropic-ai/claude-code@1.0.128") {
		t.Errorf("npm was called with %q, %v", data, err)
	}
	left, err := os.ReadDir(cache.Dir)
	if err != nil || len(left) != 1 {
		t.Errorf("the cache has %v, %v", left, err)
	}
}

func TestAFailedInstallationLeavesNothing(t *testing.T) {
	fakeNPM(t, `echo "no such version" >&2; exit 1`)
	cache := &Cache{Dir: filepath.Join(t.TempDir(), "cli")}
	if _, err := cache.Path(t.Context(), "9.9.9"); err == nil || !strings.Contains(err.Error(), "no such version") {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(cache.Dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestResolve(t *testing.T) {
	fakeNPM(t, `[ "$2" = @anthropic-ai/claude-code@latest ] && echo 2.1.400`)
	for name, want := range map[string]string{"2.1.325": "2.1.325", "latest": "2.1.400"} {
		if got, err := Resolve(t.Context(), name); err != nil || got != want {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
	for _, bad := range []string{"", "../x", "1.0", "-g", "next"} {
		if got, err := Resolve(t.Context(), bad); err == nil {
			t.Errorf("%q is %s", bad, got)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Resolve(context.Background(), "latest"); err == nil || !strings.Contains(err.Error(), "npm is not installed") {
		t.Errorf("got %v", err)
	}
}
