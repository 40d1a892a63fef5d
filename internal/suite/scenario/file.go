package scenario

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Level says how bad it is when a scenario fails.
type Level string

const (
	// Required scenarios hold what every SDK relies on.
	Required Level = "required"
	// Recommended scenarios hold what an SDK can live without.
	Recommended Level = "recommended"
)

// Harm is what an SDK that breaks a rule does to its user.
type Harm string

const (
	Safety   Harm = "safety"   // it runs what was denied, or allows what nobody has allowed
	Loss     Harm = "loss"     // it loses data or messages
	Hang     Harm = "hang"     // something never ends, or stays when it should be gone
	Silence  Harm = "silence"  // an error is not told
	Cosmetic Harm = "cosmetic" // nothing that the user of a CLI which behaves would notice
)

// Harms are all of them, the worst first.
var Harms = []Harm{Safety, Loss, Hang, Silence, Cosmetic}

// File is what a scenario file has in every [Dialect].
type File struct {
	Name  string // area and name, such as "permission/deny"
	Title string // the first sentence of the prose
	Prose string // what must hold and why
	Level Level

	Timeout time.Duration // 0 means the runner's default
	// Catches names deliberately broken subjects that the scenario must fail on.
	Catches []string

	Files map[string][]byte // by path in the working directory
	Text  string            // the file
}

// FullName returns the name.
func (f *File) FullName() string { return f.Name }

// Area is the first part of the name.
func (f *File) Area() string {
	area, _, _ := strings.Cut(f.Name, "/")
	return area
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

// LoadEach reads every *.txtar file in fsys, one folder deep. The name of a scenario is its path
// without the suffix. The result is sorted by name.
func LoadEach[S any](fsys fs.FS, parse func(name string, data []byte) (S, error)) (all []S, err error) {
	names, err := fs.Glob(fsys, "*/*.txtar")
	if err != nil {
		return nil, err
	}
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], path.Ext(names[i]))
	}
	slices.Sort(names)
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name+".txtar")
		if err != nil {
			return nil, err
		}
		s, err := parse(name, data)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
