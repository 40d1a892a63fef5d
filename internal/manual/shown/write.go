package shown

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Files returns the files of the folder data, by name, such as control.json: one for each folder of
// the schemas, with a definition on each line.
func Files(all map[string]*Shown) (map[string][]byte, error) {
	files := map[string]*bytes.Buffer{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		folder, _, _ := strings.Cut(name, "/")
		b := files[folder+".json"]
		if b == nil {
			b = bytes.NewBufferString("{")
			files[folder+".json"] = b
		} else {
			b.WriteString(",")
		}
		id, err := text(name)
		if err != nil {
			return nil, err
		}
		value, err := text(all[name])
		if err != nil {
			return nil, err
		}
		b.WriteString("\n" + id + ": " + value)
	}
	done := map[string][]byte{}
	for name, b := range files {
		b.WriteString("\n}\n")
		done[name] = b.Bytes()
	}
	return done, nil
}

// text returns a value as JSON without the escapes that are for HTML.
func text(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSpace(b.String()), err
}
