package framing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// reports are kept, since several tests look at the same ones.
var reports = map[string]*Report{}

// reportOn returns what the hand-made streams find in a parser.
func reportOn(t *testing.T, parser string) *Report {
	t.Helper()
	if reports[parser] == nil {
		f := newFuzzer(parserCommand(t, parser), Options{Time: time.Minute})
		if err := f.calibrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		var short []Stream // long ones take long
		for _, s := range spread(Nasties()) {
			if len(s.Data) <= 128<<10+100 {
				short = append(short, s)
			}
		}
		failures, err := f.sweep(t.Context(), short)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.explainAll(t.Context(), t.Context(), failures); err != nil {
			t.Fatal(err)
		}
		reports[parser] = &f.report
	}
	return reports[parser]
}

// quickParser is the one that is looked at with -short.
const quickParser = "two crashes"

func TestEachCauseIsOneFinding(t *testing.T) {
	for _, test := range []struct {
		parser string
		want   []string // the kind, and what must be in the details
	}{
		{"64 KiB scanner", []string{"line-limit: lines of 65536 bytes and more: lost: "}},
		{"crashes on noise", []string{"crash: exit status 3"}},
		{"two crashes", []string{"crash: exit status 4", "crash: exit status 3"}},
		{"two panics", []string{"crash: exit status 2", "crash: exit status 2"}},
		{"U+2028 split", []string{"lost: 1 frame did not come out"}},
		{"read is a line", []string{"lost: 1 frame did not come out"}},
	} {
		t.Run(test.parser, func(t *testing.T) {
			if testing.Short() && test.parser != quickParser {
				t.Skip("one parser is enough here; make test-all runs them all")
			}
			report := reportOn(t, test.parser)
			var got []string
			for i, f := range report.Findings {
				text := string(f.Kind) + ": " + f.Detail
				if i < len(test.want) && strings.HasPrefix(text, test.want[i]) {
					text = test.want[i]
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				var text strings.Builder
				report.WriteText(&text)
				t.Errorf("findings (-want +got):\n%s\n%s", diff, text.String())
			}
		})
	}
}

func TestAFindingCountsTheStreamsThatShowIt(t *testing.T) {
	if testing.Short() {
		t.Skip("other parsers are looked at; make test-all runs it")
	}
	report := reportOn(t, "crashes on noise")
	if len(report.Findings) != 1 {
		t.Fatalf("%d findings", len(report.Findings))
	}
	if n := report.Findings[0].Streams; n != report.Failures || n < 20 {
		t.Errorf("the finding counts %d streams, %d failed", n, report.Failures)
	}
}

func TestALineLimitIsShownByValidFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("it grows lines up to the limit; make test-all runs it")
	}
	for _, f := range reportOn(t, "64 KiB scanner").Findings {
		if !valid(f.Stream.traits()) {
			t.Errorf("%s: %s", f.Kind, Quote(f.Stream.Data))
		}
	}
}

// TestSavedStreamsShowTheirFindings runs the commands that the report gives.
func TestSavedStreamsShowTheirFindings(t *testing.T) {
	for _, parser := range []string{"64 KiB scanner", "crashes on noise", "two crashes", "U+2028 split", "read is a line"} {
		t.Run(parser, func(t *testing.T) {
			if testing.Short() && parser != quickParser {
				t.Skip("one parser is enough here; make test-all runs them all")
			}
			report := reportOn(t, parser)
			if err := report.Save(filepath.Join(t.TempDir(), "it's here")); err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			report.WriteText(&text)
			commands := againLine.FindAllStringSubmatch(text.String(), -1)
			if len(commands) == 0 || len(commands) != len(report.Findings) {
				t.Fatalf("%d commands for %d findings:\n%s", len(commands), len(report.Findings), text.String())
			}
			for i, f := range report.Findings {
				output, err := exec.Command("sh", "-c", commands[i][1]).Output()
				p := judge(Expect(f.Stream.Data), output, false)
				if err != nil {
					p = &Problem{Crash, err.Error()}
				}
				if p == nil || p.Kind != f.symptom.kind {
					t.Errorf("%s: %s\n%s\ngives %+v", f.Kind, f.Detail, commands[i][1], p)
				}
			}
		})
	}
}

