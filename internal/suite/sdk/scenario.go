package sdk

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	simulated "github.com/ccwire/ccwire/internal/sim/program"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// Scenario is one play. It does not change after [Parse] and may be used by several goroutines.
type Scenario struct {
	scenario.File // its title is the rule

	Harm  scenario.Harm
	From  string   // where the rule comes from: its first word is one of [Sources]
	Needs []string // features that the SDK must have
	// Except are features of SDKs that the rule is not for.
	Except []string
	// Basic are the features whose plain use the scenario shows. What needs one of them builds on
	// it: if it does not hold, a scenario about the details of the feature says nothing.
	Basic []string
	// Driverless says that the wire alone shows whether the rule holds, for any program that sends
	// one prompt.
	Driverless bool
	// AnyExit says that such a program may end with any code.
	AnyExit bool
	// Decoy says that the claude in PATH is another one than that whose path the driver is given.
	Decoy bool

	Steps  []Step
	Script []byte   // of the simulated CLI
	Faults []string // that the script has, each of which must happen
}

// Parse reads a scenario file. The error is a [*scenario.Error].
func Parse(name string, data []byte) (*Scenario, error) {
	s := &Scenario{Script: []byte("{}")}
	f, err := s.dialect().Read(name, data)
	if err != nil {
		return nil, err
	}
	s.File = f
	s.Level = s.level()
	return s, nil
}

// A Source is a kind of evidence for a rule: the first word of the header from.
type Source string

const (
	Recording Source = "recording" // a recording of the real CLI, VERSION AREA/NAME
	Suite     Source = "scenario"  // a scenario for CLIs, AREA/NAME, which real ones keep
	Issue     Source = "issue"     // reports of users, REPOSITORY#NUMBER
	Standard  Source = "standard"  // what the system, JSON or a protocol says
	Seen      Source = "sdk"       // what published SDKs were seen to do wrong
	Guard     Source = "guard"     // care: no recording has it
)

// Sources are all of them.
var Sources = []Source{Recording, Suite, Issue, Standard, Seen, Guard}

// Source returns the kind of evidence for the rule.
func (s *Scenario) Source() Source {
	word, _, _ := strings.Cut(s.From, " ")
	return Source(word)
}

// level follows from the harm: a rule is required if breaking it harms, and if it was ever seen to.
func (s *Scenario) level() scenario.Level {
	if s.Harm == scenario.Cosmetic || s.Source() == Guard {
		return scenario.Recommended
	}
	return scenario.Required
}

// dialect is that of scenarios for an SDK. What it reads goes into s.
func (s *Scenario) dialect() *scenario.Dialect {
	return &scenario.Dialect{
		NoLevel: true,
		Headers: []scenario.Header{
			{Name: "harm", Needed: true, Set: s.setHarm},
			{Name: "from", Needed: true, Set: s.setFrom},
			{Name: "needs", Set: features(&s.Needs)},
			{Name: "except", Set: features(&s.Except)},
			{Name: "basic", Set: features(&s.Basic)},
			{Name: "driverless", Set: s.setDriverless},
			{Name: "decoy", Set: s.setDecoy},
		},
		Script:     func(lines []scenario.Line) (err error) { s.Steps, err = parseSteps(lines); return err },
		Attachment: "sim.json",
		Attach: func(name string, data []byte) error {
			s.Script = data
			script, err := simulated.Parse(name, data)
			if err == nil {
				s.Faults = script.Faults
			}
			return err
		},
		Check: s.check,
	}
}

func (s *Scenario) setFrom(value string) error {
	s.From = value
	if _, what, _ := strings.Cut(value, " "); !slices.Contains(Sources, s.Source()) || what == "" {
		return fmt.Errorf("%q: say where the rule comes from: one of %q, and what", value, Sources)
	}
	return nil
}

func (s *Scenario) setHarm(value string) error {
	if s.Harm = scenario.Harm(value); !slices.Contains(scenario.Harms, s.Harm) {
		return fmt.Errorf("%q is none of %q", value, scenario.Harms)
	}
	return nil
}

// program stands for the plain use of a program without a driver.
const program = "program"

// features reads a list of features.
func features(list *[]string) func(string) error {
	return func(value string) error {
		*list = strings.Fields(value)
		for _, n := range *list {
			if n != program && !slices.Contains(driver.Features, n) {
				return fmt.Errorf("unknown feature %q", n)
			}
		}
		return nil
	}
}

func (s *Scenario) setDriverless(value string) error {
	s.Driverless, s.AnyExit = true, value == "any exit"
	if value != "yes" && !s.AnyExit {
		return fmt.Errorf("%q is neither yes nor any exit", value)
	}
	return nil
}

// control reports whether a scenario is about what the SDK writes, beside arguments.
func (s *Scenario) control() bool {
	return slices.ContainsFunc(s.Steps, func(step Step) bool { w, ok := step.op.(wire); return ok && w.fromSDK })
}

func (s *Scenario) setDecoy(value string) error {
	if s.Decoy = value == "yes"; !s.Decoy {
		return fmt.Errorf("%q is not yes", value)
	}
	return nil
}

// withoutDriver are the commands that any program does by itself.
var withoutDriver = []string{driver.Start, driver.Prompt, driver.Read, driver.CloseInput, driver.Close}

// check makes sure that there are steps, and that a scenario without a driver needs nothing that
// only a driver has.
func (s *Scenario) check() error {
	switch {
	case len(s.Steps) == 0:
		return errors.New("no steps")
	case !s.Driverless:
		return s.checkSessions()
	case s.Decoy:
		return errors.New("it is driverless and has a decoy: a program may take its CLI from PATH")
	}
	for _, n := range s.Needs {
		if n != "session" && n != "query" {
			return fmt.Errorf("it is driverless and needs %s", n)
		}
	}
	for _, step := range s.Steps {
		c, ok := step.op.(command)
		if ok && (c.send.Options != nil || !slices.Contains(withoutDriver, c.send.Command)) {
			return &scenario.Error{Line: step.Line, Err: errors.New("a driverless scenario starts without options, prompts, reads and closes")}
		}
	}
	return nil
}

// checkSessions makes sure that each of several sessions is closed: only one without a name, in a
// scenario that closes none, is closed by itself.
func (s *Scenario) checkSessions() error {
	open := map[string]int{} // the line of the start
	several := false
	for _, step := range s.Steps {
		c, ok := step.op.(command)
		several = several || ok && c.send.Session != ""
		switch {
		case ok && c.send.Command == driver.Start:
			open[c.send.Session] = step.Line
		case ok && c.send.Command == driver.Close:
			delete(open, c.send.Session)
		}
	}
	for name, line := range open {
		if several {
			return &scenario.Error{Line: line, Err: fmt.Errorf("of several sessions each must be closed: %q is not", name)}
		}
	}
	return nil
}

// Load reads the scenarios in fsys, see [scenario.LoadEach].
func Load(fsys fs.FS) ([]*Scenario, error) { return scenario.LoadEach(fsys, Parse) }
