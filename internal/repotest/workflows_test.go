package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	runStep    = regexp.MustCompile(`(?m)^\s*(?:- )?run:(.*)$`)
	makeTarget = regexp.MustCompile(`(?m)^([a-z-]+):`)
)

// TestWorkflowsRunWhatAPersonCanRun checks that a step of a workflow is a make target or a verb of
// protogen, so that it can be run and tested elsewhere. The others talk to GitHub.
func TestWorkflowsRunWhatAPersonCanRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds protogen; make test-all runs it")
	}
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, m := range makeTarget.FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}
	verbs := protogenVerbs(t)
	workflows, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	actions, err := filepath.Glob(".github/actions/*/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, path := range append(workflows, actions...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range runStep.FindAllStringSubmatch(string(text), -1) {
			steps++
			command := strings.TrimSpace(m[1])
			words := strings.Fields(strings.Replace(command, "go run ./cmd/protogen", "protogen", 1))
			switch {
			case len(words) == 2 && words[0] == "make":
				if !targets[words[1]] {
					t.Errorf("%s: %s: the Makefile has no such target", path, command)
				}
			case len(words) > 1 && words[0] == "protogen":
				if !verbs[words[1]] {
					t.Errorf("%s: %s: protogen has no such verb", path, command)
				}
			case strings.HasPrefix(command, `go install "github.com/ccwire/ccwire/cmd/protogen@`), strings.HasPrefix(command, "gh release create "):
			default:
				t.Errorf("%s: %q is neither a make target nor a verb of protogen", path, command)
			}
			if strings.Contains(command, "${{") {
				t.Errorf("%s: %q has an expression, which could hold a command; use env", path, command)
			}
		}
	}
	if len(workflows) < 3 || len(actions) < 1 || steps < 10 {
		t.Errorf("only %d workflows, %d actions, %d steps", len(workflows), len(actions), steps)
	}
}

// protogenVerbs returns the verbs that the help of protogen lists.
func protogenVerbs(t *testing.T) map[string]bool {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "run", "./cmd/protogen", "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	verbs := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`).FindAllStringSubmatch(string(out), -1) {
		verbs[m[1]] = true
	}
	return verbs
}
