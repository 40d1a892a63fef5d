package framing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// fuzzParser runs the fuzzer against one of the parsers.
func fuzzParser(t *testing.T, name string, o Options) *Report {
	t.Helper()
	report, err := Run(t.Context(), parserCommand(t, name), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestPlantedBugsAreFoundWithinAMinuteAndMadeSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("each bug takes thousands of runs; make test-all runs it")
	}
	for _, test := range []struct {
		parser string
		kinds  []Kind // of which the first finding has one
		most   int    // bytes of the smallest stream
		has    string // in that stream
	}{
		{"64 KiB split", []Kind{LineLimit}, 64<<10 + 200, "xxxx"},
		{"64 KiB scanner", []Kind{LineLimit}, 64<<10 + 200, "xxxx"},
		{"U+2028 split", []Kind{Lost}, 200, "\u2028"},
		{"poisoned by noise", []Kind{Lost}, 200, "\n"},
		{"CR kept", []Kind{CRKept}, 200, "\r"},
		{"last line lost", []Kind{Lost}, 200, "{"},
		{"read is a line", []Kind{Lost}, 200, "{"},
		{"stream of values", []Kind{Invented, Lost}, 200, "{"},
		{"reorders", []Kind{Reordered}, 200, "\n"},
		{"repeats", []Kind{Repeated}, 200, "{"},
		{"crashes on noise", []Kind{Crash}, 8, "{}"},
		{"bytes to characters", []Kind{Changed}, 200, ""},
	} {
		t.Run(test.parser, func(t *testing.T) {
			report := fuzzParser(t, test.parser, Options{Findings: 1, Growth: -1, Time: 20 * time.Second})
			if len(report.Findings) == 0 || len(report.Findings[0].Stream.Data) > test.most { // a busy machine
				start := time.Now()
				report = fuzzParser(t, test.parser, Options{Findings: 1, Growth: -1, Time: 50 * time.Second})
				if took := time.Since(start); took > time.Minute {
					t.Errorf("it took %v", took)
				}
			}
			if len(report.Findings) == 0 {
				t.Fatal("nothing found")
			}
			f := report.Findings[0]
			if !slices.Contains(test.kinds, f.Kind) || len(f.Stream.Data) > test.most || !bytes.Contains(f.Stream.Data, []byte(test.has)) {
				t.Errorf("found %s (%s), %d bytes: %s\nwant one of %q, at most %d bytes, with %q",
					f.Kind, f.Detail, len(f.Stream.Data), Quote(f.Stream.Data), test.kinds, test.most, test.has)
			}
			t.Logf("%d runs in %.1f s: %s: %s cut at %v", report.Runs, report.Seconds, f.Kind, Quote(f.Stream.Data), f.Stream.Cuts)
		})
	}
}

func TestCorrectParserIsNotBlamed(t *testing.T) {
	for _, parser := range []string{"correct", "ccwire", "writes CR LF"} {
		t.Run(parser, func(t *testing.T) {
			if testing.Short() && parser != "ccwire" {
				t.Skip("one parser is enough here; make test-all runs them all")
			}
			o := Options{Seed: 1, Time: 6 * time.Second}
			if parser == "writes CR LF" {
				o.Growth = -1 // it holds its output
			}
			if testing.Short() {
				o.Growth, o.Time = -1, time.Second
			}
			report := fuzzParser(t, parser, o)
			var text strings.Builder
			report.WriteText(&text)
			if len(report.Findings) > 0 {
				t.Error(text.String())
			}
			t.Log(text.String())
		})
	}
}

func TestHangIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a parser that hangs; make test-all runs it")
	}
	report := fuzzParser(t, "hangs on blank", Options{Findings: 1, Growth: -1, Deadline: 2 * time.Second, Time: 20 * time.Second})
	if len(report.Findings) != 1 || report.Findings[0].Kind != Hang || len(report.Findings[0].Stream.Data) > 200 {
		t.Errorf("found %+v", report.Findings)
	}
}

func TestUnboundedGrowthIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes long streams; make test-all runs it")
	}
	f := newFuzzer(parserCommand(t, "holds the line"), Options{Deadline: time.Minute})
	if err := f.checkGrowth(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(f.report.Findings) != 1 || f.report.Findings[0].Kind != Growth {
		t.Fatalf("found %+v", f.report.Findings)
	}
	if found := f.report.Findings[0]; found.Script == "" || found.Unsteady || found.Stream.Size < endlessSize-100 {
		t.Errorf("the script does not show it again: %+v", found)
	}
}

func TestAHangThatDoesNotHappenAgainIsNoFinding(t *testing.T) {
	for _, test := range []struct {
		parser           string
		findings, stalls int
	}{{"correct", 0, 1}, {"hangs on blank", 1, 0}} {
		t.Run(test.parser, func(t *testing.T) {
			f := newFuzzer(parserCommand(t, test.parser), Options{})
			hung := newFailure(&Problem{Hang, "no end within the deadline"}, Stream{Data: []byte("\r\n{}\n")}, &outcome{hung: true}, nil)
			if test.findings > 0 {
				f.command.deadline = time.Second
			}
			if _, err := f.explainer.confirm(t.Context(), hung, hung); err != nil {
				t.Fatal(err)
			}
			if len(f.report.Findings) != test.findings || f.report.Stalls != test.stalls {
				t.Errorf("%d findings, %d stalls", len(f.report.Findings), f.report.Stalls)
			}
			var text strings.Builder
			f.report.WriteText(&text)
			if said := strings.Contains(text.String(), "note: 1 run took longer than the deadline, but not when"); said != (test.stalls > 0) {
				t.Error(text.String())
			}
		})
	}
}

func TestParserThatStopsAtALongLineIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes gigabytes; make test-all runs it")
	}
	f := newFuzzer(parserCommand(t, "scanner"), Options{Deadline: time.Minute})
	if err := f.checkGrowth(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(f.report.Findings) == 0 || f.report.Findings[0].Kind != Lost {
		t.Errorf("found %+v", f.report.Findings)
	}
}

func TestCommandWithoutTheContractIsAnError(t *testing.T) {
	if _, err := Run(t.Context(), parserCommand(t, "writes no JSON"), Options{}); !errors.Is(err, ErrContract) {
		t.Errorf("got %v", err)
	}
	if _, err := Run(t.Context(), []string{"/does/not/exist"}, Options{}); err == nil || errors.Is(err, ErrContract) {
		t.Errorf("got %v", err)
	}
}

func TestEndOfContextEndsTheRunWithWhatWasDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	o := Options{Time: time.Hour, Progress: func(Progress) {
		if runs++; runs == 5 {
			cancel()
		}
	}}
	report, err := Run(ctx, parserCommand(t, "correct"), o)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if report.Runs != runs || report.Seconds == 0 {
		t.Errorf("%d runs in %v s, want %d", report.Runs, report.Seconds, runs)
	}
}

func TestReportIsJSON(t *testing.T) {
	report := *reportOn(t, quickParser)
	report.Seed = 7
	data, err := json.Marshal(&report)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Seed     uint64
		Findings []struct {
			Kind   string
			Stream []byte `json:"stream_base64"`
		}
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Seed != 7 || len(got.Findings) != len(report.Findings) || got.Findings[0].Kind != "crash" || len(got.Findings[0].Stream) == 0 {
		t.Errorf("%s", data)
	}
}
