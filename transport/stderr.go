package transport

import (
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// stderr takes what a process writes to stderr: it keeps the end and feeds the callback. Its Write never waits.
type stderr struct {
	limit int
	lines *lineQueue // nil without a callback

	mu  sync.Mutex // guards the fields below
	buf []byte     // the last bytes: more than limit if there were more, 2*limit+1 at most after a Write
}

func newStderr(limit int, callback func(line string, dropped int)) *stderr {
	s := &stderr{limit: limit}
	if callback != nil {
		s.lines = newLineQueue(callback)
	}
	return s
}

// Write implements io.Writer. It keeps no reference to p.
func (s *stderr) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.buf = append(s.buf, p...)
	if keep := s.limit + 1; len(s.buf) > keep+s.limit {
		s.buf = append(s.buf[:0], s.buf[len(s.buf)-keep:]...)
	}
	s.mu.Unlock()
	if s.lines != nil {
		s.lines.write(p)
	}
	return len(p), nil
}

// finish hands out the last line and waits for the callback until the given time.
func (s *stderr) finish(until time.Time) {
	if s.lines != nil {
		s.lines.finish(until)
	}
}

// String returns the end of what was written: limit bytes at most, cut at a line start, valid UTF-8.
func (s *stderr) String() string {
	s.mu.Lock()
	tail := string(lastLines(s.buf, s.limit))
	s.mu.Unlock()
	return lastLines(strings.ToValidUTF8(tail, "\uFFFD"), s.limit) // the replacement may be longer
}

// lastLines returns the end of text that has limit bytes at most and begins at a line start, or, if there is none, at
// the start of a character.
func lastLines[T string | []byte](text T, limit int) T {
	cut := len(text) - limit
	if cut <= 0 {
		return text
	}
	lineStart := cut
	for lineStart < len(text) && text[lineStart-1] != '\n' {
		lineStart++
	}
	if lineStart < len(text) {
		return text[lineStart:]
	}
	for cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut++
	}
	return text[cut:]
}
