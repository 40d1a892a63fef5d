package sdk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/sim/program"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// Scenario is one play. It does not change after [Parse] and may be used by several goroutines.
type Scenario struct {
	Name  string // area and name, such as "answer/unknown-subtype"
	Title string // the first sentence of the prose: the rule
	Prose string
	Level scenario.Level
	From  string   // where the rule comes from
	Needs []string // features that the SDK must have
	// Driverless says that the wire alone shows whether the rule holds, for any program that sends
	// one prompt.
	Driverless bool
	// AnyExit says that such a program may end with any code.
	AnyExit bool
	// Catches names deliberately broken SDKs that the scenario must fail on.
	Catches []string
	Timeout time.Duration // 0 means the runner's default

	Steps  []Step
	Script []byte            // of the simulated CLI
	Files  map[string][]byte // by path in the working directory
	Text   string            // the file
}

// Error is a mistake in a scenario file.
type Error struct {
	Name string // of the scenario
	Line int    // in its script, from 1; 0 for a mistake elsewhere
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("scenario %s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("scenario %s: script line %d: %v", e.Name, e.Line, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Parse reads a scenario file. The error is an [*Error].
func Parse(name string, data []byte) (*Scenario, error) {
	s := &Scenario{Name: name, Text: string(data), Files: map[string][]byte{}}
	if err := s.parse(txtar.Parse(data)); err != nil {
		if _, ok := err.(*Error); !ok {
			err = &Error{Name: name, Err: err}
		}
		return nil, err
	}
	return s, nil
}

func (s *Scenario) parse(a *txtar.Archive) error {
	if err := s.parseComment(string(a.Comment)); err != nil {
		return err
	}
	s.Script = []byte("{}")
	for _, f := range a.Files {
		rest, inFiles := strings.CutPrefix(f.Name, "files/")
		switch {
		case f.Name == "script":
			steps, err := parseSteps(s.Name, string(f.Data))
			if err != nil {
				return err
			}
			s.Steps = steps
		case f.Name == "sim.json":
			if _, err := program.Parse(f.Name, f.Data); err != nil {
				return err
			}
			s.Script = f.Data
		case inFiles && fs.ValidPath(rest):
			s.Files[rest] = f.Data
		default:
			return fmt.Errorf("unknown file %q (script, sim.json, files/…)", f.Name)
		}
	}
	if len(s.Steps) == 0 {
		return errors.New("no steps")
	}
	return s.checkDriverless()
}

// withoutDriver are the commands that any program does by itself.
var withoutDriver = []string{driver.Start, driver.Prompt, driver.Read, driver.CloseInput, driver.Close}

// checkDriverless makes sure that a scenario without a driver needs nothing that only a driver has.
func (s *Scenario) checkDriverless() error {
	if !s.Driverless {
		return nil
	}
	for _, n := range s.Needs {
		if n != "session" && n != "query" {
			return fmt.Errorf("it is driverless and needs %s", n)
		}
	}
	for _, step := range s.Steps {
		c, ok := step.op.(command)
		if ok && (c.send.Options != nil || !slices.Contains(withoutDriver, c.send.Command)) {
			return &Error{s.Name, step.Line, errors.New("a driverless scenario starts without options, prompts, reads and closes")}
		}
	}
	return nil
}

var headerLine = regexp.MustCompile(`^([a-z]+): *(.*)$`)

// parseComment splits the archive's comment into prose and header lines, its last paragraph.
func (s *Scenario) parseComment(text string) error {
	text = strings.TrimSpace(text)
	i := strings.LastIndex(text, "\n\n")
	if i < 0 {
		return errors.New("no prose: say the rule and why it matters, then an empty line, then the header")
	}
	s.Prose = strings.TrimSpace(text[:i])
	paragraph, _, _ := strings.Cut(s.Prose, "\n\n")
	s.Title = strings.Join(strings.Fields(paragraph), " ")
	if end := strings.Index(s.Title, ". "); end >= 0 {
		s.Title = s.Title[:end+1]
	}
	seen := map[string]bool{}
	for line := range strings.Lines(text[i+2:]) {
		line = strings.TrimSpace(line)
		m := headerLine.FindStringSubmatch(line)
		if m == nil || seen[m[1]] {
			return fmt.Errorf("header line %q: want name: value, each name once", line)
		}
		seen[m[1]] = true
		if err := s.setHeader(m[1], m[2]); err != nil {
			return fmt.Errorf("header %s: %w", m[1], err)
		}
	}
	if !seen["level"] || !seen["from"] {
		return errors.New("the headers level and from are needed")
	}
	return nil
}

func (s *Scenario) setHeader(name, value string) (err error) {
	switch name {
	case "level":
		s.Level = scenario.Level(value)
		if s.Level != scenario.Required && s.Level != scenario.Recommended {
			err = fmt.Errorf("%q is neither required nor recommended", value)
		}
	case "from":
		if s.From = value; value == "" {
			err = errors.New("say where the rule comes from")
		}
	case "needs":
		s.Needs = strings.Fields(value)
		for _, n := range s.Needs {
			if !slices.Contains(driver.Features, n) {
				err = fmt.Errorf("unknown feature %q", n)
			}
		}
	case "driverless":
		s.Driverless, s.AnyExit = true, value == "any exit"
		if value != "yes" && !s.AnyExit {
			err = fmt.Errorf("%q is neither yes nor any exit", value)
		}
	case "catches":
		s.Catches = strings.Fields(value)
	case "timeout":
		s.Timeout, err = time.ParseDuration(value)
	default:
		err = errors.New("unknown header (level, from, needs, driverless, catches, timeout)")
	}
	return err
}

// Area is the first part of the name.
func (s *Scenario) Area() string {
	area, _, _ := strings.Cut(s.Name, "/")
	return area
}

// Load reads every *.txtar file in fsys, one folder deep, sorted by name.
func Load(fsys fs.FS) ([]*Scenario, error) {
	names, err := fs.Glob(fsys, "*/*.txtar")
	if err != nil {
		return nil, err
	}
	var all []*Scenario
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		s, err := Parse(strings.TrimSuffix(name, path.Ext(name)), data)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *Scenario) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}
