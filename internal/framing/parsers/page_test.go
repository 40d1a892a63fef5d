//go:build languages

package parsers

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/framing"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/parsers.md")

const (
	page   = "../../../docs/parsers.md"
	header = "| parser | version | what it does | the smallest stream |\n| --- | --- | --- | --- |\n"
)

// TestPageSaysWhatIsFoundInEachParser compares the rows of each parser, but for those that are at
// the version of another Go or Python than there is.
func TestPageSaysWhatIsFoundInEachParser(t *testing.T) {
	s := newShelf(t)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, old, ok := strings.Cut(string(text), header)
	if !ok {
		t.Fatalf("%s has no table", page)
	}
	var table strings.Builder
	for _, p := range all {
		t.Run(p.name+", "+p.how, func(t *testing.T) {
			start := p.start(s)
			if p.local && !*update && !strings.Contains(old, start) {
				t.Skipf("%s has another version than %s", page, start)
			}
			report := p.run(t, s)
			var b strings.Builder
			report.WriteText(&b)
			t.Log(b.String())
			rows := rows(start, report)
			table.WriteString(rows)
			if got := rowsOf(old, start); got != rows && !*update {
				t.Errorf("make parsers brings %s up to date (-page +found):\n%s", page, cmp.Diff(got, rows))
			}
		})
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(page, []byte(before+header+table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// start is how each row of the parser begins.
func (p *parser) start(s *shelf) string {
	return fmt.Sprintf("| %s: %s | %s |", p.name, p.how, p.version(s))
}

// rows are what was found, a row for each cause.
func rows(start string, r *framing.Report) string {
	var b strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		does := f.Does()
		if f.Kind == framing.LineLimit {
			does += " (" + strings.TrimSuffix(strings.SplitAfter(f.Detail, ":")[0], ":") + ")"
		}
		fmt.Fprintf(&b, "%s %s | `%s` |\n", start, does, strings.ReplaceAll(framing.Quote(f.Stream.Data), "|", `\|`))
	}
	if b.Len() == 0 {
		fmt.Fprintf(&b, "%s nothing was found | |\n", start)
	}
	return b.String()
}

func rowsOf(table, start string) string {
	var b strings.Builder
	for row := range strings.Lines(table) {
		if strings.HasPrefix(row, start) {
			b.WriteString(row)
		}
	}
	return b.String()
}
