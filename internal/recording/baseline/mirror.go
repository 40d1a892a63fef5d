package baseline

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/ccwire/ccwire/internal/recording"
)

// mirror collects the entries of transcript files that lines repeat. How many entries are in one
// line, and where it is among the other lines, is chance: the CLI writes them beside the others. So
// the entries of a session are compared as a set.
type mirror struct {
	list []item
}

// take adds the entries of a line, and reports false if it is of another type.
func (m *mirror) take(at int, line string) bool {
	l := recording.ReadMirror([]byte(line))
	if l == nil {
		return false
	}
	for _, e := range l.Entries {
		m.add(at, l.Path, e)
	}
	return true
}

// add adds an entry. Its ids are left out: which of several equal entries comes first is chance.
// One that has no id of its own tells of the state of the session, and the CLI writes it again and
// again: it is there once.
func (m *mirror) add(at int, path string, entry json.RawMessage) {
	var head struct {
		Type string `json:"type"`
		ID   string `json:"uuid"`
	}
	_ = json.Unmarshal(entry, &head) // what is not an object has no type
	text, _ := json.Marshal(struct { // made of valid JSON
		Path  string          `json:"filePath"`
		Entry json.RawMessage `json:"entry"`
	}{path, entry})
	masked, _ := recording.CutIDs(string(text))
	if head.ID == "" && slices.ContainsFunc(m.list, func(old item) bool { return old.masked == masked }) {
		return
	}
	m.list = append(m.list, item{at, recording.MirrorType + "/" + head.Type, masked, masked})
}

// items returns an item for each entry, in an order of their own.
func (m *mirror) items() []item {
	slices.SortStableFunc(m.list, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.masked, b.masked))
	})
	return m.list
}
