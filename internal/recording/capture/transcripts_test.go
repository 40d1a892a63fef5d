package capture_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording/capture"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

func TestTranscriptsKeepWhatNoEarlierEntryShows(t *testing.T) {
	played := func(lines ...string) *suite.Played {
		return &suite.Played{
			Vars:        scenario.Vars{"cwd": "/tmp/x/cwd"},
			Transcripts: []suite.Transcript{{Path: "p/s.jsonl", Lines: lines}},
		}
	}
	const session = `"sessionId":"6f1c2e0a-3b7d-4c58-9a41-0d2b7e95c3f1"`
	var all capture.Transcripts
	all.Add(&scenario.Scenario{File: scenario.File{Name: "b/second"}}, "2.1.0", played(
		`{"type":"mode","mode":"other",`+session+`}`,
		`{"type":"mode","mode":"normal",`+session+`,"more":1}`,
		`not JSON`,
	))
	all.Add(&scenario.Scenario{File: scenario.File{Name: "a/first", Text: "`a text that the scenario has, however long it may be`"}}, "2.1.0", played(
		`{"type":"mode","mode":"normal",`+session+`}`,
		`{"type":"last-prompt","lastPrompt":"a text that the scenario has, however long it may be",`+session+`}`,
		`{"type":"custom","text":"`+strings.Repeat("word ", 9)+`","at":"/tmp/x/cwd","day":"2026-11-15","hash":"`+strings.Repeat("ab", 32)+`"}`,
	))
	dir := filepath.Join(t.TempDir(), "new")
	if err := all.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "2.1.0.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const hidden = `"sessionId":"00000000-0000-4000-8000-000000000001"`
	want := `{"type":"mode","mode":"normal",` + hidden + `}
{"type":"last-prompt","lastPrompt":"a text that the scenario has, however long it may be",` + hidden + `}
{"type":"custom","text":"[prose]","at":"/scratch/cwd","day":"2000-01-01","hash":"0000000000000000"}
{"type":"mode","mode":"normal",` + hidden + `,"more":1}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestATranscriptThatHasWhatTheSchemasDoNotNameIsNotAsRecorded(t *testing.T) {
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	s := all[slices.IndexFunc(all, func(s *scenario.Scenario) bool { return s.Name == "turn/text" })]
	recorded, err := corpus.Read(corpus.Newest(), s.Name)
	if err != nil {
		t.Fatal(err)
	}
	const mode = `{"type":"mode","mode":"normal","sessionId":"6f1c2e0a-3b7d-4c58-9a41-0d2b7e95c3f1"}`
	for _, test := range []struct {
		name, line, after string
		want              string // in the error; "" if there is none
	}{
		{name: "a known entry", line: mode},
		{name: "an unknown member", line: strings.Replace(mode, `{`, `{"more":1,`, 1), want: "p/s.jsonl:1: unknown member at /more"},
		{name: "an unknown type", line: `{"type":"brand-new"}`, want: "p/s.jsonl:1: unknown tag at /type"},
		{name: "an invalid entry", line: `{"type":"mode"}`, want: "p/s.jsonl:1: "},
		{name: "torn at the end", line: mode[:20]},
		{name: "torn before the end", line: mode[:20], after: mode, want: "the transcript is broken: p/s.jsonl:1: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := []string{test.line}
			if test.after != "" {
				lines = append(lines, test.after)
			}
			played := &suite.Played{
				Entries: recorded, Vars: scenario.Vars{"cwd": "/scratch/cwd"},
				Transcripts: []suite.Transcript{{Path: "p/s.jsonl", Lines: lines}},
			}
			err := capture.Judge(replayed(t), s, played)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
