//go:build live

package sweep_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sweep"
)

// planted is a CLI whose results have another member under a variable.
const planted = `#!/bin/sh
# CLAUDE_CODE_A_PLANTED_TOGGLE, and some of its own:
# %s
if [ -z "$CLAUDE_CODE_A_PLANTED_TOGGLE" ]; then exec %[2]s "$@"; fi
%[2]s "$@" | sed -u 's/"type":"result"/"planted":true,&/'
`

func TestLiveAPlantedToggleIsFound(t *testing.T) {
	claude, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	own, err := sweep.Toggles(claude)
	if err != nil {
		t.Fatal(err)
	}
	own = slices.DeleteFunc(own, func(toggle sweep.Toggle) bool { return !strings.HasPrefix(toggle.Name, "CLAUDE_CODE_DISABLE_") })
	path := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(path, fmt.Appendf(nil, planted, own[:min(11, len(own))], claude), 0o755); err != nil {
		t.Fatal(err)
	}
	target, err := suite.NewProcessTarget(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sweep.Run(t.Context(), target, sweep.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Tried < 12 {
		t.Errorf("only %d toggles are tried", r.Tried)
	}
	const name = "CLAUDE_CODE_A_PLANTED_TOGGLE=1"
	if !slices.ContainsFunc(r.Unknown, func(f sweep.Finding) bool {
		return strings.Contains(f.What, "/planted:") && slices.Equal(f.Under, []string{name})
	}) {
		t.Errorf("%s is not found: %+v", name, r.Unknown)
	}
}

// TestLiveTheCircumstancesOfPeopleHoldNothingUnknown plays the session in those that
// people have.
func TestLiveTheCircumstancesOfPeopleHoldNothingUnknown(t *testing.T) {
	claude, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	target, err := suite.NewProcessTarget(t.Context(), claude)
	if err != nil {
		t.Fatal(err)
	}
	var toggles []sweep.Toggle
	for _, text := range []string{
		"CLAUDE_CODE_REMOTE=true", "CLAUDE_CODE_EMIT_STARTUP_TIMING=1", "CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES=1",
		"CLAUDE_CODE_ENTRYPOINT=claude-vscode", "CLAUDE_CODE_ENTRYPOINT=claude-desktop", "CLAUDE_CODE_ENTRYPOINT=sdk-ts",
	} {
		toggle, err := sweep.ParseToggle(text)
		if err != nil {
			t.Fatal(err)
		}
		toggles = append(toggles, toggle)
	}
	r, err := sweep.Run(t.Context(), target, sweep.Options{Toggles: toggles})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Unknown {
		t.Errorf("%s under %v", f.What, f.Under)
	}
}
