package reports

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample is a report with one of everything.
func sample() *suite.Report {
	trace := []suite.Event{
		{At: 0, From: suite.SDK, Text: `{"type":"control_request","request_id":"r1","request":{"subtype":"interrupt"}}` + "\n"},
		{At: 12 * time.Millisecond, From: suite.CLI, Text: `{"type":"control_response","response":{"subtype":"success","request_id":"r2"}}`},
		{At: 13 * time.Millisecond, From: suite.CLI, Text: "<b>no JSON</b> \x1b[31m"},
		{At: 14 * time.Millisecond, From: suite.Note, Text: "exit 1"},
	}
	finding := suite.Finding{Frame: "system/init", Deviation: codec.Deviation{Kind: codec.UnknownMember, Path: "/tools/3/novel", Offset: 70, Detail: `"novel"`}}
	result := func(name, target string, s suite.Status, reason string) suite.Result {
		return suite.Result{Scenario: name, Title: "It holds & <stays>.", Level: scenario.Required, Versions: ">=1.0.85", Target: target, Status: s, Reason: reason, Duration: 1500 * time.Millisecond}
	}
	fail := result("interrupt/idle", "2.1.325", suite.Fail, "script line 2: the CLI replies to \"r2\", which was not asked")
	fail.Line, fail.Step, fail.Trace, fail.Stderr = 2, "<ok r1", trace, "oops"
	pass := result("turn/text", "2.1.325", suite.Pass, "")
	pass.Findings = []suite.Finding{finding, finding}
	pass.Changes = []suite.Change{
		{Weight: suite.New, From: "2.1.290", Frame: "result/success", Path: "/list/3/novel", Is: "1"},
		{Weight: suite.Breaks, From: "2.1.290", Frame: "result/success", Path: "/status", Was: `"done"`, Is: `"<over>"`},
		{Weight: suite.Breaks, From: "2.1.290", Frame: "keep_alive", Was: `{"type":"keep_alive"}`},
	}
	pass.Conditions = []string{">=2.1.90", "<2.1.90"}
	pass.Replies = []suite.Reply{
		{ID: "init", Request: "initialize", Took: 4200 * time.Millisecond, Last: 210 * time.Millisecond},
		{ID: "<b>", Request: "interrupt", Took: 3 * time.Millisecond},
	}
	known := result("turn/text", "1.0.128", suite.KnownFailing, "old: a reason")
	known.Level, known.Conditions = scenario.Recommended, pass.Conditions
	return &suite.Report{
		Targets:  []string{"1.0.128", "2.1.325"},
		Results:  []suite.Result{result("interrupt/idle", "1.0.128", suite.NotApplicable, "only for >=2.0.0"), fail, known, pass},
		Problems: []string{"line 3 of the known failures (hook/*) matches nothing that was run"},
		Notes:    []string{"turn/text on 2.1.325: the reply to init (initialize) took 4.2s, in the last run 210ms"},
		Duration: 4200 * time.Millisecond,
	}
}

func TestReportsAreAsInTheGoldenFiles(t *testing.T) {
	table := func(w *bytes.Buffer) error {
		return Table(w, sample(), Style{Text: func(s string) string { return strings.ReplaceAll(s, "\x1b", "ESC") }})
	}
	for _, tt := range []struct {
		file  string
		write func(*bytes.Buffer) error
	}{
		{"table.txt", table},
		{"report.json", func(w *bytes.Buffer) error { return JSON(w, sample()) }},
		{"junit.xml", func(w *bytes.Buffer) error { return JUnit(w, sample()) }},
		{"page.html", func(w *bytes.Buffer) error { return HTML(w, sample()) }},
	} {
		t.Run(tt.file, func(t *testing.T) {
			var b bytes.Buffer
			if err := tt.write(&b); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", tt.file)
			if *update {
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestTheTableFitsItsWidth(t *testing.T) {
	r := &suite.Report{}
	for i := range 7 {
		r.Targets = append(r.Targets, fmt.Sprintf("2.1.%d00", i+1))
	}
	for _, name := range []string{"hook/short", "hook/a-name-of-thirty-characters-yes"} {
		for _, target := range r.Targets {
			r.Results = append(r.Results, suite.Result{Scenario: name, Target: target, Status: suite.Pass, Title: strings.Repeat("It holds. ", 20)})
		}
	}
	for _, width := range []int{0, 50, 60, 120, 400} {
		var b bytes.Buffer
		if err := Table(&b, r, Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		rows := 0
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > cmp.Or(width, 80) {
				t.Errorf("a line has %d columns, want at most %d:\n%s", n, width, line)
			}
			rows += strings.Count(line, " ok ") + strings.Count(line, " ok\n")
		}
		if rows != len(r.Results) {
			t.Errorf("in %d columns %d results are shown, want %d:\n%s", width, rows, len(r.Results), b.String())
		}
		if width > 100 && strings.Contains(b.String(), "…") != (width < 400) {
			t.Errorf("in %d columns a title is cut, or not:\n%s", width, b.String())
		}
	}
}

func TestPageEscapesAndNeedsNothingElse(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, sample()); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<b>no JSON", "<script", "http://", "https://", "src="} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

func TestToFileReportsWhatItCannotWrite(t *testing.T) {
	if err := ToFile(filepath.Join(t.TempDir(), "no", "such", "folder"), sample(), JSON); err == nil {
		t.Error("no error")
	}
}

func TestTableSaysTheSpeedOfManyScenarios(t *testing.T) {
	played := slices.Repeat([]suite.Result{{Scenario: "turn/text", Target: "2.1.325", Status: suite.Pass}}, 30)
	skipped := slices.Repeat([]suite.Result{{Scenario: "turn/old", Target: "2.1.325", Status: suite.NotApplicable}}, 15)
	for _, row := range []struct {
		results []suite.Result
		want    string
	}{
		{played, " (12s, 2.5 a second)\n"},
		{slices.Concat(played, skipped), " (12s, 2.5 a second)\n"},
		{slices.Concat(played[:10], skipped), " (12s)\n"},
	} {
		var b bytes.Buffer
		r := &suite.Report{Targets: []string{"2.1.325"}, Results: row.results, Duration: 12 * time.Second}
		if err := Table(&b, r, Style{}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), row.want) {
			t.Errorf("the table of %d results ends with %q, want %q", len(row.results), b.String()[max(0, b.Len()-60):], row.want)
		}
	}
}
