//go:build live

package capture_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite"
)

func TestLiveRecordingTwiceGivesEqualFiles(t *testing.T) {
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	target, err := suite.NewProcessTarget(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	chosen := steady(t, "handshake/initialize", "turn/text", "turn/tool-use", "turn/subagent", "permission/allow*", "hook/pre-tool-use-*",
		"mcp/call", "control/set-model", "control/get-settings", "interrupt/mid-*", "stream/partial-messages", "end/*", "input/unknown-*")
	var made []map[string]string
	for range 2 {
		dir := t.TempDir()
		for name, err := range record(t, t.Context(), dir, target, chosen) {
			t.Errorf("%s: %v", name, err)
		}
		made = append(made, files(t, dir))
	}
	if len(made[0]) != len(chosen) {
		t.Errorf("%d files for %d scenarios", len(made[0]), len(chosen))
	}
	if diff := cmp.Diff(made[0], made[1]); diff != "" {
		t.Errorf("the second recording differs: %s", diff)
	}
	kept, err := corpus.FS(target.Version().String())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range made[0] {
		was, err := fs.ReadFile(kept, strings.TrimPrefix(name, target.Version().String()+"/"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // CLAUDE_CLI is of another version
		}
		if diff := cmp.Diff(string(was), text); err != nil || diff != "" {
			t.Errorf("%s differs from the recording in the repository: %v %s", name, err, diff)
		}
	}
}
