package evidence_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/evidence"
	"github.com/ccwire/ccwire/internal/typings"
	"github.com/ccwire/ccwire/schema"
)

func declared(t *testing.T) typings.Inventory {
	t.Helper()
	text, err := os.ReadFile("../../../" + typings.File)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := typings.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func TestTheSchemasSayWhatTheRecordingsShow(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks at all recordings; make test-all runs it")
	}
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	seen := evidence.Read(schema.Default(), sessions).Histories(declared(t).Required())
	for _, d := range schema.Default().Definitions() {
		h, ok := seen[d.Name()]
		switch {
		case !ok && d.Evidence == "observed":
			t.Errorf("%s is said to be observed, but no recording has it", d.Name())
		case ok && !d.Legacy() && d.Evidence != h.Evidence:
			t.Errorf("%s is said to be %s, but by a recording of %s it is %s", d.Name(), d.Evidence, h.Since, h.Evidence)
		case ok && !d.Unknown && d.Since != h.Since:
			t.Errorf("%s has x-since %q, the recordings have it since %s", d.Name(), d.Since, h.Since)
		}
		for _, p := range d.Properties {
			m, found := h.Members[p.Name]
			switch {
			case d.Unknown || d.Legacy() || p.Legacy() || !ok:
			case !found && p.Evidence == "":
				t.Errorf("%s has no x-evidence, but no recording has it", p.Location())
			case found && (p.Evidence != "" || p.Since != m.Since || p.RequiredSince != m.RequiredSince):
				t.Errorf("%s has %q, x-since %q and x-required-since %q, the recordings show %+v", p.Location(), p.Evidence, p.Since, p.RequiredSince, m)
			}
		}
	}
}

func TestWhatTheDecoderTakesShowsWhatTheSchemasAloneShow(t *testing.T) {
	if testing.Short() {
		t.Skip("it asks the schemas about all recorded lines; make test-all runs it")
	}
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	set, err := schema.Load(os.DirFS("../../../schema"))
	if err != nil {
		t.Fatal(err)
	}
	required := declared(t).Required()
	want := evidence.Read(set, sessions) // the decoder is not asked: it is that of the built-in schemas
	got := evidence.Read(schema.Default(), sessions)
	if diff := cmp.Diff(want.Histories(required), got.Histories(required)); diff != "" {
		t.Errorf("-schemas +decoder\n%s", diff)
	}
	for _, d := range set.Definitions() {
		if diff := cmp.Diff(want.Versions(d.Name()), got.Versions(d.Name())); diff != "" {
			t.Errorf("%s: -schemas +decoder\n%s", d.Name(), diff)
		}
	}
}

// session is one of a version; a line that begins with "< " is from the CLI.
func session(t *testing.T, version, name string, lines ...string) *corpus.Session {
	t.Helper()
	var entries []recording.Entry
	for _, l := range lines {
		dir := recording.ToCLI
		if text, ok := strings.CutPrefix(l, "< "); ok {
			dir, l = recording.ToSDK, text
		}
		entries = append(entries, recording.Entry{Dir: dir, Line: l})
	}
	list, err := recording.Lines(entries)
	if err != nil {
		t.Fatal(err)
	}
	return &corpus.Session{Path: version + "/" + name, Version: version, Scenario: name, Lines: list}
}

const (
	ask         = `{"type":"control_request","request_id":"r","request":{"subtype":"interrupt","cancel_queued":true}}`
	receipt     = `< {"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"still_queued":[]}}}`
	failure     = `< {"type":"control_response","response":{"subtype":"error","request_id":"r","error":"no"}}`
	unsupported = `< {"type":"control_response","response":{"subtype":"error","request_id":"r","error":"Unsupported control request subtype: interrupt"}}`

	request  = "control/interrupt.json#/$defs/Request"
	response = "control/interrupt.json#/$defs/Response"
)

