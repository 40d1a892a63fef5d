package evidence

import "slices"

// minSessions is how many recordings of a version must have an object, for a member that all of
// them have to count as one that is always there.
const minSessions = 5

// A History is what recordings show of a definition.
type History struct {
	Since    string                   // the oldest version that has it
	Evidence string                   // "observed", or "recognised" of a request that never succeeded
	Members  map[string]MemberHistory // those that were seen
}

// A MemberHistory is what recordings show of a member of a definition.
type MemberHistory struct {
	Since         string // the oldest version that writes it, if older ones write the object without it
	RequiredSince string // the oldest version from which on it is never missing, if older ones may leave it out
}

// Histories returns what the keywords of the schemas say of each recorded definition. Required says
// of a member that the published typings call it required: no other counts as always there. All
// recordings are made in one environment, and what is in each of them may depend on that.
func (e *Evidence) Histories(required func(definition, member string) bool) map[string]History {
	all := map[string]History{}
	for _, d := range e.set.Definitions() {
		have := e.definitions[d.Name()]
		if have == nil {
			continue
		}
		h := History{Since: e.Versions(d.Name())[0], Evidence: "observed", Members: map[string]MemberHistory{}}
		if e.recognised(d) {
			h.Evidence = "recognised"
		}
		first := e.oldest(have.written)
		for _, p := range d.Properties {
			m := have.members[p.Name]
			if m == nil {
				continue
			}
			mh := MemberHistory{}
			if v := e.oldest(m.written); v != first {
				mh.Since = v
			}
			if !p.Required && required(d.Name(), p.Name) {
				mh.RequiredSince = e.requiredSince(have, m)
			}
			h.Members[p.Name] = mh
		}
		all[d.Name()] = h
	}
	return all
}

// oldest returns the oldest version with a count, "" if there is none.
func (e *Evidence) oldest(by map[string]*tally) string {
	for _, v := range e.versions {
		if by[v] != nil {
			return v
		}
	}
	return ""
}

// requiredSince returns the oldest version from which on the CLI has always written the member, ""
// if there is none: an older version left it out, no object of that version or a newer one lacks
// it, and at least minSessions recordings of that version show it.
func (e *Evidence) requiredSince(d *definition, m *member) (since string) {
	for _, v := range slices.Backward(e.versions) {
		all, with := d.written[v], m.written[v]
		switch {
		case all == nil:
		case with == nil || with.objects < all.objects:
			return since
		case all.sessions >= minSessions:
			since = v
		}
	}
	return "" // no version lacks it
}
