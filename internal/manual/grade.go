package manual

import (
	"cmp"
	"slices"
)

// A Grade says how often something is met.
type Grade int

// The grades, the most frequent first.
const (
	Always Grade = iota // in every session, or nearly
	Common
	Rare
	Never // no recording has it
	Hosts // only the hosts of user interfaces and remote sessions meet it
)

// String returns the grade in words.
func (g Grade) String() string {
	return [...]string{"in every session", "common", "rare", "never recorded", "hosts only"}[g]
}

// What is in half of the recorded scenarios is in every session: the others end before a turn, or
// are about one request. What is in one of fifty is common.
const (
	always = 2
	common = 50
)

// grades sets the grade of each entry, and puts topics and members into an order: the core first.
func (m *Manual) grades() {
	total := 0
	for _, e := range m.entries {
		total = max(total, e.Shown.Total)
	}
	for _, e := range m.entries {
		switch n := e.Shown.Total; {
		case e.Topic.Area.Name == "host":
			e.Grade = Hosts
		case n*always >= total:
			e.Grade = Always
		case n*common >= total:
			e.Grade = Common
		case len(e.Shown.Versions) > 0 || e.Shown.Example != nil:
			e.Grade = Rare
		default:
			e.Grade = Never
		}
		slices.SortStableFunc(e.Members, func(a, b Member) int { return cmp.Compare(a.place(), b.place()) })
	}
	for _, a := range m.Areas {
		slices.SortStableFunc(a.Topics, func(a, b *Topic) int { return cmp.Compare(a.Grade(), b.Grade()) })
	}
}

// place is where a member stands among others: what must be there first, then what was seen.
func (m *Member) place() int {
	switch {
	case m.Required || m.ToSend:
		return 0
	case m.Evidence == "":
		return 1
	}
	return 2
}

// Grade returns that of what the topic is about.
func (t *Topic) Grade() Grade {
	g := t.Entries[0].Grade
	for _, e := range t.Entries {
		g = min(g, e.Grade)
	}
	return g
}
