package differ

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
)

// mirror collects the entries of transcripts that lines repeat. How many are in a line and where it
// comes is chance, so they are a set; what is written again is there once.
type mirror map[string]line

// take adds the entries of a line, and reports false if it is of another type.
func (m *mirror) take(names *recording.Names, text string) bool {
	l := recording.ReadMirror([]byte(text))
	if l == nil {
		return false
	}
	if *m == nil {
		*m = mirror{}
	}
	for _, e := range l.Entries {
		var value map[string]any
		d := json.NewDecoder(strings.NewReader(string(e)))
		d.UseNumber()
		if d.Decode(&value) != nil {
			continue
		}
		kind := entryKind(value)
		masked, _ := recording.CutIDs(textOf(settled(names, "", value)))
		var entry any
		_ = json.Unmarshal([]byte(masked), &entry) // it was written from a value
		(*m)[kind+masked] = line{kind: recording.MirrorType + "/" + kind, value: entry, text: masked}
	}
	return true
}

// entryKind names what an entry is: "user", "attachment/environment", "system/api_error".
func entryKind(entry map[string]any) string {
	kind, _ := entry["type"].(string)
	more, _ := entry["subtype"].(string)
	if attachment, ok := entry["attachment"].(map[string]any); ok {
		more, _ = attachment["type"].(string)
	}
	if more != "" {
		kind += "/" + more
	}
	return kind
}

// put adds the entries to a view, in an order of their own.
func (m mirror) put(v *view) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		v.put("transcript", m[key].kind, m[key].value)
	}
}
