//go:build packages

package crate_test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
)

// block is a block of code on the page, and the comment above it that says what it is for.
var block = regexp.MustCompile("(?s)<!-- (file|run)(?:: ([^\n]*?))?(?:; prints: ([^\n]*?))? -->\n```[a-z]+\n(.*?)```\n")

func TestThePageOfTheInstalledCrateDoesWhatItSays(t *testing.T) {
	u := install(t)
	text, err := os.ReadFile("../../../docs/rust.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	blocks := block.FindAllStringSubmatch(page, -1)
	if all := strings.Count(page, "\n```") / 2; len(blocks) != all {
		t.Fatalf("%d of %d blocks say what they are for", len(blocks), all)
	}
	dir := filepath.Join(filepath.Dir(u.project), "page")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(filepath.Dir(u.project), "packed.crate"), filepath.Join(dir, "ccwire-"+packagestest.Version+".crate"))
	tools := program(t)
	for _, b := range blocks {
		kind, name, prints, code := b[1], b[2], b[3], b[4]
		if kind == "file" {
			name = filepath.Join(dir, "agent", filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(code), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		in := dir
		if _, err := os.Stat(filepath.Join(dir, "agent")); err == nil {
			in = filepath.Join(dir, "agent")
		}
		// The page has the usual target folder.
		cmd := u.command(in, "bash", "-e", "-c", strings.ReplaceAll(code, "target/", u.target+"/"))
		for i, env := range cmd.Env {
			if path, ok := strings.CutPrefix(env, "PATH="); ok {
				cmd.Env[i] = "PATH=" + tools + string(os.PathListSeparator) + path
			}
		}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), prints) {
			t.Fatalf("%s%v, want %q\n%s", code, err, prints, out)
		}
	}
}

// program returns a folder with the command, as the package for npm has it.
func program(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range packagestest.Pack(t, "npm") {
		if !strings.Contains(filepath.Base(name), "-"+runtime.GOOS+"-") {
			continue
		}
		packed, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer packed.Close()
		if err := untar(dir, packed); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, "package", "bin", "protogen"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "package", "bin", "protogen"), filepath.Join(dir, "ccwire")); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
