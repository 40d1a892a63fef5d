package compat_test

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/compat"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/evidence"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport/cli"
)

var update = flag.Bool("update", false, "rewrite docs/compatibility.md and the table in the README")

// real returns the document of the recordings.
func real(t *testing.T) *compat.Document {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	return compat.New(schema.Default(), evidence.Read(schema.Default(), sessions), sessions, all)
}

func TestTheDocumentsAreThoseOfTheRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads all recordings; make test-all runs it")
	}
	doc := real(t)
	for path, make := range map[string]func(old []byte) ([]byte, error){
		"../../../docs/compatibility.md": func([]byte) ([]byte, error) {
			var b bytes.Buffer
			err := doc.Markdown(&b)
			return b.Bytes(), err
		},
		"../../../README.md": func(old []byte) ([]byte, error) { return compat.Replace(old, doc.Summary()) },
	} {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := make(want)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is stale, run make compatibility: -want +got\n%s", path, diff)
		}
	}
}

func TestTheTablesAgreeWithTheSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks at each member of all recordings; make test-all runs it")
	}
	doc := real(t)
	first := map[string]string{} // the oldest version with a cell, by definition
	for _, table := range doc.Tables {
		for _, row := range table.Rows {
			for version, cell := range row.Cells {
				old := first[row.Definition]
				if cell != "no" && row.Definition != "" && (old == "" || corpus.Compare(version, old) < 0) {
					first[row.Definition] = version
				}
			}
		}
	}
	if len(first) < 100 {
		t.Errorf("only %d rows have a definition", len(first))
	}
	for name, version := range first {
		d := schema.Default().Lookup(name)
		older := d.Direction == "both" || !slices.Contains(doc.Versions, d.Since) // the SDK may have been first, or a transcript
		if !recorded(d) || corpus.Compare(d.Since, version) > 0 || !older && d.Since != version {
			t.Errorf("%s is %s since %s, and the tables have it since %s", name, d.Evidence, d.Since, version)
		}
	}
	unseen := map[string]bool{}
	for _, u := range doc.Unseen {
		for _, name := range u.Definitions {
			unseen[name] = true
		}
	}
	for _, d := range schema.Default().Definitions() {
		if !d.Legacy() && d.Evidence != "recognised" && recorded(d) == unseen[d.Name()] {
			t.Errorf("%s is %s, listed as never recorded: %v", d.Name(), d.Evidence, unseen[d.Name()])
		}
	}
}

// recorded reports whether the schemas say that a recording has the definition. A request that was
// recognised may have been so by hand.
func recorded(d *schema.Definition) bool {
	return d.Evidence == "observed" || d.Evidence == "recognised"
}

// session is one of a version in which requests were made and answered, in turn.
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

func request(subtype string) string {
	return `{"type":"control_request","request_id":"r","request":{"subtype":"` + subtype + `"}}`
}

const (
	success     = `< {"type":"control_response","response":{"subtype":"success","request_id":"r"}}`
	failure     = `< {"type":"control_response","response":{"subtype":"error","request_id":"r","error":"not now"}}`
	unsupported = `< {"type":"control_response","response":{"subtype":"error","request_id":"r","error":"Unsupported control request subtype: x"}}`
)

func document(t *testing.T) *compat.Document {
	t.Helper()
	sessions := []*corpus.Session{
		session(t, "1.0.0", "turn/text", request("interrupt"), failure, request("set_color"), unsupported),
		session(t, "2.0.0", "hook/stop", request("interrupt"), success, request("no_such_thing"), unsupported),
		session(t, "2.0.0", "turn/text", request("interrupt"), failure, request("can_use_tool"), unsupported),
		session(t, "2.0.0", "turn/more", request("interrupt"), request("no_such_thing"), success, unsupported, `< {"type":"keep_alive"}`),
	}
	var all []*scenario.Scenario
	for _, name := range []string{"turn/text", "turn/more", "turn/not-recorded", "hook/stop"} {
		s := &scenario.Scenario{File: scenario.File{Name: name}}
		if name != "turn/text" {
			s.Versions.Since = cli.Version{Major: 2}
		}
		all = append(all, s)
	}
	return compat.New(schema.Default(), evidence.Read(schema.Default(), sessions), sessions, all)
}

func TestAFeatureThatWorkedOnceIsSupportedAndOneThatIsRefusedIsNot(t *testing.T) {
	want := compat.Table{Title: "Control requests of the SDK", Rows: []compat.Row{
		{Name: "interrupt", Definition: "control/interrupt.json#/$defs/Request", Cells: map[string]string{"1.0.0": "error", "2.0.0": "yes"}},
		{Name: "set_color", Definition: "control/set_color.json#/$defs/Request", Cells: map[string]string{"1.0.0": "no"}},
	}}
	if diff := cmp.Diff(want, document(t).Tables[0]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestTheMessagesAreThoseThatTheCLIWrote(t *testing.T) {
	want := compat.Table{Title: "Messages of the CLI", Rows: []compat.Row{
		{Name: "keep_alive", Definition: "envelope/keep_alive.json", Cells: map[string]string{"2.0.0": "yes"}},
	}}
	if diff := cmp.Diff(want, document(t).Tables[3]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestTheSummaryCountsTheScenariosOfEachAreaThatHoldAndThatApply(t *testing.T) {
	const want = `| | 1.0.0 | 2.0.0 |
| --- | --- | --- |
| hook |  | 1 of 1 |
| turn | 1 of 1 | 2 of 3 |
| **all** | 1 of 1 | 3 of 4 |
`
	if diff := cmp.Diff(want, document(t).Summary()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestTheSummaryReplacesWhatStandsBetweenItsLines(t *testing.T) {
	got, err := compat.Replace([]byte("before\n"+compat.Begin+"\nold\n"+compat.End+"\nafter\n"), "new\n")
	if want := "before\n" + compat.Begin + "\n\nnew\n\n" + compat.End + "\nafter\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	for _, text := range []string{"", compat.Begin + "\n", compat.End + "\n" + compat.Begin + "\n"} {
		if _, err := compat.Replace([]byte(text), "new"); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
