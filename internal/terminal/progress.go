package terminal

import (
	"fmt"
	"io"
	"time"
)

const (
	patience = time.Second            // how long a run stays silent
	interval = 200 * time.Millisecond // how often the line changes
)

// A Progress shows a line that counts, once a run takes longer than a second. It is for one
// goroutine.
type Progress struct {
	w     io.Writer // nil shows nothing
	what  string
	n     int
	next  time.Time
	shown bool
	now   func() time.Time
}

// NewProgress returns a Progress that counts "what" on w, or one that shows nothing if w is not a
// terminal.
func NewProgress(w io.Writer, what string) *Progress {
	p := &Progress{what: what, now: time.Now}
	if Is(w) {
		p.w = w
		p.next = p.now().Add(patience)
	}
	return p
}

// Tick counts one.
func (p *Progress) Tick() {
	p.n++
	if p.w == nil {
		return
	}
	if now := p.now(); now.After(p.next) {
		fmt.Fprintf(p.w, "\r\x1b[K%d %s", p.n, p.what)
		p.shown, p.next = true, now.Add(interval)
	}
}

// Clear takes the line away, before other output and at the end.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
