package repotest

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDependenciesHaveAReason checks that the direct requirements of go.mod are those that
// docs/dependencies.md explains.
func TestDependenciesHaveAReason(t *testing.T) {
	out, err := exec.Command("go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	direct := 0
	for _, r := range mod.Require {
		if r.Indirect {
			continue
		}
		direct++
		if !strings.Contains(string(doc), "`"+r.Path) {
			t.Errorf("docs/dependencies.md does not say why %s is required", r.Path)
		}
	}
	if direct == 0 {
		t.Error("go.mod has no direct requirement")
	}
}

func TestNothingIsRequiredThatNothingUses(t *testing.T) {
	out, err := exec.Command("go", "mod", "tidy", "-diff").CombinedOutput()
	if err != nil {
		t.Errorf("go mod tidy would change go.mod or go.sum: %v\n%s", err, out)
	}
}

// modulesOf returns the modules other than ours that packages bring with them, without the tests.
func modulesOf(t *testing.T, packages ...string) (modules []string) {
	t.Helper()
	args := []string{"list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}
	out, err := exec.Command("go", append(args, packages...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if path+"/" != module {
			modules = append(modules, path)
		}
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}

func TestWhatDecodesAndRunsTheCLIBringsNoOtherModule(t *testing.T) {
	if got := modulesOf(t, "./codec", "./gen/wire", "./transport", "./transport/cli"); len(got) > 0 {
		t.Errorf("they bring %q", got)
	}
}

// TestWhatTheDoorsBringHasAReason compares the table "What each package brings" of
// docs/dependencies.md, which names the modules in backquotes, with what go list says.
func TestWhatTheDoorsBringHasAReason(t *testing.T) {
	text, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "## What each package brings")
	if !ok {
		t.Fatal("docs/dependencies.md has no such table")
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	rows := map[string][]string{}
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			for _, name := range quoted.FindAllStringSubmatch(cells[1], -1) {
				for _, m := range quoted.FindAllStringSubmatch(cells[2], -1) {
					rows[name[1]] = append(rows[name[1]], m[1])
				}
				slices.Sort(rows[name[1]])
			}
		}
	}
	for _, name := range promised(t) {
		if diff := cmp.Diff(modulesOf(t, "./"+name), rows[name]); diff != "" {
			t.Errorf("%s: -brings +docs/dependencies.md\n%s", name, diff)
		}
	}
}
