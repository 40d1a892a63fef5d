//go:build live

package probe_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/generator/schemaedit"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/probe"
	"github.com/ccwire/ccwire/schema"
)

// liveTarget returns the CLI to test with.
func liveTarget(t *testing.T) suite.Target {
	t.Helper()
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	target, err := suite.NewProcessTarget(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// without returns the schemas without the files.
func without(t *testing.T, names ...string) *schema.Set {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, schema.Files()); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := schemaedit.UpdateArms(dir); err != nil {
		t.Fatal(err)
	}
	set, err := schema.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestLiveProbeFindsExactlyWhatTheSchemasLack(t *testing.T) {
	r, err := probe.Run(t.Context(), liveTarget(t), probe.Options{
		Schemas: without(t, "control/get_plan.json", "host/ui_panes.json", "control/claude_authenticate.json", "hook/Stop.json"),
		Kinds:   []probe.Kind{probe.Request, probe.HookEvent},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[probe.Kind][]string{
		probe.Request:   {"claude_authenticate", "get_plan", "ui_panes"},
		probe.HookEvent: {"Stop"},
	}
	for _, f := range r.Findings {
		var names []string
		for _, n := range f.New {
			names = append(names, n.Name)
		}
		if diff := cmp.Diff(want[f.Kind], names); diff != "" || f.Unclear != "" || len(f.Gone) > 0 {
			t.Errorf("%s: %s %s %v", f.Kind, diff, f.Unclear, f.Gone)
		}
	}
}

// TestLiveProbeTellsAllKindsApart probes the other kinds: each can be told apart, all names of the
// schemas are recognised, few of the others are, and a flag that is made up is not.
func TestLiveProbeTellsAllKindsApart(t *testing.T) {
	target := liveTarget(t)
	kinds := []probe.Kind{probe.StdinType, probe.PermissionMode, probe.Flag}
	madeUp := []probe.FlagName{{Name: "--model"}, {Name: "--no-such-flag-of-ccwire"}}
	r, err := probe.Run(t.Context(), target, probe.Options{Kinds: kinds, Flags: madeUp})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		var gone []string
		if f.Kind == probe.Flag {
			gone = []string{"--no-such-flag-of-ccwire"}
			if !slices.Contains(f.Recognised, "--model") || slices.Contains(f.Recognised, gone[0]) {
				t.Errorf("recognised: %v", f.Recognised)
			}
		}
		if diff := cmp.Diff(gone, f.Gone); f.Unclear != "" || diff != "" {
			t.Errorf("%s: %s %s", f.Kind, f.Unclear, diff)
		}
		if f.Tried < 10*len(f.Recognised) && f.Kind != probe.Flag {
			t.Errorf("%s: %d of %d names are recognised: %v", f.Kind, len(f.Recognised), f.Tried, f.Recognised)
		}
	}
}
