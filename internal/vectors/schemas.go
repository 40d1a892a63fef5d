package vectors

import (
	"fmt"

	"github.com/ccwire/ccwire/schema"
)

// A maker makes vectors by a set of schemas.
type maker struct {
	set    *schema.Set
	titles map[string]string // by the name of the definition
}

// vector starts a vector that a definition judges.
func (m *maker) vector(source Source, id string, d *schema.Definition) Vector {
	return Vector{
		ID:         string(source) + "/" + id,
		Source:     source,
		Definition: d.Name(),
		Title:      m.titles[d.Name()],
		Direction:  d.Direction,
	}
}

// examples returns the examples of all definitions.
func (m *maker) examples() (all []Vector) {
	for _, d := range m.set.Definitions() {
		for i, value := range d.Examples {
			v := m.vector(Example, fmt.Sprintf("%s/%d", d.Name(), i), d)
			v.Value = value
			v.accept()
			all = append(all, v)
		}
	}
	return all
}

// rejects returns the broken instances of all definitions.
func (m *maker) rejects() (all []Vector) {
	for _, d := range m.set.Definitions() {
		for i, r := range d.Rejects {
			v := m.vector(Reject, fmt.Sprintf("%s/%d", d.Name(), i), d)
			v.Value = r.Value
			v.refuse(r.At, r.Why)
			all = append(all, v)
		}
	}
	return all
}
