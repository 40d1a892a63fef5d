package script

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/ccwire/ccwire/internal/object"
)

// placed is {{cwd}} or {{home}} in the JSON of a script. A backslash before it, which JSON doubles,
// keeps it as it is.
var placed = regexp.MustCompile(`(\\\\)?\{\{ ?(cwd|home) ?\}\}`)

// In returns the script for a session in a working directory, with the user's folder: their names
// are filled in.
func (s *Script) In(dir, home string) (*Script, error) {
	if !s.Fills() {
		return s, nil
	}
	data, err := json.Marshal(s)
	if err != nil || !placed.Match(data) {
		return s, err
	}
	names := map[string]string{"cwd": dir, "home": home}
	data = placed.ReplaceAllFunc(data, func(found []byte) []byte {
		m := placed.FindSubmatch(found)
		if len(m[1]) > 0 {
			return found
		}
		return bytes.Trim(object.AppendText(nil, names[string(m[2])]), `"`)
	})
	var filled Script
	if err := json.Unmarshal(data, &filled); err != nil {
		return nil, err
	}
	return &filled, nil
}
