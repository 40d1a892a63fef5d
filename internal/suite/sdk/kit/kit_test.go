package kit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/drivercheck"
	"github.com/ccwire/ccwire/internal/suite/sdk/kit"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

func TestMain(m *testing.M) {
	sdktest.Main(nil)
	os.Exit(m.Run())
}

// write writes the start of a language to DIR/conformance.
func write(t *testing.T, lang, dir string) *kit.Start {
	t.Helper()
	start, err := kit.New(lang, "conformance")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "conformance")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range start.Files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return start
}

func TestEveryStartHasAConfigurationAndSaysWhereTheSDKGoes(t *testing.T) {
	for _, lang := range kit.Languages() {
		dir := t.TempDir()
		start := write(t, lang, dir)
		c, err := sdk.ReadConfig(filepath.Join(dir, "conformance", "conform.json"))
		if err != nil || !strings.Contains(c.Driver, "conformance/") || c.KnownFailing != filepath.Join(dir, "conformance", "known-failing.txt") {
			t.Errorf("%s: %+v, %v", lang, c, err)
		}
		todo := 0
		for _, text := range start.Files {
			todo += strings.Count(string(text), "REPLACE")
		}
		if todo < 3 {
			t.Errorf("%s: only %d marks", lang, todo)
		}
		if !strings.Contains(string(start.Files["workflow.yml"]), "config: conformance/conform.json\n") {
			t.Errorf("%s: %s", lang, start.Files["workflow.yml"])
		}
	}
}

func TestALanguageWithoutAKitIsAnError(t *testing.T) {
	if _, err := kit.New("cobol", "."); err == nil || !strings.Contains(err.Error(), "go") {
		t.Errorf("got %v", err)
	}
}

// TestAStartIsADriverAsItIs builds each start where it can be built here, and checks it.
func TestAStartIsADriverAsItIs(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program; make test-all runs it")
	}
	programs := map[string]string{"go": "go", "node": "node", "python": "python3", "rust": "cargo"}
	for _, lang := range kit.Languages() {
		t.Run(lang, func(t *testing.T) {
			if _, err := exec.LookPath(programs[lang]); err != nil {
				t.Skipf("no %s here: install it to run it", lang)
			}
			if lang == "rust" && os.Getenv("CI") == "" {
				t.Skip("it fetches crates; CI=true builds it")
			}
			dir := t.TempDir()
			start := write(t, lang, dir)
			if lang == "go" {
				inModule(t, dir)
			}
			if args := strings.Fields(start.Build); len(args) > 0 {
				build := exec.CommandContext(t.Context(), args[0], args[1:]...)
				build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod")
				if out, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			c, err := sdk.ReadConfig(filepath.Join(dir, "conformance", "conform.json"))
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			subject := &sdk.Subject{Args: strings.Fields(c.Driver)}
			if err := subject.Resolve(); err != nil {
				t.Fatal(err)
			}
			report, err := drivercheck.Run(t.Context(), subject, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range report.Results {
				if r.Status == drivercheck.Wrong {
					t.Errorf("%s: %s", r.Check, r.Problem)
				}
			}
		})
	}
}

// inModule makes a folder a module that has this one by a replace.
func inModule(t *testing.T, dir string) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod := "module example.com/sdk\n\ngo 1.26\n\nrequire github.com/ccwire/ccwire v0.0.0\n\nreplace github.com/ccwire/ccwire => " + root + "\n"
	for name, text := range map[string]string{"go.mod": mod, "go.sum": string(sums)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