func TestARequestCountsIfTheCLIKnowsIt(t *testing.T) {
	foreign := strings.Replace(ask, `"interrupt","cancel_queued":true`, `"can_use_tool","tool_name":"T","input":{},"tool_use_id":"t"`, 1)
	for _, tt := range []struct {
		name  string
		lines []string
		want  map[string]int // how many versions have the definition
	}{
		{"success", []string{ask, receipt}, map[string]int{request: 1, response: 1, "envelope/control_request.json": 1}},
		{"another error", []string{ask, failure}, map[string]int{request: 1, response: 0, "envelope/control_request.json": 0}},
		{"refused", []string{ask, unsupported}, map[string]int{request: 0, response: 0}},
		{"no reply", []string{ask}, map[string]int{request: 0}},
		{"a request that only the CLI makes", []string{foreign, receipt}, map[string]int{"control/can_use_tool.json#/$defs/Request": 0}},
		{"broken", []string{strings.Replace(ask, "true", "7", 1), receipt}, map[string]int{request: 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := evidence.Read(schema.Default(), []*corpus.Session{session(t, "2.0.0", "a/b", tt.lines...)})
			for name, want := range tt.want {
				if got := e.Versions(name); len(got) != want {
					t.Errorf("%s: %v, want %d", name, got, want)
				}
			}
		})
	}
}

// replies are sessions of a version with a receipt each, and some with one more member.
func replies(t *testing.T, version string, sessions, with int) (list []*corpus.Session) {
	t.Helper()
	for i := range sessions {
		r := receipt
		if i < with {
			r = strings.Replace(r, `"still_queued":[]`, `"still_queued":[],"cancelled":[]`, 1)
		}
		list = append(list, session(t, version, fmt.Sprintf("a/%d", i), ask, r))
	}
	return list
}

func TestAMemberIsRequiredSinceAVersionOnlyIfEnoughShowsIt(t *testing.T) {
	type count struct {
		version        string
		sessions, with int
	}
	always := func(string, string) bool { return true }
	for _, tt := range []struct {
		name     string
		counts   []count
		required func(definition, member string) bool
		want     evidence.MemberHistory
	}{
		{"an older version lacks it", []count{{"1.0.0", 1, 0}, {"1.0.90", 5, 5}, {"1.0.100", 7, 7}}, always,
			evidence.MemberHistory{Since: "1.0.90", RequiredSince: "1.0.90"}},
		{"no version lacks it", []count{{"1.0.0", 9, 9}, {"2.0.0", 9, 9}}, always, evidence.MemberHistory{}},
		{"the newest lacks it once", []count{{"1.0.0", 1, 0}, {"2.0.0", 9, 8}}, always, evidence.MemberHistory{Since: "2.0.0"}},
		{"it is in too few recordings", []count{{"1.0.0", 1, 0}, {"2.0.0", 4, 4}}, always, evidence.MemberHistory{Since: "2.0.0"}},
		{"it came, and later became required", []count{{"1.0.0", 9, 1}, {"2.0.0", 9, 9}}, always, evidence.MemberHistory{RequiredSince: "2.0.0"}},
		{"a version with too few recordings", []count{{"1.0.0", 9, 0}, {"2.0.0", 1, 1}, {"3.0.0", 9, 9}}, always,
			evidence.MemberHistory{Since: "2.0.0", RequiredSince: "3.0.0"}},
		{"the typings do not call it required", []count{{"1.0.0", 9, 0}, {"2.0.0", 9, 9}}, func(string, string) bool { return false },
			evidence.MemberHistory{Since: "2.0.0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var sessions []*corpus.Session
			for _, c := range tt.counts {
				sessions = append(sessions, replies(t, c.version, c.sessions, c.with)...)
			}
			got := evidence.Read(schema.Default(), sessions).Histories(tt.required)
			if diff := cmp.Diff(tt.want, got[response].Members["cancelled"]); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if diff := cmp.Diff(evidence.MemberHistory{}, got[request].Members["cancel_queued"]); diff != "" {
				t.Errorf("a member of the SDK's: -want +got\n%s", diff)
			}
		})
	}
}
