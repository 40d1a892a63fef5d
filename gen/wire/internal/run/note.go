package run

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// A note is something that is wrong with the line and that the tolerant mode accepts. It is
// reported when the line has been read to its end, so that a line that does not decode reports
// none, and only then has a path: the paths of all notes together take one walk over the line.
type note struct {
	kind   codec.DeviationKind
	at     int
	detail string
	absent string // the member that the object at the offset lacks, if that is what is wrong
	err    *Error // that wants the path, if any
}

// maxPath is the longest path of a note.
const maxPath = 1 << 10

// Deviate notes a deviation at an offset, if anybody listens.
func (d *Decoder) Deviate(kind codec.DeviationKind, at int, detail string) {
	if d.report != nil {
		d.note(note{kind: kind, at: at, detail: detail})
	}
}

// noteAbsent notes that the object at an offset has no member of the name.
func (d *Decoder) noteAbsent(at int, name string) {
	d.lacked = true
	if d.report != nil {
		d.note(note{kind: codec.Invalid, at: at, detail: "no member " + quote([]byte(name)), absent: name})
	}
}

// absentError returns the error for a member that the object at an offset lacks.
func (d *Decoder) absentError(at int, name string) error {
	e := &Error{Kind: codec.Missing, Path: "/" + jsontext.EscapePointer(name), Offset: at, Want: "a value is required"}
	for i := len(d.notes) - 1; i >= 0; i-- {
		if n := &d.notes[i]; n.at == at && n.absent == name {
			n.err = e
			return e
		}
	}
	if d.hasRoom() {
		d.note(note{kind: codec.Invalid, at: at, absent: name, err: e})
	}
	return e
}

// note keeps a note, or counts it if there are many.
func (d *Decoder) note(n note) {
	if d.hasRoom() {
		d.notes = append(d.notes, n)
	}
	d.noted++
}

// hasRoom reports whether one more note is kept, and not only counted.
func (d *Decoder) hasRoom() bool { return d.most < 0 || d.noted < d.most }

// forgetNotes drops all notes but the first n.
func (d *Decoder) forgetNotes(n int) {
	d.noted = n
	if len(d.notes) > n {
		d.notes = d.notes[:n]
	}
}

// endNotes gives the notes their paths and reports them.
func (d *Decoder) endNotes() {
	order := make([]int, len(d.notes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.notes[a].at, d.notes[b].at) })
	walk := jsontext.Paths{Line: d.Data}
	if d.most >= 0 {
		walk.Most = maxPath
	}
	paths := make([]string, len(d.notes))
	for _, i := range order {
		paths[i] = walk.At(d.notes[i].at)
	}
	for i := range d.notes {
		n := &d.notes[i]
		if n.err != nil {
			n.err.Path = paths[i] + n.err.Path
		}
		if n.absent != "" {
			paths[i] += "/" + jsontext.EscapePointer(n.absent)
		}
		if d.report != nil {
			d.report(Deviation{Kind: n.kind, Path: paths[i], Offset: n.at, Detail: n.detail})
		}
	}
	if more := d.noted - len(d.notes); more > 0 && d.report != nil {
		d.report(Deviation{Kind: codec.Omitted, Detail: strconv.Itoa(more) + " more", Count: more})
	}
	d.notes, d.noted = nil, 0
}
