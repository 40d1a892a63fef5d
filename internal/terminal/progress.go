package terminal

import (
	"fmt"
	"io"
	"time"
)

// A Progress is a [Status] that counts.
type Progress struct {
	*Status
	thing string
	total int // 0 if it is not known
	n     int
	note  string
}

// NewProgress returns a Progress that counts things, such as "line", on w.
func NewProgress(w io.Writer, thing string) *Progress {
	return &Progress{Status: NewStatus(w), thing: thing}
}

func newProgress(w io.Writer, thing string, rewrite bool, now func() time.Time) *Progress {
	return &Progress{Status: newStatus(w, rewrite, now), thing: thing}
}

// Set says how many things are done, out of how many, and what else there is to say; note may be
// empty.
func (p *Progress) Set(n, total int, note string) {
	p.n, p.total, p.note = n, total, note
	p.Show(p.text())
}

// Tick counts one.
func (p *Progress) Tick() {
	p.n++
	p.Show(p.text())
}

func (p *Progress) text() string {
	text := Count(p.n, p.thing)
	if p.total > 0 {
		text = fmt.Sprintf("%d of %s", p.n, Count(p.total, p.thing))
	}
	if p.note != "" {
		text += ", " + p.note
	}
	return text
}
