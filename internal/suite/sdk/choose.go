package sdk

import (
	"slices"

	"github.com/ccwire/ccwire/internal/suite"
)

// Select returns the scenarios that match one of run, all of them if run is empty, and none of
// skip. The error is a [*suite.NoMatchError] for a pattern that matches no scenario.
func Select(all []*Scenario, run, skip []suite.Glob) (chosen []*Scenario, err error) {
	for _, g := range slices.Concat(run, skip) {
		if err := g.Check(); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(s *Scenario) bool { return g.Match(s.Name) }) {
			return nil, &suite.NoMatchError{Pattern: g}
		}
	}
	matches := func(list []suite.Glob, s *Scenario) bool {
		return slices.ContainsFunc(list, func(g suite.Glob) bool { return g.Match(s.Name) })
	}
	for _, s := range all {
		if (len(run) == 0 || matches(run, s)) && !matches(skip, s) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}
