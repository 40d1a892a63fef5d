package scenario

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/conformance/fakeapi"
)

// Level says how bad it is when a scenario fails.
type Level string

const (
	// Required scenarios hold what every SDK relies on.
	Required Level = "required"
	// Recommended scenarios hold what an SDK can live without.
	Recommended Level = "recommended"
)

// Scenario is one play. It does not change after [Parse] and may be used by several goroutines.
type Scenario struct {
	Name  string // area and name, such as "permission/deny"
	Title string // the first sentence of the prose
	Prose string // what must hold and why
	Level Level
	Role  string // who is under test: "cli"

	Versions Range // the versions it applies to

	Args    []string          // arguments beside the usual ones
	Bare    bool              // run with Args only
	Earlier []string          // arguments of a run before, in the same folders; nil means none
	Env     map[string]string // environment beside the usual one
	Timeout time.Duration     // 0 means the runner's default

	Varies []Variation // what differs from run to run

	Steps []Step
	API   fakeapi.Script
	Files map[string][]byte // by path in the working directory

	Text string // the file
	// Catches names deliberately broken CLIs that the scenario must fail on.
	Catches []string
}

// Area is the first part of the name.
func (s *Scenario) Area() string {
	area, _, _ := strings.Cut(s.Name, "/")
	return area
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
	s := &Scenario{Name: name, Text: string(data), Level: Required, Role: "cli", Env: map[string]string{}, Files: map[string][]byte{}}
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
	seen := map[string]bool{}
	for _, f := range a.Files {
		if seen[f.Name] {
			return fmt.Errorf("duplicate file %s", f.Name)
		}
		seen[f.Name] = true
		rest, inFiles := strings.CutPrefix(f.Name, "files/")
		switch {
		case f.Name == "script":
			steps, err := parseScript(s.Name, string(f.Data))
			if err != nil {
				return err
			}
			s.Steps = steps
		case f.Name == "api.json":
			api, err := fakeapi.ParseScript(f.Data)
			if err != nil {
				return fmt.Errorf("api.json: %w", err)
			}
			s.API = api
		case inFiles && fs.ValidPath(rest):
			s.Files[rest] = f.Data
		default:
			return fmt.Errorf("unknown file %q (script, api.json, files/…)", f.Name)
		}
	}
	if !seen["script"] {
		return fmt.Errorf("no file script")
	}
	return nil
}

// Load reads every *.txtar file in fsys, one folder deep. The name of a scenario is its path
// without the suffix. The result is sorted by name.
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
