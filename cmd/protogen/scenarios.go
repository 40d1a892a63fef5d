package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/times"
	"github.com/ccwire/ccwire/internal/terminal"
)

// selectScenarios returns the scenarios that match one of run, or all, and none of skip.
func selectScenarios(cmd *cobra.Command, run, skip []string) ([]*scenario.Scenario, error) {
	all, err := scenario.All()
	if err != nil {
		return nil, err
	}
	chosen, err := suite.Select(all, globs(run), globs(skip))
	if none := (*suite.NoMatchError)(nil); errors.As(err, &none) {
		err = suggestScenario(err, string(none.Pattern))
	}
	if err != nil {
		return nil, &usageError{cmd, err}
	}
	return chosen, nil
}

func globs(patterns []string) (list []suite.Glob) {
	for _, p := range patterns {
		list = append(list, suite.Glob(p))
	}
	return list
}

// suggestScenario adds to an error which scenarios, or areas, look like the word.
func suggestScenario(err error, word string) error {
	all, _ := scenario.All() // they are built in, and a test parses them
	var known []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			known = append(known, name)
		}
	}
	for _, s := range all {
		add(s.Name)
		if area, name, _ := strings.Cut(s.Name, "/"); !strings.Contains(word, "/") {
			add(area)
			add(name)
		}
	}
	return suggest(err, word, known)
}

// scenarioWords returns the names of the scenarios with their titles, for a shell.
func scenarioWords() (words []string) {
	all, _ := scenario.All()
	for _, s := range all {
		words = append(words, cobra.CompletionWithDesc(s.Name, s.Title))
	}
	return words
}

// scenarioPatterns returns the names of the scenarios and of their areas, for a shell.
func scenarioPatterns() []string {
	words := scenarioWords()
	last := ""
	for _, w := range words[:len(words):len(words)] {
		if area, _, _ := strings.Cut(w, "/"); area != last {
			last = area
			words = append(words, cobra.CompletionWithDesc(area, "all scenarios of the area"))
		}
	}
	return words
}

// A listedScenario is a scenario in a list.
type listedScenario struct {
	Scenario   string         `json:"scenario"`
	Area       string         `json:"area"`
	Title      string         `json:"title"`
	Level      scenario.Level `json:"level"`
	Versions   string         `json:"versions"`
	Conditions []string       `json:"conditions,omitempty"` // versions that some of its steps are for
	// Took is how long it took in the last run on the newest version, and Target what that was.
	Took   time.Duration `json:"took,omitempty"`
	Target string        `json:"target,omitempty"`
}

func listed(all []*scenario.Scenario, last times.Book) []listedScenario {
	list := make([]listedScenario, 0, len(all))
	for _, s := range all {
		took, target := last.Newest(s.Name)
		list = append(list, listedScenario{s.Name, s.Area(), s.Title, s.Level, s.Versions.String(), s.Conditions(), took, target})
	}
	return list
}

// printScenarios prints each scenario in two lines of at most width columns: its name, level,
// versions and how long it took, and what must hold.
func printScenarios(w io.Writer, list []listedScenario, width int) error {
	names := 0
	for _, s := range list {
		names = max(names, len(s.Scenario))
	}
	for _, s := range list {
		about := []string{s.Versions}
		if n := len(s.Conditions); n > 0 {
			about = append(about, terminal.Count(n, "condition"))
		}
		if s.Took > 0 {
			about = append(about, fmt.Sprintf("%.1fs", s.Took.Seconds()))
		}
		line := fmt.Sprintf("%-*s  %-11s  %s", names, s.Scenario, s.Level, strings.Join(about, ", "))
		if _, err := fmt.Fprintf(w, "%s\n%s\n", terminal.Cut(line, width), terminal.Cut("    "+s.Title, width)); err != nil {
			return err
		}
	}
	return nil
}
