package reports

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/ccwire/ccwire/internal/suite"
)

// FindingLine is one thing that a target's lines have and the schemas do not name.
type FindingLine struct {
	Target string `json:"target"`
	Text   string `json:"text"`
	Count  int    `json:"count"`
}

var indexPart = regexp.MustCompile(`/\d+`)

// Findings lists the findings of a report, each once per target, sorted.
func Findings(r *suite.Report) []FindingLine {
	counts := map[FindingLine]int{}
	for i := range r.Results {
		for _, f := range r.Results[i].Findings {
			text := fmt.Sprintf("%s: %s at %s: %s", f.Frame, f.Kind, indexPart.ReplaceAllString(f.Path, "/N"), f.Detail)
			counts[FindingLine{Target: r.Results[i].Target, Text: text}]++
		}
	}
	var list []FindingLine
	for f, n := range counts {
		f.Count = n
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b FindingLine) int {
		return cmp.Or(cmp.Compare(slices.Index(r.Targets, a.Target), slices.Index(r.Targets, b.Target)), cmp.Compare(a.Text, b.Text))
	})
	return list
}
