package repotest

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
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
