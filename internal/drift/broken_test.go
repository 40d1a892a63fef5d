package drift_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/drift"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/capture"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/inventory"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/replay"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// record plays the scenarios of an area on a CLI and reads what came of it.
func record(t *testing.T, area string, target suite.Target) *inventory.Inventory {
	t.Helper()
	return recordIf(t, target, func(s *scenario.Scenario) bool { return strings.HasPrefix(s.Name, area+"/") })
}

func recordNamed(t *testing.T, names []string, target suite.Target) *inventory.Inventory {
	t.Helper()
	return recordIf(t, target, func(s *scenario.Scenario) bool { return slices.Contains(names, s.Name) })
}

func recordIf(t *testing.T, target suite.Target, is func(*scenario.Scenario) bool) *inventory.Inventory {
	t.Helper()
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	var chosen []*scenario.Scenario
	for _, s := range all {
		if is(s) {
			chosen = append(chosen, s)
		}
	}
	dir := t.TempDir()
	_, err = suite.Run(t.Context(), suite.Options{
		Scenarios: chosen, Targets: []suite.Target{target},
		Keep: func(_ suite.Target, s *scenario.Scenario, p *suite.Played) {
			if err := capture.Write(dir, s, target.Version().String(), p); err != nil {
				t.Error(err)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	inv, err := inventory.Read(os.DirFS(filepath.Join(dir, target.Version().String())))
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// TestARenamedMemberIsTheFirstEntryThoughScenariosFailByIt plays a CLI that asks for permission
// with a member of another name: no scenario holds in which it asks.
func TestARenamedMemberIsTheFirstEntryThoughScenariosFailByIt(t *testing.T) {
	if testing.Short() {
		t.Skip("it compares two versions in full; make test-all runs it")
	}
	replayed, err := replay.NewTarget()
	if err != nil {
		t.Fatal(err)
	}
	asks := 0
	renamed := replayed.Changed(func(_ *scenario.Scenario, entries []recording.Entry) []recording.Entry {
		entries = append([]recording.Entry(nil), entries...)
		for i := range entries {
			if e := &entries[i]; e.Dir == recording.ToSDK && strings.Contains(e.Line, `"subtype":"can_use_tool"`) {
				e.Line = strings.Replace(e.Line, `"tool_name":`, `"toolName":`, 1)
			}
		}
		return entries
	})
	newest, err := corpus.FS(corpus.Newest())
	if err != nil {
		t.Fatal(err)
	}
	from, err := inventory.Read(newest)
	if err != nil {
		t.Fatal(err)
	}
	for name, course := range from.Scenarios {
		if !strings.HasPrefix(name, "permission/") {
			delete(from.Scenarios, name)
		} else if slices.Contains(course.Lines, "< control_request/can_use_tool") {
			asks++
		}
	}
	d := drift.Compare(from, record(t, "permission", renamed), nil, nil)
	if d.Compared != len(from.Scenarios) || len(d.Breaks) == 0 {
		t.Fatalf("%d of %d scenarios compared, %+v", d.Compared, len(from.Scenarios), d.Breaks)
	}
	first := d.Breaks[0]
	if first.Kind != drift.MemberRenamed || first.What != "control/can_use_tool Request: tool_name is now toolName" {
		t.Errorf("the first entry is %s: %s", first.Kind, first.What)
	}
	if len(first.Scenarios) != asks || len(first.Failing) == 0 {
		t.Errorf("shown in %d of %d scenarios, %d fail", len(first.Scenarios), asks, len(first.Failing))
	}
	for _, c := range d.Breaks[1:] {
		t.Errorf("another entry for the same cause: %s: %s %v", c.Kind, c.What, c.Scenarios)
	}
	if diff := cmp.Diff([]drift.Change(nil), d.News); diff != "" {
		t.Errorf("news: %s", diff)
	}
}

// TestChangesThatAreMadeAtOnceAreAllNamed plays a CLI with five changes, of which the first is in a
// line that no longer fits the schemas and the second in a reply that a step waits for.
func TestChangesThatAreMadeAtOnceAreAllNamed(t *testing.T) {
	replayed, err := replay.NewTarget()
	if err != nil {
		t.Fatal(err)
	}
	plant := func(e *recording.Entry) {
		for _, c := range []struct{ in, old, new string }{
			{`"subtype":"init"`, `"permissionMode":`, `"mode":`},
			{`"response":{"mode":"acceptEdits"}`, `"mode":`, `"state":`},
			{`"subtype":"can_use_tool"`, `"tool_use_id":`, `"toolUseID":`},
			{`"type":"result"`, `"num_turns":`, `"turns":`},
			{`"type":"assistant"`, `"request_id":`, `"requestID":`},
		} {
			if strings.Contains(e.Line, c.in) {
				e.Line = strings.Replace(e.Line, c.old, c.new, 1)
			}
		}
	}
	changed := replayed.Changed(func(_ *scenario.Scenario, entries []recording.Entry) []recording.Entry {
		entries = slices.Clone(entries)
		for i := range entries {
			if entries[i].Dir == recording.ToSDK {
				plant(&entries[i])
			}
		}
		return entries
	})
	names := []string{"control/set-permission-mode", "permission/allow", "permission/deny", "turn/text", "turn/worktree"}
	newest, err := corpus.FS(corpus.Newest())
	if err != nil {
		t.Fatal(err)
	}
	from, err := inventory.Read(newest)
	if err != nil {
		t.Fatal(err)
	}
	for name := range from.Scenarios {
		if !slices.Contains(names, name) {
			delete(from.Scenarios, name)
		}
	}
	start := time.Now()
	to := recordNamed(t, names, changed)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v: something was waited for that does not come", took)
	}
	d := drift.Compare(from, to, nil, nil)
	var got []string
	for _, c := range d.Breaks {
		got = append(got, string(c.Kind)+": "+c.What)
	}
	for _, want := range []string{
		"message/system.init: permissionMode", "control/set_permission_mode Response: mode", "control/can_use_tool Request: tool_use_id",
		"message/result.success: num_turns", "message/assistant: request_id",
	} {
		if !slices.ContainsFunc(got, func(g string) bool { return strings.Contains(g, want) }) {
			t.Errorf("%q is not named; named are %q", want, got)
		}
	}
}
