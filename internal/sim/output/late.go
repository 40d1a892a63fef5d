package output

import (
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// A Rule says of a line how many of the lines that wait are written before it. The others are
// written after it, unless they are to wait on.
type Rule func(v object.Object) (before int, wait bool)

// lateness is how long a line waits for one that may go before it.
const lateness = 20 * time.Millisecond

// late are lines that wait for a line which may go before them.
type late struct {
	lines [][]byte
	rule  Rule
}

// Late writes a line after the next one, if the rule lets that go before it, and not much later.
// Lines that wait already wait on, for the same rule.
func (o *Writer) Late(rule Rule, line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.late.lines) == 0 {
		time.AfterFunc(lateness, func() { // ends by itself
			o.mu.Lock()
			defer o.mu.Unlock()
			o.flushLocked(len(o.late.lines))
		})
	}
	o.late.lines, o.late.rule = append(o.late.lines, line), rule
}

// flushLocked writes the first lines that wait.
func (o *Writer) flushLocked(n int) {
	if n == 0 || o.err != nil || o.closed || o.halted {
		return
	}
	for _, line := range o.late.lines[:n] {
		o.waiting = append(o.waiting, line...)
	}
	o.late.lines = o.late.lines[n:]
	o.changed.Broadcast()
}

// overtakeLocked returns how many of the lines that wait are written before a line, and after it.
func (o *Writer) overtakeLocked(v object.Object) (before, after int) {
	all := len(o.late.lines)
	if all == 0 || v.Text("type") == "transcript_mirror" { // which has no place of its own among the lines
		return 0, 0
	}
	before, wait := o.late.rule(v)
	before = min(before, all)
	if wait {
		return before, 0
	}
	return before, all - before
}
