//go:build live

package accept_test

import (
	"testing"

	"github.com/ccwire/ccwire/internal/accepts"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/probe/accept"
)

// TestLiveCLIDoesWhatTheDataSays plays a sample of the changes to the verified CLI.
func TestLiveCLIDoesWhatTheDataSays(t *testing.T) {
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	target, err := suite.NewProcessTarget(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	known, err := accepts.Load()
	if err != nil {
		t.Fatal(err)
	}
	found, err := accept.Run(t.Context(), target, accept.Options{Frames: []string{
		accepts.Line, "control_request/set_model", "control_request/set_permission_mode", "control_response/hook_callback/Stop",
	}})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for key, finding := range found {
		want := known[key].Only(npm.Pinned())
		if len(want) == 0 {
			continue // it was not recorded
		}
		compared++
		if got, want := finding.Harm(), want.Harm(); got != want {
			t.Errorf("%v: %q, the data has %q", key, got, want)
		}
	}
	if compared < 20 {
		t.Errorf("%d changes were played that the data has", compared)
	}
}
