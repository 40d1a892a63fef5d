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

// A Status says how far a long run is. On a terminal it is one line that changes, once the run
// takes longer than a second; elsewhere it is a line now and then. It is for one goroutine at a
// time.
type Status struct {
	w       io.Writer
	next    time.Time
	rewrite bool // one line changes
	shown   bool
	now     func() time.Time
}

// NewStatus returns a Status on w.
func NewStatus(w io.Writer) *Status { return newStatus(w, rewrites(w, os.Getenv), time.Now) }

func newStatus(w io.Writer, rewrite bool, now func() time.Time) *Status {
	s := &Status{w: w, rewrite: rewrite, now: now, next: now().Add(seldom)}
	if rewrite {
		s.next = now().Add(patience)
	}
	return s
}

// rewrites reports whether a line on w can be replaced by another.
func rewrites(w any, getenv func(string) string) bool { return Is(w) && getenv("TERM") != "dumb" }

// Show shows a text, if it is time.
func (s *Status) Show(text string) {
	now := s.now()
	switch {
	case !now.After(s.next):
	case s.rewrite:
		fmt.Fprintf(s.w, "\r\x1b[K%s", Cut(text, Width(s.w, os.Getenv)-1))
		s.shown, s.next = true, now.Add(interval)
	default:
		fmt.Fprintln(s.w, text)
		s.next = now.Add(seldom)
	}
}

// Clear takes the line away, before other output and at the end.
func (s *Status) Clear() {
	if s.shown {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.shown = false
	}
}
