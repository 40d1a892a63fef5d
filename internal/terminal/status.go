package terminal

import (
	"fmt"
	"io"
	"time"
)

// lineInterval is how often a Status writes a line to what is not a terminal.
const lineInterval = 10 * time.Second

// A Status says how far a long run is: on a terminal in a line that changes, elsewhere in a line
// now and then. It is for one goroutine.
type Status struct {
	w        io.Writer
	terminal bool
	next     time.Time
	shown    bool
	now      func() time.Time
}

// NewStatus returns a Status on w, which stays silent for a second on a terminal and for ten
// elsewhere.
func NewStatus(w io.Writer) *Status { return newStatus(w, Is(w), time.Now) }

func newStatus(w io.Writer, terminal bool, now func() time.Time) *Status {
	s := &Status{w: w, terminal: terminal, now: now}
	s.next = now().Add(lineInterval)
	if terminal {
		s.next = now().Add(patience)
	}
	return s
}

// Show shows a text, if it is time.
func (s *Status) Show(text string) {
	now := s.now()
	switch {
	case now.Before(s.next):
	case s.terminal:
		fmt.Fprintf(s.w, "\r\x1b[K%s", text)
		s.shown, s.next = true, now.Add(interval)
	default:
		fmt.Fprintln(s.w, text)
		s.next = now.Add(lineInterval)
	}
}

// Clear takes the line on a terminal away, before other output and at the end.
func (s *Status) Clear() {
	if s.shown {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.shown = false
	}
}