var againLine = regexp.MustCompile(`(?m)^   again: (.*)$`)

func TestAPieceThatMattersIsSavedAsAScript(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs a parser often; make test-all runs it")
	}
	report := reportOn(t, "read is a line")
	if !slices.ContainsFunc(report.Findings, func(f Finding) bool { return f.Script != "" && !f.Unsteady }) {
		t.Errorf("found %+v", report.Findings)
	}
}

func TestScriptWritesTheStream(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for _, s := range []Stream{
		{Name: "nothing"},
		{Name: "every byte", Data: every},
		{Name: "percent and quotes", Data: []byte(`%d %% '\n' "$HOME" $(x) \0`)},
		{Name: "long runs", Data: []byte(strings.Repeat("'", 1000) + "a" + strings.Repeat("\\", 300) + strings.Repeat("\x00", 300))},
		{Name: "pieces", Data: []byte("{}\n{}\n"), Cuts: []int{1, 4}},
		{Name: "no runs", Data: bytes.Repeat([]byte("ab"), 10_000)},
	} {
		cmd := exec.Command("sh")
		cmd.Stdin = strings.NewReader(s.script(0))
		got, err := cmd.Output()
		if err != nil || !bytes.Equal(got, s.Data) {
			t.Errorf("%s: %v, wrote %s", s.Name, err, Quote(got))
		}
	}
}

func TestScriptWritesTheEndlessStream(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes gigabytes; make test-all runs it")
	}
	for _, e := range endless {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() { // ends with the stream
			e.feed(context.Background(), &feeder{File: w})
			w.Close()
		}()
		want, got := sha256.New(), sha256.New()
		io.Copy(want, r)
		r.Close()
		cmd := exec.Command("sh")
		cmd.Stdin, cmd.Stdout = strings.NewReader(e.script()), got
		if err := cmd.Run(); err != nil || !bytes.Equal(want.Sum(nil), got.Sum(nil)) {
			t.Errorf("%s: another stream, %v", e.name, err)
		}
	}
}

func TestReasonOfACrash(t *testing.T) {
	for _, test := range []struct{ name, stderr, want string }{
		{"nothing", "", ""},
		{"Python", "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\njson.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n", "json.decoder.JSONDecodeError: Expecting value: line 0 column 0 (char 0)"},
		{"Go", "panic: boom at 17\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/x.go:5 +0x25\nexit status 2\n", "panic: boom at 0"},
		{"Node", "/x.js:1\nSyntaxError: Unexpected token 'n', \"noise\" is not valid JSON\n    at JSON.parse (<anonymous>)\n\nNode.js v22.1.0\n", "SyntaxError: Unexpected token …, … is not valid JSON"},
		{"other", "starting\ncannot read 0x1f\n", "cannot read 0"},
	} {
		if got := reason([]byte(test.stderr)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestTimeLimitHoldsForASlowParser(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs until the time is over; make test-all runs it")
	}
	for _, test := range []struct {
		parser   string
		findings int
	}{{"slow", 0}, {"slow to crash", 1}} {
		t.Run(test.parser, func(t *testing.T) {
			const limit = 5 * time.Second
			var estimate Estimate
			start := time.Now()
			report := fuzzParser(t, test.parser, Options{Time: limit, Estimate: func(e Estimate) { estimate = e }})
			if took := time.Since(start); took > limit+2*time.Second {
				t.Errorf("it took %v", took)
			}
			if len(report.Findings) != test.findings || report.Missed < 150 || report.Enough < 100*time.Second {
				t.Errorf("%d findings, %d streams missed, %v is enough", len(report.Findings), report.Missed, report.Enough)
			}
			if estimate.Run < 500*time.Millisecond || estimate.Enough < 100*time.Second {
				t.Errorf("the estimate is %+v", estimate)
			}
		})
	}
}
