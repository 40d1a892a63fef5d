package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// action is what this test reads of a composite action.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Run, Uses, If string
			Env, With     map[string]string
		}
	}
}

// TestTheActionForSDKsRunsInARepositoryThatInitMade runs the steps of the action as GitHub does,
// but for those of other actions and the one that installs the published protogen.
func TestTheActionForSDKsRunsInARepositoryThatInitMade(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds protogen; make test-all runs it")
	}
	text, err := os.ReadFile(".github/actions/conform-sdk/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	inputs := []string{"${{ inputs.scenarios }}", "send/user-message"}
	for name, in := range a.Inputs {
		inputs = append(inputs, "${{ inputs."+name+" }}", in.Default)
	}
	with := strings.NewReplacer(inputs...)

	bin, repo := t.TempDir(), t.TempDir()
	command := func(dir, name string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		return cmd
	}
	run := func(cmd *exec.Cmd) {
		t.Helper()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
	protogen := filepath.Join(bin, "protogen")
	run(command("", "go", "build", "-o", protogen, "./cmd/protogen"))
	run(command(repo, protogen, "conform", "sdk", "init", "python"))

	steps := 0
	for _, s := range a.Runs.Steps {
		if s.Run == "" || strings.HasPrefix(s.Run, "go install ") {
			continue
		}
		steps++
		cmd := command(repo, "bash", "-e", "-o", "pipefail", "-c", s.Run)
		for name, value := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+with.Replace(value))
		}
		run(cmd)
	}
	if steps < 2 {
		t.Errorf("the action has %d steps that run something", steps)
	}
	upload := a.Runs.Steps[len(a.Runs.Steps)-1]
	files, err := filepath.Glob(filepath.Join(repo, with.Replace(upload.With["path"])))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || upload.If != "always()" {
		t.Errorf("the reports that are kept, also after a failure (%q), are %q, want an HTML page and JUnit XML", upload.If, files)
	}
}
