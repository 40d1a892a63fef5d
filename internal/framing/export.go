package framing

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/ciformat"
)

// WriteJUnit writes the report as build servers read it: a case for the hand-made streams, which
// counts as failed if some were never played, and a failed one for each finding.
func (r *Report) WriteJUnit(w io.Writer) error {
	const class = "framing"
	all := []ciformat.Case{{Class: class, Name: "every hand-made stream is played"}}
	if r.Missed > 0 {
		all[0].Failure = &ciformat.Failure{Message: fmt.Sprintf("%s never played; --time %v is enough", count(r.Missed, "hand-made stream"), r.Enough)}
	}
	for i, f := range r.Findings {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n", f.text())
		r.writeStream(&b, i)
		all = append(all, ciformat.Case{Class: class, Name: f.title(), Failure: &ciformat.Failure{Message: f.Problem.String(), Text: b.String()}})
	}
	s := ciformat.Suite{Name: "framing of " + strings.Join(r.Command, " "), Time: time.Duration(r.Seconds * float64(time.Second)), Cases: all}
	return s.WriteJUnit(w)
}

// title says what the parser does wrong, in a few words.
func (f *Finding) title() string {
	if f.cause.text == "" {
		return string(f.Kind)
	}
	return fmt.Sprintf("%s: %s", f.Kind, f.cause.text)
}

// WriteSARIF writes the findings as code scanners read them. The place of a finding is its stream,
// if that was saved, or the command.
func (r *Report) WriteSARIF(w io.Writer) error {
	var rules []ciformat.Rule
	var findings []ciformat.Finding
	seen := map[string]bool{}
	for i, f := range r.Findings {
		if !seen[f.cause.id] {
			seen[f.cause.id] = true
			rules = append(rules, ciformat.Rule{ID: f.cause.id, Short: f.title(), Full: f.cause.rule})
		}
		file := r.Command[0]
		if r.saved != "" {
			file = filepath.Join(r.saved, f.fileName(i, r.persistent))
		}
		findings = append(findings, ciformat.Finding{Rule: f.cause.id, Text: f.text(), File: file})
	}
	return ciformat.WriteSARIF(w, "ccwire framing fuzzer", rules, findings)
}
