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

// ChangeLine is one way in which a target differs from the nearest recorded versions, however many
// scenarios show it.
type ChangeLine struct {
	Target    string       `json:"target"`
	From      string       `json:"from"` // those versions
	Weight    suite.Weight `json:"weight"`
	Text      string       `json:"text"`
	Scenarios []string     `json:"scenarios"`
}

// Changes lists the changes of a report, each once per target: what breaks SDKs first, and of that
// what most scenarios show.
func Changes(r *suite.Report) []ChangeLine {
	var list []ChangeLine
	at := map[string]int{}
	for i := range r.Results {
		res := &r.Results[i]
		for j := range res.Changes {
			c := &res.Changes[j]
			line := ChangeLine{Target: res.Target, From: c.From, Weight: c.Weight, Text: ChangeText(c)}
			key := fmt.Sprintf("%q", []string{line.Target, line.From, string(line.Weight), line.Text})
			if _, ok := at[key]; !ok {
				at[key] = len(list)
				list = append(list, line)
			}
			if have := &list[at[key]]; !slices.Contains(have.Scenarios, res.Scenario) {
				have.Scenarios = append(have.Scenarios, res.Scenario)
			}
		}
	}
	order := []suite.Weight{suite.Breaks, suite.New, suite.Cosmetic}
	slices.SortStableFunc(list, func(a, b ChangeLine) int {
		return cmp.Or(
			cmp.Compare(slices.Index(r.Targets, a.Target), slices.Index(r.Targets, b.Target)),
			cmp.Compare(slices.Index(order, a.Weight), slices.Index(order, b.Weight)),
			-cmp.Compare(len(a.Scenarios), len(b.Scenarios)),
			cmp.Compare(a.Text, b.Text),
		)
	})
	return list
}

// ChangeText says what changed. Values are left out where a member or a line comes or goes.
func ChangeText(c *suite.Change) string {
	at := c.Frame
	if c.Path != "" {
		at += ": " + indexPart.ReplaceAllString(c.Path, "/N")
	}
	switch {
	case c.Was == "":
		return at + " is new"
	case c.Is == "":
		return at + " is gone"
	}
	return fmt.Sprintf("%s was %s, is %s", at, shorten(c.Was, 60), shorten(c.Is, 60))
}
