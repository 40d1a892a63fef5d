package linecheck_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// odd is an input with one line for each thing that can be wrong with one.
const odd = `{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}
{"type":"control_request","request_id":"1","request":{"subtype":"interrupt","more":1}}
{"type":"control_request","request_id":"1","request":{"subtype":"new_thing"}}
{"type":"new_thing"}
{"type":"control_request","request_id":"1","request":{"subtype":"set_permission_mode","mode":"bold"}}
{"type":"control_request","request_id":"1","request":{"subtype":"set_permission_mode"}}
{"type":"control_request","request_id":"1","request":{"subtype":"set_model","model":5}}
{"type":"user","content":"hi"}
{"type":"user","message":{"role":"user","content":[{"type":"text"},{"type":"hologram"}]}}
{"type":"keep_alive","type":"keep_alive"}
{"type":
{"type":"keep_alive"} {}
warning: not JSON ` + "\x1b[2J" + `

` + "\ufeff" + `{"type":"keep_alive"}` + "\r" + `
[1]
{"type":"keep_alive","pad":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}
{"type":"keep_alive"}`

func run(t testing.TB, lint bool, o linestream.Options, input string, p func(*bytes.Buffer) linecheck.Printer) (string, linecheck.Summary) {
	t.Helper()
	var out bytes.Buffer
	printer := p(&out)
	r := linecheck.Run{
		Checker:    linecheck.New(lint),
		Options:    o,
		Stdin:      strings.NewReader(input),
		Emit:       printer.Finding,
		Unreadable: func(err error) { fmt.Fprintln(&out, "unreadable:", err) },
	}
	sum, err := r.Files([]string{"-"})
	if err == nil {
		err = printer.Summary(sum)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), sum
}

func asText(out *bytes.Buffer) linecheck.Printer {
	return linecheck.NewTextPrinter(out, out, terminal.Style{})
}

func asJSON(out *bytes.Buffer) linecheck.Printer { return linecheck.NewJSONPrinter(out) }

func TestFindings(t *testing.T) {
	for _, mode := range []struct {
		name string
		lint bool
		as   func(*bytes.Buffer) linecheck.Printer
	}{
		{"strict.txt", false, asText},
		{"strict.ndjson", false, asJSON},
		{"lint.txt", true, asText},
		{"lint.ndjson", true, asJSON},
	} {
		t.Run(mode.name, func(t *testing.T) {
			got, _ := run(t, mode.lint, linestream.Options{MaxLine: 110}, odd, mode.as)
			golden(t, mode.name, got)
		})
	}
}

// long matches the list of all types, which grows with the schemas.
var long = regexp.MustCompile(`want \\?".*? or \d+ others`)

// golden compares with a file of testdata.
func golden(t testing.TB, name, got string) {
	t.Helper()
	got = long.ReplaceAllString(got, "want …")
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), run with -update if that is right:\n%s", file, diff)
	}
}

func TestDirectionOfPlainLinesCounts(t *testing.T) {
	const fromSDK = `{"type":"update_environment_variables","variables":{}}`
	for dir, findings := range map[schema.Direction]bool{schema.Either: false, schema.FromSDK: false, schema.FromCLI: true} {
		out, sum := run(t, false, linestream.Options{Direction: dir}, fromSDK, asText)
		if (sum.Findings > 0) != findings {
			t.Errorf("direction %d: %s", dir, out)
		}
	}
}

func TestDirectionOfARecordingComesFromItsEntries(t *testing.T) {
	const line = `"line":"{\"type\":\"update_environment_variables\",\"variables\":{}}\n{"}`
	input := `{"dir":"header"}` + "\n" + `{"dir":"sdk->cli",` + line + "\n" + `{"dir":"cli->sdk",` + line + "\nnoise\n"
	out, sum := run(t, false, linestream.Options{}, input, asText)
	golden(t, "recording.txt", out)
	want := linecheck.Summary{Files: 1, Lines: 5, Invalid: 4, Skipped: 1, Findings: 4}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Error(diff)
	}
}

func TestRecordedSessionsOfTheNewestCLIHaveNoErrors(t *testing.T) {
	names, err := filepath.Glob("../../conformance/recordings/" + corpus.Newest() + "/turn/*.ndjson")
	if err != nil || len(names) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, lint := range []bool{false, true} {
		r := linecheck.Run{
			Checker:    linecheck.New(lint),
			Emit:       func(f linecheck.Finding) error { t.Error(f.Text(terminal.Style{})); return nil },
			Unreadable: func(err error) { t.Error(err) },
		}
		if sum, err := r.Files(names); err != nil || sum.Lines == 0 {
			t.Errorf("%+v, %v", sum, err)
		}
	}
}

