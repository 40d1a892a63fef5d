package diff

import (
	"fmt"
	"io"

	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/view"
)

// A Side is one of two recordings.
type Side struct {
	Name  string `json:"name"`
	Lines int    `json:"lines"`
}

// An Op says what became of a line.
type Op string

const (
	Changed Op = "changed"
	Removed Op = "removed" // only the first recording has it
	Added   Op = "added"   // only the second has it
	Moved   Op = "moved"   // it is elsewhere in its lane
)

// A Difference is one line that is not the same in both.
type Difference struct {
	Op      Op       `json:"op"`
	A       int      `json:"a,omitempty"` // the line in the first recording; 0 if it is not there
	B       int      `json:"b,omitempty"`
	Lane    string   `json:"lane"`
	Kind    string   `json:"kind"`
	Summary string   `json:"summary,omitempty"`
	Turn    int      `json:"turn,omitempty"`
	Members []Member `json:"members,omitempty"`
	Same    int      `json:"same_before"` // how many lines before it, up to the last one, are the same
}

// A Report says how two recordings differ.
type Report struct {
	A           Side         `json:"a"`
	B           Side         `json:"b"`
	Counts      map[Op]int   `json:"counts"`
	Same        int          `json:"same"` // lines; the deltas of a block are one
	Differences []Difference `json:"differences"`
	SameAfter   int          `json:"same_after"` // the last difference
}

// An Input is a recording to compare, or plain NDJSON.
type Input struct {
	Name    string
	Src     io.Reader
	Options linestream.Options
	Without []view.Lane // what is not compared
}

// Compare compares two recordings.
func Compare(a, b Input) (*Report, error) {
	was, linesA, err := read(&a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	is, linesB, err := read(&b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name, err)
	}
	r := &Report{A: Side{a.Name, linesA}, B: Side{b.Name, linesB}, Counts: map[Op]int{}, Differences: []Difference{}}
	oneLane := plain(was) || plain(is) // nobody knows who wrote the lines
	r.compare(was, is, align(was, is, func(it *item) int {
		switch {
		case it.mirror:
			return int(view.Plain) + 1
		case oneLane && (it.Lane == view.ToSDK || it.Lane == view.Plain):
			return int(view.ToCLI)
		}
		return int(it.Lane)
	}))
	return r, nil
}

func plain(items []*item) bool {
	for _, it := range items {
		if it.Lane == view.Plain {
			return true
		}
	}
	return false
}

func (r *Report) compare(a, b []*item, pairs []pair) {
	known := new(ids)
	moved := elsewhere(a, b, pairs)
	for _, p := range pairs {
		var d Difference
		switch {
		case p.a >= 0 && p.b >= 0:
			list := known.members(a[p.a], b[p.b])
			if len(list) == 0 {
				r.Same++
				r.SameAfter++
				continue
			}
			d = difference(Changed, b[p.b])
			d.A, d.B, d.Members = a[p.a].Number, b[p.b].Number, list
		case p.a >= 0:
			d = difference(Removed, a[p.a])
			d.A = a[p.a].Number
			if j, ok := moved[p]; ok {
				d.Op, d.B = Moved, b[j].Number
			}
		default:
			if _, ok := moved[p]; ok {
				continue // it was told where it was
			}
			d = difference(Added, b[p.b])
			d.B = b[p.b].Number
		}
		d.Same, r.SameAfter = r.SameAfter, 0
		r.Counts[d.Op]++
		r.Differences = append(r.Differences, d)
	}
}

func difference(op Op, it *item) Difference {
	return Difference{Op: op, Lane: it.Lane.String(), Kind: it.Kind, Summary: short(it.Summary), Turn: it.Turn}
}

// elsewhere finds lines that both recordings have in different places, by the pairs that have one
// of both; the value is the number of the other one.
func elsewhere(a, b []*item, pairs []pair) map[pair]int {
	type key struct {
		lane view.Lane
		sum  uint64
	}
	only := map[key][]int{}
	for _, p := range pairs {
		if p.b < 0 {
			k := key{a[p.a].Lane, a[p.a].sum}
			only[k] = append(only[k], p.a)
		}
	}
	moved := map[pair]int{}
	for _, p := range pairs {
		if p.a >= 0 {
			continue
		}
		k := key{b[p.b].Lane, b[p.b].sum}
		if list := only[k]; len(list) > 0 {
			moved[pair{list[0], -1}], moved[p] = p.b, list[0]
			only[k] = list[1:]
		}
	}
	return moved
}
