package compat_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/conformance/compat"
	"github.com/ccwire/ccwire/internal/conformance/inventory"
	"github.com/ccwire/ccwire/internal/conformance/recordings"
)

var update = flag.Bool("update", false, "rewrite docs/compatibility.md and the table in the README")

func TestTheDocumentsAreThoseOfTheRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads all recordings; make test-all runs it")
	}
	var all []*inventory.Inventory
	for _, v := range recordings.Versions() {
		fsys, err := recordings.FS(v)
		if err != nil {
			t.Fatal(err)
		}
		inv, err := inventory.Outline(fsys)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, inv)
	}
	doc := compat.New(all)
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

func document() *compat.Document {
	course := func(asked map[string]string) *inventory.Course { return &inventory.Course{Asked: asked} }
	return compat.New([]*inventory.Inventory{
		{Version: "1.0.0", Scenarios: map[string]*inventory.Course{
			"turn/text": course(map[string]string{"interrupt": "error"}),
		}},
		{Version: "2.0.0", Scenarios: map[string]*inventory.Course{
			"hook/stop": course(map[string]string{"interrupt": "success"}),
			"turn/text": course(map[string]string{"interrupt": "error"}),
			"turn/more": course(nil),
		}},
	})
}

func TestAFeatureThatWorkedOnceIsSupported(t *testing.T) {
	want := compat.Table{Title: "Control requests of the SDK", Rows: []compat.Row{
		{Name: "interrupt", Cells: map[string]string{"1.0.0": "error", "2.0.0": "yes"}},
	}}
	if diff := cmp.Diff(want, document().Tables[0]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestTheSummaryCountsTheScenariosOfEachArea(t *testing.T) {
	const want = `| | 1.0.0 | 2.0.0 |
| --- | --- | --- |
| hook |  | 1 |
| turn | 1 | 2 |
| **all** | 1 | 3 |
`
	if diff := cmp.Diff(want, document().Summary()); diff != "" {
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
