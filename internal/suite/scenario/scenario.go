package scenario

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/transport/cli"
)

// Scenario is one play. It does not change after [Parse] and may be used by several goroutines.
type Scenario struct {
	File
	Role string // who is under test: "cli"

	Versions Range    // the versions it applies to
	Needs    []string // programs without which it does not apply

	Args    []string          // arguments beside the usual ones
	Bare    bool              // run with Args only
	Earlier []string          // arguments of a run before, in the same folders; nil means none
	Env     map[string]string // environment beside the usual one

	Varies []Variation // what differs from run to run

	Steps []Step
	API   fakeapi.Script
}

// Conditions returns the versions that some steps are for, each once, in the order of the script.
func (s *Scenario) Conditions() (list []string) {
	add := func(r Range) {
		if text := r.String(); text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	for _, step := range s.Steps {
		add(step.When)
		if u, ok := step.Op.(Unordered); ok {
			for _, a := range u.Patterns {
				add(a.When)
			}
		}
	}
	return list
}

// Parse reads a scenario file. The error is an [*Error].
func Parse(name string, data []byte) (*Scenario, error) {
	s := &Scenario{Role: "cli", Env: map[string]string{}}
	f, err := s.dialect().Read(name, data)
	if err != nil {
		return nil, err
	}
	s.File = f
	return s, nil
}

// dialect is that of scenarios for a CLI. What it reads goes into s.
func (s *Scenario) dialect() *Dialect {
	return &Dialect{
		Headers:    s.headers(),
		Script:     func(lines []Line) (err error) { s.Steps, err = parseScript(lines); return err },
		Attachment: "api.json",
		Attach: func(name string, data []byte) (err error) {
			if s.API, err = fakeapi.ParseScript(data); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		},
	}
}

// headers are those of scenarios for a CLI.
func (s *Scenario) headers() []Header {
	version := func(v *cli.Version) func(string) error {
		return func(value string) (err error) { *v, err = cli.ParseVersion(value); return err }
	}
	words := func(list *[]string) func(string) error {
		return func(value string) (err error) { *list, err = splitWords(value); return err }
	}
	return []Header{
		{Name: "role", Set: func(value string) error {
			if s.Role = value; value != "cli" {
				return fmt.Errorf("unknown role %q", value)
			}
			return nil
		}},
		{Name: "since", Needed: true, Set: version(&s.Versions.Since)},
		{Name: "until", Set: version(&s.Versions.Until)},
		{Name: "needs", Set: words(&s.Needs)},
		{Name: "args", Set: words(&s.Args)},
		{Name: "bareargs", Set: func(value string) error { s.Bare = true; return words(&s.Args)(value) }},
		{Name: "earlier", Set: words(&s.Earlier)},
		{Name: "env", Repeats: true, Set: s.addEnv},
		{Name: "varies", Repeats: true, Set: func(value string) error {
			v, err := parseVariation(value)
			s.Varies = append(s.Varies, v)
			return err
		}},
	}
}

func (s *Scenario) addEnv(value string) error {
	words, err := splitWords(value)
	if err != nil {
		return err
	}
	for _, w := range words {
		k, v, ok := strings.Cut(w, "=")
		if !ok || k == "" {
			return fmt.Errorf("%q: want NAME=value", w)
		}
		s.Env[k] = v
	}
	return nil
}

// Load reads the scenarios in fsys, see [LoadEach].
func Load(fsys fs.FS) ([]*Scenario, error) { return LoadEach(fsys, Parse) }
