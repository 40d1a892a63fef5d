package reports

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/suite"
)

// Style says how a table looks. The zero Style colours nothing.
type Style struct {
	// Width is how many columns the table of results may take; 0 means 80.
	Width                   int
	Good, Bad, Weak, Strong func(string) string
	// Text makes what a CLI wrote fit for the terminal.
	Text func(string) string
}

func apply(f func(string) string, text string) string {
	if f == nil {
		return text
	}
	return f(text)
}

// Table writes the results grouped by area, then each failure with its step and its last lines,
// then a summary.
func Table(w io.Writer, r *suite.Report, style Style) error {
	t := &table{w: w, r: r, style: style}
	t.matrix()
	t.failures()
	t.inconclusive()
	t.findings()
	t.changes()
	t.notes()
	t.summary()
	return t.err
}

type table struct {
	w     io.Writer
	r     *suite.Report
	style Style
	err   error // the first error of w
}

func (t *table) printf(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

// words are what a status is called in the table; all have the same length.
var words = map[suite.Status]string{
	suite.Pass:          "ok",
	suite.Fail:          "FAIL",
	suite.KnownFailing:  "known",
	suite.NotApplicable: "-",
	suite.Inconclusive:  "?",
}

// usualWidth is how many columns a table may take if nothing else is said.
const usualWidth = 80

// matrix writes a row for each scenario and a column for each target. Targets for which the width
// does not suffice follow in a matrix of their own.
func (t *table) matrix() {
	if len(t.r.Targets) == 0 {
		return
	}
	m := matrix{all: len(t.r.Targets), columns: cmp.Or(t.style.Width, usualWidth), cell: 5}
	for _, name := range t.r.Targets {
		m.cell = max(m.cell, len(name))
	}
	for i := range t.r.Results {
		_, name := split(t.r.Results[i].Scenario)
		m.left = max(m.left, utf8.RuneCountInString(name))
	}
	at := max(1, (m.columns-m.left-2)/(m.cell+2)) // how many targets fit
	for m.first = 0; m.first < m.all; m.first += at {
		m.last = min(m.first+at, m.all)
		t.rows(m)
	}
}

// A matrix is some of the targets, and how wide everything is.
type matrix struct {
	all         int // how many targets the report has
	first, last int // the targets in this matrix
	columns     int // the width of the whole
	left, cell  int // the width of the names and of a status
}

// minTitle is the width below which a title says nothing.
const minTitle = 20

func (t *table) rows(m matrix) {
	line := fmt.Sprintf("%-*s", m.left+4, "")
	for _, name := range t.r.Targets[m.first:m.last] {
		line += apply(t.style.Strong, fmt.Sprintf("%-*s", m.cell, name)) + "  "
	}
	t.printf("%s\n", strings.TrimRight(line, " "))
	area := ""
	room := m.columns - m.left - 4 - (m.last-m.first)*(m.cell+2)
	for i := 0; i < len(t.r.Results); i += m.all {
		row := t.r.Results[i+m.first : i+m.last]
		a, name := split(row[0].Scenario)
		if a != area {
			area = a
			t.printf("%s\n", apply(t.style.Strong, area))
		}
		line := fmt.Sprintf("  %-*s", m.left, name)
		for j := range row {
			line += "  " + t.word(row[j].Status, m.cell)
		}
		if room >= minTitle {
			line += "  " + apply(t.style.Weak, shorten(row[0].Title, room))
		}
		t.printf("%s\n", strings.TrimRight(line, " "))
	}
	t.printf("\n")
}

func (t *table) word(s suite.Status, width int) string {
	text := fmt.Sprintf("%-*s", width, words[s])
	switch s {
	case suite.Pass:
		return apply(t.style.Good, text)
	case suite.Fail:
		return apply(t.style.Bad, text)
	}
	return apply(t.style.Weak, text)
}

// failures writes each failure, those of one cause together: the first in full, the others by
// their names and rules.
func (t *table) failures() {
	told := map[string]bool{}
	for i := range t.r.Results {
		r := &t.r.Results[i]
		key := r.Target + r.Cause
		if r.Status != suite.Fail || r.Cause != "" && told[key] {
			continue
		}
		told[key] = true
		t.printf("%s %s on %s (%s)\n", apply(t.style.Bad, "FAIL"), r.Scenario, r.Target, weight(r))
		if r.Cause != "" {
			t.printf("  cause:     %s\n", apply(t.style.Text, r.Cause))
		}
		t.failure(r)
		if r.Cause != "" {
			t.sameCause(i)
		}
		t.printf("\n")
	}
}

// inconclusive lists what is neither, by its reason.
func (t *table) inconclusive() {
	names := map[string][]string{}
	var reasons []string
	for i := range t.r.Results {
		r := &t.r.Results[i]
		if r.Status != suite.Inconclusive {
			continue
		}
		if names[r.Reason] == nil {
			reasons = append(reasons, r.Reason)
		}
		names[r.Reason] = append(names[r.Reason], r.Scenario)
	}
	if len(reasons) == 0 {
		return
	}
	t.printf("%s\n", apply(t.style.Strong, "inconclusive (neither a pass nor a failure):"))
	for _, reason := range reasons {
		t.printf("  %s\n    %s\n", apply(t.style.Text, shorten(reason, 400)), strings.Join(names[reason], ", "))
	}
	t.printf("\n")
}

// weight says how bad a failure is.
func weight(r *suite.Result) string {
	if r.Harm == "" {
		return string(r.Level)
	}
	return fmt.Sprintf("%s, %s", r.Level, r.Harm)
}

// sameCause lists the failures after one that have its cause.
func (t *table) sameCause(first int) {
	r := &t.r.Results[first]
	title := "  of the same cause:\n"
	for i := first + 1; i < len(t.r.Results); i++ {
		o := &t.r.Results[i]
		if o.Status == suite.Fail && o.Target == r.Target && o.Cause == r.Cause {
			t.printf("%s    %s (%s): %s\n", title, o.Scenario, weight(o), shorten(o.Title, 200))
			title = ""
		}
	}
}

// Failure writes what a table says of one failure: the rule, the step and the last lines.
func Failure(w io.Writer, r *suite.Result) error {
	t := &table{w: w}
	t.failure(r)
	return t.err
}

func (t *table) failure(r *suite.Result) {
	t.printf("  must hold: %s\n", r.Title)
	if r.Step != "" {
		t.printf("  step:      %s\n", shorten(r.Step, 300))
	}
	t.printf("  why:       %s\n", apply(t.style.Text, r.Reason))
	if n := len(r.Trace); n > 0 {
		t.printf("  the session's last lines (> from the SDK, < from the CLI):\n")
		for _, e := range r.Trace[max(0, n-8):] {
			t.printf("    %8s %s %s\n", e.At.Round(time.Millisecond), arrow(e.From), apply(t.style.Text, shorten(strings.TrimSpace(e.Text), 240)))
		}
	}
}

func arrow(s suite.Side) string {
	switch s {
	case suite.SDK:
		return ">"
	case suite.CLI:
		return "<"
	}
	return "|"
}

// findings lists what the schemas do not name, each once.
func (t *table) findings() {
	list := Findings(t.r)
	if len(list) == 0 {
		return
	}
	t.printf("%s\n", apply(t.style.Strong, "not in the schemas yet (nothing fails for it):"))
	for _, f := range list {
		t.printf("  %-10s %s\n", f.Target, f.Text)
	}
	t.printf("\n")
}

// mostChanges is how many changes of a weight the table shows.
const mostChanges = 12

// weightTitles are what changes of a weight are called.
var weightTitles = map[suite.Weight]string{
	suite.Breaks: "breaks SDKs", suite.New: "new things to support", suite.Cosmetic: "cosmetic",
}

// changes lists what is otherwise than in the nearest recorded versions.
func (t *table) changes() {
	list := Changes(t.r)
	for len(list) > 0 {
		first := list[0]
		n := slices.IndexFunc(list, func(c ChangeLine) bool { return c.Target != first.Target || c.Weight != first.Weight })
		if n < 0 {
			n = len(list)
		}
		t.printf("%s\n", apply(t.style.Strong, fmt.Sprintf("%s, not as in the nearest recorded versions: %s (%d)", first.Target, weightTitles[first.Weight], n)))
		for _, c := range list[:min(n, mostChanges)] {
			t.printf("  %s\n    %s\n", apply(t.style.Text, c.Text), apply(t.style.Weak, c.shown()))
		}
		if n > mostChanges {
			t.printf("  and %d more: --json and --html have all\n", n-mostChanges)
		}
		t.printf("\n")
		list = list[n:]
	}
}

// shown says which scenarios show a change, and from which versions.
func (c *ChangeLine) shown() string {
	const few = 3
	text := "from " + c.From + ": " + strings.Join(c.Scenarios[:min(few, len(c.Scenarios))], ", ")
	if more := len(c.Scenarios) - few; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (t *table) notes() {
	for _, n := range t.r.Notes {
		t.printf("%s %s\n", apply(t.style.Strong, "note:"), apply(t.style.Text, n))
	}
	if len(t.r.Notes) > 0 {
		t.printf("\n")
	}
}

func (t *table) summary() {
	for _, p := range t.r.Problems {
		t.printf("%s %s\n", apply(t.style.Bad, "PROBLEM"), p)
	}
	t.printf("%s", count(len(t.r.Results)/max(1, len(t.r.Targets)), "scenario", "scenarios"))
	if len(t.r.Targets) > 1 {
		t.printf(" on %d versions", len(t.r.Targets))
	}
	t.printf(": %s", count(t.r.Count(suite.Pass), "holds", "hold"))
	for _, c := range []struct {
		status    suite.Status
		one, many string
	}{
		{suite.Fail, "fails", "fail"},
		{suite.KnownFailing, "fails as the list of known failures says", "fail as the list of known failures says"},
		{suite.Inconclusive, "is inconclusive", "are inconclusive"},
		{suite.NotApplicable, "does not apply", "do not apply"},
	} {
		if n := t.r.Count(c.status); n > 0 {
			t.printf(", %s", count(n, c.one, c.many))
		}
	}
	if why := inapplicable(t.r); why != "" {
		t.printf(" (%s)", why)
	}
	t.printf(" (%s%s)\n", t.r.Duration.Round(100*time.Millisecond), speed(t.r))
}

// speed says how many scenarios a second were played, "" if they were few.
func speed(r *suite.Report) string {
	const many = 20
	played := len(r.Results) - r.Count(suite.NotApplicable)
	if played < many || r.Duration <= 0 {
		return ""
	}
	return fmt.Sprintf(", %.1f a second", float64(played)/r.Duration.Seconds())
}

// inapplicable says why scenarios do not apply, what is said most often first.
func inapplicable(r *suite.Report) string {
	times := map[string]int{}
	for i := range r.Results {
		if res := &r.Results[i]; res.Status == suite.NotApplicable && res.Reason != "" {
			times[res.Reason]++
		}
	}
	reasons := slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(times[b]-times[a], strings.Compare(a, b))
	})
	const most = 3
	var said []string
	for _, reason := range reasons[:min(most, len(reasons))] {
		said = append(said, fmt.Sprintf("%d: %s", times[reason], reason))
	}
	if len(reasons) > most {
		said = append(said, "…")
	}
	return strings.Join(said, "; ")
}

// count returns the number with the word for one or for many.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func split(name string) (area, rest string) {
	area, rest, _ = strings.Cut(name, "/")
	return area, rest
}

func shorten(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}
