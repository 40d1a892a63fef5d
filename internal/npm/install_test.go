package npm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestATagIsResolvedByNPM(t *testing.T) {
	fakeNPM(t, `[ "$*" = "view @anthropic-ai/claude-code dist-tags --json" ] && echo '{"latest":"2.1.400","odd":"x"}'`)
	for name, want := range map[string]string{"2.1.325": "2.1.325", "latest": "2.1.400"} {
		if got, err := Resolve(t.Context(), name); err != nil || got != want {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
	for _, bad := range []string{"", "../x", "1.0", "-g", "odd"} {
		if got, err := Resolve(t.Context(), bad); err == nil {
			t.Errorf("%q is %s", bad, got)
		}
	}
	var missing *NoVersionError
	if _, err := Resolve(t.Context(), "latst"); !errors.As(err, &missing) || !slices.Contains(missing.Known, "latest") {
		t.Errorf("got %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Resolve(context.Background(), "latest"); err == nil || !strings.Contains(err.Error(), "npm is not installed") {
		t.Errorf("got %v", err)
	}
}

func TestAVersionThatNPMDoesNotHaveIsToldWithThoseItHas(t *testing.T) {
	fakeNPM(t, `if [ "$1" = view ]; then echo '["2.1.324","2.1.325"]'; else echo "npm error code ETARGET" >&2; exit 1; fi`)
	cache := &Cache{Dir: filepath.Join(t.TempDir(), "cli")}
	_, err := cache.Path(t.Context(), "2.1.352")
	var missing *NoVersionError
	if !errors.As(err, &missing) || missing.Name != "2.1.352" || !slices.Equal(missing.Known, []string{"2.1.324", "2.1.325"}) {
		t.Errorf("got %#v", err)
	}
}

func TestInstalledVersionsAreListedWithTheirSizes(t *testing.T) {
	cache := &Cache{Dir: t.TempDir()}
	path := write(t, filepath.Join(cache.Dir, "1.0.128", "node_modules", "@anthropic-ai", "claude-code", "cli.js"))
	write(t, filepath.Join(cache.Dir, ".install-1", "x"))
	write(t, filepath.Join(cache.Dir, "2.0.0", "nothing"))
	want := []*Installed{{"1.0.128", path, 10}}
	if got, err := cache.List(); err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
	if _, err := cache.Find("2.0.0"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("got %v", err)
	}
	if list, err := (&Cache{Dir: filepath.Join(cache.Dir, "missing")}).List(); err != nil || len(list) > 0 {
		t.Errorf("got %v, %v", list, err)
	}
}