func TestUnreadableFilesDoNotEndTheRun(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.ndjson")
	if err := os.WriteFile(good, []byte(`{"type":"keep_alive"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	var reasons []error
	r := linecheck.Run{
		Checker:    linecheck.New(false),
		Emit:       func(linecheck.Finding) error { return nil },
		Unreadable: func(err error) { reasons = append(reasons, err) },
	}
	sum, err := r.Files([]string{filepath.Join(dir, "missing"), dir, good})
	if want := (linecheck.Summary{Files: 1, Unreadable: 2, Lines: 1}); err != nil || sum != want || len(reasons) != 2 {
		t.Errorf("got %+v, %v, %v", sum, reasons, err)
	}
}

func TestErrorOfThePrinterEndsTheRun(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	r := linecheck.Run{
		Checker: linecheck.New(false),
		Stdin:   strings.NewReader("a\nb\n"),
		Emit:    func(linecheck.Finding) error { calls++; return full },
	}
	if _, err := r.Files([]string{"-"}); !errors.Is(err, full) || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
}

func TestTextEscapesControlCharactersAndColours(t *testing.T) {
	style, err := terminal.NewStyle("always", nil, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	f := linecheck.Finding{File: "a\x1b", Line: 3, Part: 2, Severity: linecheck.Lint,
		Deviation: codec.Deviation{Kind: codec.Invalid, Path: "/\n", Detail: "m\x07"}, Keyword: "k"}
	want := "\x1b[1ma\\x1b:3 (part 2):\x1b[0m \x1b[33mlint:\x1b[0m invalid at /\\n: m\\a \x1b[2m(k)\x1b[0m"
	if got := f.Text(style); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLintReportsAllDeviationsOfALine(t *testing.T) {
	const members = 300
	var line strings.Builder
	line.WriteString(`{"type":"keep_alive"`)
	for i := range members {
		fmt.Fprintf(&line, `,"new%d":1`, i)
	}
	line.WriteString("}")
	found := linecheck.New(true).Check(schema.Either, codec.Line{Kind: codec.ObjectLine, Bytes: []byte(line.String())})
	seen := map[string]bool{}
	for _, f := range found {
		if f.Kind != codec.UnknownMember {
			t.Errorf("got %v", f)
		}
		seen[f.Path] = true
	}
	if len(found) != members || len(seen) != members {
		t.Errorf("%d findings at %d places, want %d", len(found), len(seen), members)
	}
}

func TestAnOpenCheckerFailsWrongShapesAlone(t *testing.T) {
	tests := []struct {
		line  string
		wants []string // the kinds of the findings, and their paths
	}{
		{`{"type":"keep_alive","more":1}`, nil},
		{`{"type":"new_thing"}`, nil},
		{`{"type":"control_request","request_id":"1","request":{"subtype":"new_thing"}}`, nil},
		{`{"type":"control_request","request_id":"1","request":{"subtype":"set_permission_mode","mode":"bold"}}`, nil},
		{`{"type":"user","content":"hi"}`, nil},
		{"", nil},
		{"\ufeff" + `{"type":"keep_alive"}` + "\r", nil},
		{`{"type":"control_request","request_id":"1","request":{"subtype":"set_permission_mode"}}`, []string{"invalid /request/mode"}},
		{`{"type":"control_request","request_id":"1","request":{"subtype":"set_model","model":5}}`, []string{"invalid /request/model"}},
		{`{"type":"control_request","request_id":"1","request":{"subtype":"set_model","model":5,"more":1}}`, []string{"invalid /request/model"}},
		{`{"type":`, []string{"malformed /type"}},
		{`text`, []string{"noise "}},
	}
	for _, tt := range tests {
		line, err := codec.NewReader(strings.NewReader(tt.line+"\n"), nil).Next()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range linecheck.New(false).Open().Check(schema.Either, line) {
			if f.Severity != linecheck.Error {
				t.Errorf("%s: %v is no error", tt.line, f)
			}
			got = append(got, f.Kind.String()+" "+f.Path)
		}
		if diff := cmp.Diff(tt.wants, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.line, diff)
		}
	}
}

// TestTheLintFindsWhereverTheOthersDo compares the three on every odd line.
func TestTheLintFindsWhereverTheOthersDo(t *testing.T) {
	lint, strict := linecheck.New(true), linecheck.New(false)
	for text := range strings.SplitSeq(odd, "\n") {
		line, err := codec.NewReader(strings.NewReader(text+"\n"), nil).Next()
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]*linecheck.Checker{"the default": strict, "--open": strict.Open()} {
			if len(c.Check(schema.Either, line)) > 0 && len(lint.Check(schema.Either, line)) == 0 {
				t.Errorf("%s has findings, and the lint has none: %q", name, text)
			}
		}
	}
}

// TestARunThatIsStoppedSaysHowFarItCame stops it while it waits for the second line.
func TestARunThatIsStoppedSaysHowFarItCame(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	stop := make(chan struct{})
	r := linecheck.Run{
		Checker: linecheck.New(false), Stdin: in, Stop: stop,
		Emit: func(linecheck.Finding) error { close(stop); return nil },
	}
	go io.WriteString(out, `{"type":"keep_alive","more":1}`+"\n")
	sum, err := r.Files([]string{"-"})
	if !errors.Is(err, linecheck.ErrStopped) || sum.Lines != 1 || sum.Findings != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
}
