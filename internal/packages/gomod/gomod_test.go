package gomod_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/gomod"
)

func TestGoTakesTheModuleFromTheFolderAsFromAProxy(t *testing.T) {
	files, err := gomod.Target{}.Packages(&packages.Source{Info: packages.Info{Version: "0.1.0"}, Checkout: "../../.."})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(dir, "user")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	const program = "package main\n\nimport _ \"github.com/ccwire/ccwire/codec\"\n\nfunc main() {}\n"
	if err := os.WriteFile(filepath.Join(home, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "GOPROXY=file://"+filepath.Join(dir, gomod.Folder)+",off", "GOSUMDB=off", "GONOSUMDB=", "GOPRIVATE=", "GONOPROXY=",
			"GOFLAGS=-modcacherw", "GOWORK=off", "GOMODCACHE="+filepath.Join(dir, "cache"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("mod", "init", "example.com/user")
	if out := run("list", "-m", "-versions", "github.com/ccwire/ccwire"); strings.TrimSpace(out) != "github.com/ccwire/ccwire v0.1.0" {
		t.Errorf("the versions are %s", out)
	}
	run("get", "github.com/ccwire/ccwire/codec@v0.1.0")
	run("build", "./...")
}

func TestThereIsNoModuleWithoutACheckout(t *testing.T) {
	if _, err := (gomod.Target{}).Packages(&packages.Source{}); !errors.Is(err, gomod.ErrNoCheckout) {
		t.Errorf("got %v", err)
	}
}
