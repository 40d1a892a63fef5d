package terminal

import (
	"fmt"
	"io"
	"os"
	"time"
)

const (
	patience = time.Second            // how long a run stays silent
	interval = 200 * time.Millisecond // how often the line changes
	seldom   = 15 * time.Second       // how often there is a new line where none can change
)

// A Progress counts. On a terminal it shows one line that changes, once a run takes longer than a
// second; elsewhere it writes a line now and then. It is for one goroutine at a time.
type Progress struct {
	w       io.Writer
	thing   string
	total   int // 0 if it is not known
	n       int
	note    string
	next    time.Time
	rewrite bool // one line changes
	shown   bool
	now     func() time.Time
}

// NewProgress returns a Progress that counts things, such as "line", on w.
func NewProgress(w io.Writer, thing string) *Progress {
	return newProgress(w, thing, rewrites(w, os.Getenv), time.Now)
}

func newProgress(w io.Writer, thing string, rewrite bool, now func() time.Time) *Progress {
	p := &Progress{w: w, thing: thing, rewrite: rewrite, now: now}
	if rewrite {
		p.next = now().Add(patience)
	} else {
		p.next = now().Add(seldom)
	}
	return p
}

// rewrites reports whether a line on w can be replaced by another.
func rewrites(w any, getenv func(string) string) bool { return Is(w) && getenv("TERM") != "dumb" }

// Set says how many things are done, out of how many, and what else there is to say; note may be
// empty.
func (p *Progress) Set(n, total int, note string) {
	p.n, p.total, p.note = n, total, note
	p.show()
}

// Tick counts one.
func (p *Progress) Tick() {
	p.n++
	p.show()
}

func (p *Progress) show() {
	now := p.now()
	switch {
	case !now.After(p.next):
	case p.rewrite:
		fmt.Fprintf(p.w, "\r\x1b[K%s", Cut(p.text(), Width(p.w, os.Getenv)-1))
		p.shown, p.next = true, now.Add(interval)
	default:
		fmt.Fprintln(p.w, p.text())
		p.next = now.Add(seldom)
	}
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

// Clear takes the line away, before other output and at the end.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
