package baseline

import "github.com/ccwire/ccwire/internal/recording"

// ids pairs the ids of a recording with those of a session. Ids have numbers by their order, so a
// line more or less changes all that follow; what must be the same is which places have one id.
type ids struct {
	is, was map[string]string // by that of the recording, and of the session
}

// same reports whether two texts are equal but for ids and for what differs by chance, and the ids
// are those that were paired before, or both new.
func (d *ids) same(was, is string) bool {
	restA, a := recording.CutIDs(was)
	restB, b := recording.CutIDs(is)
	if settle(restA) != settle(restB) || len(a) != len(b) {
		return false
	}
	if d.is == nil {
		d.is, d.was = map[string]string{}, map[string]string{}
	}
	for i := range a {
		x, seenA := d.is[a[i]]
		y, seenB := d.was[b[i]]
		switch {
		case !seenA && !seenB:
			d.is[a[i]], d.was[b[i]] = b[i], a[i]
		case x != b[i] || y != a[i]:
			return false
		}
	}
	return true
}
