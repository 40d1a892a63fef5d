package framing

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A plantedBug is a parser, and the causes that are to be found in it. Beside a busy machine they
// are the same; with "yes >/dev/null" beside it, as often as there are processors:
//
//	go test -tags languages -count 5 -timeout 60m -run PlantedBugIn ./internal/framing
type plantedBug struct {
	parser string
	causes []string // ids
}

const dies = "gives up"

var inPython = []plantedBug{
	{"correct", nil},
	{"correct_text", nil},
	{"dies_at_noise", []string{dies + " at a line that is not a JSON object"}},
	{"dies_at_values", []string{dies + " at JSON that is not an object"}},
	{"stops_at_blank", []string{loses + " at a blank line"}},
	{"stops_at_nul", []string{loses + " at NUL"}},
	{"splits_text", []string{"splits"}},
	{"universal_newlines", []string{"splits"}},
	{"end_of_a_line_by_dots", []string{"splits"}},
	{"whole_line_by_dots", []string{"loses-separators"}},
	{"limit_1mib", []string{"limit"}},
	{"loses_last", []string{"last-line"}},
	{"decodes_each_read", []string{"pieces-character"}},
	{"decodes_each_4096", []string{"pieces-character"}},
	{"read_is_lines", []string{"pieces"}},
	{"reads_of_4096", []string{"pieces"}},
	{"reads_latin_1", []string{"no-utf-8"}},
	{"dies_at_invalid", []string{dies + " at invalid UTF-8"}},
	{"dies_of_depth", []string{dies + " at nesting"}},
	{"counts_braces", []string{loses + " at half an object", "values"}},
	{"values", []string{"values"}},
	{"rounds", []string{loses + " long number"}},
	{"drops_repeats", []string{loses + " "}},
	{"u2028_and_last", []string{"last-line", "splits"}},
	{"null_and_limit", []string{dies + " at the line null", "limit"}},
	{"universal_and_noise", []string{dies + " at a line that is not a JSON object", "splits"}},
	{"half_and_depth", []string{dies + " at half an object", dies + " at nesting"}},
	{"noise_and_depth", []string{dies + " at nesting", loses + " at a line that is not a JSON object"}},
}

func TestEachPlantedBugInPythonIsCalledByItsCause(t *testing.T) {
	for _, test := range inPython {
		t.Run(test.parser, func(t *testing.T) {
			if testing.Short() && test.parser != "u2028_and_last" {
				t.Skip("one parser is enough here; make test-all runs them all")
			}
			checkPlanted(t, pythonCommand(t, test.parser), test)
		})
	}
}

// handMade returns what the hand-made streams find in a parser.
func handMade(t *testing.T, argv []string, o Options) *Report {
	t.Helper()
	o.Time = time.Minute
	f := newFuzzer(argv, o)
	defer f.server.stop(0)
	if err := f.calibrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	streams := slices.DeleteFunc(spread(Nasties()), func(s Stream) bool { return len(s.Data) > 2<<20 }) // they take long
	failures, err := f.sweep(t.Context(), streams)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.explainAll(t.Context(), t.Context(), failures); err != nil {
		t.Fatal(err)
	}
	f.report.Seconds = time.Since(f.began).Seconds()
	return &f.report
}

func checkPlanted(t *testing.T, argv []string, test plantedBug) {
	t.Helper()
	report := handMade(t, append(argv, "--persistent"), Options{Persistent: true})
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.cause.id)
	}
	slices.Sort(got)
	if diff := cmp.Diff(test.causes, got); diff != "" {
		t.Errorf("-want +got\n%s\n%s", diff, strings.ReplaceAll(reportText(report), "\n", "\n    "))
	}
}

var inGo = []plantedBug{
	{"correct", nil},
	{"ccwire", nil},
	{"64 KiB scanner", []string{"limit"}},
	{"64 KiB split", []string{"limit"}},
	{"U+2028 split", []string{"splits"}},
	{"CR kept", []string{"cr-kept"}},
	{"last line lost", []string{"last-line"}},
	{"read is a line", []string{"pieces"}},
	{"stream of values", []string{loses + " at a line that is not a JSON object", "values"}},
	{"reorders", []string{"reordered"}},
	{"repeats", []string{"repeated"}},
	{"bytes to characters", []string{"pieces-character"}},
	{"poisoned by noise", []string{loses + " at a line that is not a JSON object", "values"}},
	{"crashes on noise", []string{dies + " at a line that is not a JSON object"}},
}

func TestEachPlantedBugInGoIsCalledByItsCause(t *testing.T) {
	for _, test := range inGo {
		t.Run(test.parser, func(t *testing.T) {
			if testing.Short() && test.parser != "stream of values" {
				t.Skip("one parser is enough here; make test-all runs them all")
			}
			checkPlanted(t, parserCommand(t, test.parser), test)
		})
	}
}
