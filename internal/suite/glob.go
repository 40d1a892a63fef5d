package suite

import (
	"fmt"
	"path"
	"strings"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// Glob is a pattern for names of scenarios. It is matched as path.Match does; a pattern without a
// slash is for a whole area or for a name in any area, and "**" is for everything.
type Glob string

// Check reports whether the pattern is well formed.
func (g Glob) Check() error {
	if _, err := path.Match(string(g), ""); err != nil {
		return fmt.Errorf("pattern %q: %w", string(g), err)
	}
	return nil
}

// Match reports whether the pattern is for the scenario.
func (g Glob) Match(name string) bool {
	if g == "**" {
		return true
	}
	if ok, _ := path.Match(string(g), name); ok { // Check has seen the error
		return true
	}
	if strings.Contains(string(g), "/") {
		return false
	}
	area, last, _ := strings.Cut(name, "/")
	inArea, _ := path.Match(string(g), area)
	byName, _ := path.Match(string(g), last)
	return inArea || byName
}

// A NoMatchError says that a pattern is for no scenario.
type NoMatchError struct{ Pattern Glob }

func (e *NoMatchError) Error() string {
	return fmt.Sprintf("no scenario matches %q", string(e.Pattern))
}

// Select returns the scenarios that match one of run, all of them if run is empty, and none of
// skip. The error is a [*NoMatchError] for a pattern that matches no scenario.
func Select(all []*scenario.Scenario, run, skip []Glob) (chosen []*scenario.Scenario, err error) {
	for _, g := range append(append([]Glob(nil), run...), skip...) {
		if err := g.Check(); err != nil {
			return nil, err
		}
		if !anyScenario(all, g) {
			return nil, &NoMatchError{g}
		}
	}
	for _, s := range all {
		if (len(run) == 0 || anyGlob(run, s.Name)) && !anyGlob(skip, s.Name) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("the patterns leave no scenario to run")
	}
	return chosen, nil
}

func anyScenario(all []*scenario.Scenario, g Glob) bool {
	for _, s := range all {
		if g.Match(s.Name) {
			return true
		}
	}
	return false
}

func anyGlob(globs []Glob, name string) bool {
	for _, g := range globs {
		if g.Match(name) {
			return true
		}
	}
	return false
}
