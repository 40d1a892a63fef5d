// Package shown says what the recordings show of each definition of the schemas, for the manual:
// the versions that have it, scenarios in which it occurs, and one real example.
//
// To look through all recordings takes seconds. What is found is kept in the folder data, a file
// for each folder of the schemas, which make reference writes and a test compares. They are
// compressed, since every protogen has them.
package shown

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"

	"github.com/ccwire/ccwire/internal/gztext"
)

// MaxScenarios is how many scenarios of a definition are named.
const MaxScenarios = 6

// Shown is what the recordings show of a definition.
type Shown struct {
	Versions  []string `json:"versions,omitempty"`  // that have it, the oldest first
	Scenarios []string `json:"scenarios,omitempty"` // the shortest ones with it, at most MaxScenarios
	Total     int      `json:"total,omitempty"`     // how many scenarios have it
	Example   *Example `json:"example,omitempty"`   // nil if it was not recorded
}

// An Example is an instance of a definition that was recorded.
type Example struct {
	Recording string          `json:"recording"`      // its path and line, such as 2.1.325/permission/deny:7
	At        string          `json:"at,omitempty"`   // JSON pointer of the instance in the line, or in the body
	Body      bool            `json:"body,omitempty"` // it is in the body of a reply
	Value     json.RawMessage `json:"value"`

	// Line is, of a request, the whole line, and Answer the line that answers it. What is long in
	// them is cut.
	Line   json.RawMessage `json:"line,omitempty"`
	Answer json.RawMessage `json:"answer,omitempty"`
}

//go:embed data/*.json.gz
var files embed.FS

// Kept returns what is kept in the folder data, by the name of the definition.
var Kept = sync.OnceValues(func() (map[string]*Shown, error) { return Load(files) })

// Load reads the files of a folder data.
func Load(fsys fs.FS) (map[string]*Shown, error) {
	names, err := fs.Glob(fsys, "data/*.json.gz")
	if err != nil {
		return nil, err
	}
	all := map[string]*Shown{}
	for _, name := range names {
		packed, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		text, err := gztext.Read(packed)
		if err == nil {
			err = json.Unmarshal(text, &all)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return all, nil
}
