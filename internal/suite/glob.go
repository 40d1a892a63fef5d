package suite

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
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

// Named is a scenario of any dialect.
type Named interface{ FullName() string }

// Names returns the names of scenarios and of their areas: what a pattern may be meant to be.
func Names[S Named](all []S) (names []string) {
	for _, s := range all {
		if area, _, _ := strings.Cut(s.FullName(), "/"); !slices.Contains(names, area) {
			names = append(names, area)
		}
		names = append(names, s.FullName())
	}
	return names
}

// Select returns the scenarios that match one of run, all of them if run is empty, and none of
// skip. The error is a [*NoMatchError] for a pattern that matches no scenario.
func Select[S Named](all []S, run, skip []Glob) (chosen []S, err error) {
	for _, g := range slices.Concat(run, skip) {
		if err := g.Check(); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(s S) bool { return g.Match(s.FullName()) }) {
			return nil, &NoMatchError{g}
		}
	}
	matches := func(globs []Glob, s S) bool {
		return slices.ContainsFunc(globs, func(g Glob) bool { return g.Match(s.FullName()) })
	}
	for _, s := range all {
		if (len(run) == 0 || matches(run, s)) && !matches(skip, s) {
			chosen = append(chosen, s)
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("the patterns leave no scenario to run")
	}
	return chosen, nil
}
