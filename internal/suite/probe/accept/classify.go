package accept

import (
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/accepts"
)

// plays are what came of a base and of its changes, pass by pass.
type plays struct {
	base    *base
	changes []change
	changed [][]*seen // of each change, by pass

	mu     sync.Mutex // guards intact
	intact []*seen    // of the line as it is
}

// add notes a play of the line as it is.
func (p *plays) add(out *seen) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.intact = append(p.intact, out)
}

func (p *plays) tried() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.intact) > 0
}

// usable reports whether the line works as it is.
func (p *plays) usable() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.intact) > 0 && p.intact[0].fine()
}

// volatile returns the paths at which equal plays differ.
func (p *plays) volatile() map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	paths := map[string]bool{}
	note := func(list []*seen) {
		for i := 1; i < len(list); i++ {
			if list[0] == nil || list[i] == nil || list[0].fine() != list[i].fine() {
				continue
			}
			for _, path := range differ(list[0], list[i]) {
				paths[path] = true
			}
		}
	}
	note(p.intact)
	for _, list := range p.changed {
		note(list)
	}
	return paths
}

// without returns what came, in a pass or the last, of the line without the member, nil if it
// cannot be without.
func (p *plays) without(member string, pass int) *seen {
	for i := range p.changes {
		if c := &p.changes[i]; c.member == member && c.value == accepts.Absent {
			return p.changed[i][min(pass, len(p.changed[i])-1)]
		}
	}
	return nil
}

// effect returns what a pass shows of a change.
func (p *plays) effect(i, pass int, volatile map[string]bool) accepts.Effect {
	c, v, intact := &p.changes[i], p.changed[i][pass], p.intact[0]
	without := p.without(c.member, pass)
	switch {
	case v.dead || v.stuck:
		return accepts.Fatal
	case v.refused && !intact.refused, v.complains(intact, without):
		return accepts.Refused
	case !v.answered:
		return accepts.Lost
	case c.value == accepts.Absent:
		return accepts.Taken
	}
	asIntact := same(v, intact, volatile)
	asWithout := without != nil && without.fine() && same(v, without, volatile)
	differs := without != nil && !same(intact, without, volatile)
	switch {
	case c.value == accepts.Extra && asIntact, asIntact && asWithout, c.value == accepts.Null && asWithout:
		return accepts.Taken
	case asWithout && differs:
		return accepts.Ignored
	}
	return accepts.Used
}

// complains reports whether the CLI says that something is wrong, and says nothing like it of the
// other lines.
func (s *seen) complains(intact, without *seen) bool {
	return slices.ContainsFunc(s.complain, func(text string) bool {
		return !slices.Contains(intact.complain, text) &&
			(without == nil || without == s || !slices.Contains(without.complain, text) || without.complains(intact, nil))
	})
}
