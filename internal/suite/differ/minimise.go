package differ

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// Minimise returns a session with as little as is needed for keep to hold, which holds for the
// session itself. A step of the SDK goes with what it waits for, and may take turns of the model
// with it.
func Minimise(ctx context.Context, s *scenario.Scenario, keep func(*scenario.Scenario) bool) (*scenario.Scenario, error) {
	p, err := partsOf(s)
	if err != nil {
		return nil, err
	}
	for smaller := true; smaller && ctx.Err() == nil; {
		smaller = false
		for less := range p.less() {
			if ctx.Err() != nil {
				break
			}
			candidate, err := less.scenario()
			if err != nil || !keep(candidate) {
				continue // what is not a scenario any more says nothing
			}
			p, s, smaller = less, candidate, true
			break
		}
	}
	return s, context.Cause(ctx)
}

// less yields what a session is without one of its parts, the large ones first.
func (p *parts) less() iter.Seq[*parts] {
	return func(yield func(*parts) bool) {
		for _, part := range []func(*parts) iter.Seq[*parts]{
			lessSteps, lessArgs, lessHeader, lessFiles, lessTurns, lessBlocks, lessMembers,
		} {
			for q := range part(p) {
				if !yield(q) {
					return
				}
			}
		}
	}
}

// mostTurns is how many turns of the model go with a step at most.
const mostTurns = 4

func lessSteps(p *parts) iter.Seq[*parts] {
	return func(yield func(*parts) bool) {
		for i := len(p.steps) - 1; i >= 0; i-- {
			q := *p
			q.steps = slices.Delete(slices.Clone(p.steps), i, i+1)
			if !yield(&q) {
				return
			}
			if !strings.HasPrefix(p.steps[i][0], "user") && !strings.HasPrefix(p.steps[i][0], ">") {
				continue
			}
			for n := 1; n <= min(mostTurns, len(p.turns)); n++ {
				for at := 0; at+n <= len(p.turns); at++ {
					r := q
					r.turns = slices.Delete(slices.Clone(p.turns), at, at+n)
					if !yield(&r) {
						return
					}
				}
			}
		}
	}
}

// without yields copies that lack one element of a list.
func without[T any](p *parts, list func(*parts) *[]T) iter.Seq[*parts] {
	return func(yield func(*parts) bool) {
		for i := range *list(p) {
			q := *p
			*list(&q) = slices.Delete(slices.Clone(*list(p)), i, i+1)
			if !yield(&q) {
				return
			}
		}
	}
}

func lessArgs(p *parts) iter.Seq[*parts] {
	return without(p, func(p *parts) *[][]string { return &p.args })
}

func lessHeader(p *parts) iter.Seq[*parts] {
	return without(p, func(p *parts) *[]string { return &p.header })
}

func lessFiles(p *parts) iter.Seq[*parts] {
	return without(p, func(p *parts) *[]file { return &p.files })
}

func lessTurns(p *parts) iter.Seq[*parts] {
	return without(p, func(p *parts) *[]json.RawMessage { return &p.turns })
}

// lessBlocks leaves out blocks of an answer of the model that has several.
func lessBlocks(p *parts) iter.Seq[*parts] {
	return func(yield func(*parts) bool) {
		for i, t := range p.turns {
			var turn map[string]json.RawMessage
			var content []json.RawMessage
			if json.Unmarshal(t, &turn) != nil || json.Unmarshal(turn["content"], &content) != nil || len(content) < 2 {
				continue
			}
			for j := range content {
				fewer := maps.Clone(turn)
				fewer["content"] = json.RawMessage(marshal(slices.Delete(slices.Clone(content), j, j+1)))
				q := *p
				q.turns = slices.Clone(p.turns)
				q.turns[i] = json.RawMessage(marshal(fewer))
				if !yield(&q) {
					return
				}
			}
		}
	}
}

// lessMembers leaves out members of the request initialize, and hooks.
func lessMembers(p *parts) iter.Seq[*parts] {
	return func(yield func(*parts) bool) {
		for i, step := range p.steps {
			text, ok := strings.CutPrefix(step[0], "init ")
			if !ok {
				continue
			}
			for fewer := range lessOf([]byte(text)) {
				q := *p
				q.steps = slices.Clone(p.steps)
				q.steps[i] = append([]string{"init " + fewer}, step[1:]...)
				if !yield(&q) {
					return
				}
			}
		}
	}
}

// lessOf yields an object without one of its members, and then without one of theirs.
func lessOf(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		var object map[string]json.RawMessage
		if json.Unmarshal(text, &object) != nil {
			return
		}
		names := slices.Sorted(maps.Keys(object))
		for _, name := range names {
			fewer := maps.Clone(object)
			delete(fewer, name)
			if !yield(marshal(fewer)) {
				return
			}
		}
		for _, name := range names {
			for inner := range lessOf(object[name]) {
				fewer := maps.Clone(object)
				fewer[name] = json.RawMessage(inner)
				if !yield(marshal(fewer)) {
					return
				}
			}
		}
	}
}

// Shows returns a test for [Minimise]: that a session still has a difference like one of these, and
// that its script holds on the real CLI.
func (p *Pair) Shows(ctx context.Context, wanted []Difference) func(*scenario.Scenario) bool {
	return func(s *scenario.Scenario) bool {
		simulated, err := p.view(ctx, p.Simulated, s, p.simulatedLimit())
		if err != nil {
			return false
		}
		real, err := p.view(ctx, p.Real, s, minimiseLimit)
		if err != nil || real.err != nil {
			return false
		}
		return slices.ContainsFunc(compare(real, simulated, mentions(s)), func(d Difference) bool {
			return !d.Prose && slices.ContainsFunc(wanted, func(w Difference) bool {
				return d.Kind == w.Kind && d.Path == w.Path && (d.Real == "") == (w.Real == "") && (d.Simulated == "") == (w.Simulated == "")
			})
		})
	}
}
