package drift

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/conformance/inventory"
)

// Drift is what changed from one version to another. All lists are sorted.
type Drift struct {
	From string `json:"from"`
	To   string `json:"to"`

	NewTypes       []string `json:"new_types,omitempty"` // kinds of lines of the CLI
	GoneTypes      []string `json:"gone_types,omitempty"`
	NewMembers     []string `json:"new_members,omitempty"`
	GoneMembers    []string `json:"gone_members,omitempty"`
	ChangedKinds   []string `json:"changed_kinds,omitempty"`
	NewValues      []string `json:"new_values,omitempty"` // of enums and tags
	GoneValues     []string `json:"gone_values,omitempty"`
	ChangedReplies []string `json:"changed_replies,omitempty"` // success where there was an error, and the reverse
	Courses        []Course `json:"courses,omitempty"`         // scenarios that go another way

	OnlyFrom []string `json:"only_from,omitempty"` // scenarios that only one version has
	OnlyTo   []string `json:"only_to,omitempty"`
	// Unknown is what the newer version says and the schemas do not name.
	Unknown []string `json:"unknown,omitempty"`
}

// Course is a scenario that goes another way.
type Course struct {
	Scenario string `json:"scenario"`
	// Changes are the lines that are gone ("- < …") and new ("+ < …"), and a change of the exit
	// code.
	Changes []string `json:"changes"`
}

// Empty reports whether nothing changed on the wire.
func (d *Drift) Empty() bool {
	return len(d.NewTypes)+len(d.GoneTypes)+len(d.NewMembers)+len(d.GoneMembers)+len(d.ChangedKinds)+
		len(d.NewValues)+len(d.GoneValues)+len(d.ChangedReplies)+len(d.Courses) == 0
}

// Compare says what changed between two inventories.
func Compare(from, to *inventory.Inventory) *Drift {
	d := &Drift{From: from.Version, To: to.Version}
	for _, name := range slices.Sorted(maps.Keys(from.Scenarios)) {
		if to.Scenarios[name] == nil {
			d.OnlyFrom = append(d.OnlyFrom, name)
		}
	}
	old, new := summary{}, summary{}
	for _, name := range slices.Sorted(maps.Keys(to.Scenarios)) {
		b := to.Scenarios[name]
		d.Unknown = append(d.Unknown, b.Unknown...)
		a := from.Scenarios[name]
		if a == nil {
			d.OnlyTo = append(d.OnlyTo, name)
			continue
		}
		old.add(a)
		new.add(b)
		if c := compareCourses(name, a, b); c != nil {
			d.Courses = append(d.Courses, *c)
		}
	}
	slices.Sort(d.Unknown)
	d.Unknown = slices.Compact(d.Unknown)
	d.NewTypes, d.GoneTypes = difference(new.types, old.types), difference(old.types, new.types)
	d.compareMembers(&old, &new)
	for subtype, was := range old.asked {
		if now, ok := new.asked[subtype]; ok && now != was {
			d.ChangedReplies = append(d.ChangedReplies, fmt.Sprintf("%s: was %s, is %s", subtype, was, now))
		}
	}
	slices.Sort(d.ChangedReplies)
	return d
}

// summary is what several scenarios contain together.
type summary struct {
	types   map[string]bool
	members map[inventory.Member]*inventory.Seen
	asked   map[string]string
}

func (s *summary) add(c *inventory.Course) {
	if s.types == nil {
		*s = summary{map[string]bool{}, map[inventory.Member]*inventory.Seen{}, map[string]string{}}
	}
	for t := range c.Types {
		s.types[t] = true
	}
	for subtype, reply := range c.Asked {
		if s.asked[subtype] != "success" {
			s.asked[subtype] = reply
		}
	}
	for m, seen := range c.Members {
		all := s.members[m]
		if all == nil {
			all = &inventory.Seen{Kinds: map[string]bool{}, Values: map[string]bool{}}
			s.members[m] = all
		}
		maps.Copy(all.Kinds, seen.Kinds)
		maps.Copy(all.Values, seen.Values)
	}
}

func (d *Drift) compareMembers(old, new *summary) {
	// A definition that only one version has is a change of the types, not of each of its members.
	definitions := func(s *summary) map[string]bool {
		set := map[string]bool{}
		for m := range s.members {
			set[m.Definition] = true
		}
		return set
	}
	inOld, inNew := definitions(old), definitions(new)
	for m, b := range new.members {
		a := old.members[m]
		switch {
		case a == nil && inOld[m.Definition]:
			d.NewMembers = append(d.NewMembers, fmt.Sprintf("%s (%s)", m, list(b.Kinds)))
		case a != nil:
			if list(a.Kinds) != list(b.Kinds) {
				d.ChangedKinds = append(d.ChangedKinds, fmt.Sprintf("%s: was %s, is %s", m, list(a.Kinds), list(b.Kinds)))
			}
			for _, v := range difference(b.Values, a.Values) {
				d.NewValues = append(d.NewValues, fmt.Sprintf("%s: %q", m, v))
			}
			for _, v := range difference(a.Values, b.Values) {
				d.GoneValues = append(d.GoneValues, fmt.Sprintf("%s: %q", m, v))
			}
		}
	}
	for m, a := range old.members {
		if new.members[m] == nil && inNew[m.Definition] {
			d.GoneMembers = append(d.GoneMembers, fmt.Sprintf("%s (%s)", m, list(a.Kinds)))
		}
	}
	for _, l := range [][]string{d.NewMembers, d.GoneMembers, d.ChangedKinds, d.NewValues, d.GoneValues} {
		slices.Sort(l)
	}
}

// difference returns what is in a and not in b.
func difference(a, b map[string]bool) (list []string) {
	for v := range a {
		if !b[v] {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return list
}

func list(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), " or ") }
