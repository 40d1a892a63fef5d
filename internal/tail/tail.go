// Package tail keeps the end of a text: whole lines where there are any, valid UTF-8, never more
// than a limit.
package tail

import (
	"cmp"
	"strings"
	"sync"
	"unicode/utf8"
)

// DefaultLimit is how many bytes a Buffer keeps where nobody says otherwise.
const DefaultLimit = 64 << 10

// Buffer keeps the last bytes that were written to it. The zero value keeps DefaultLimit bytes. Its
// methods can be called concurrently.
type Buffer struct {
	limit int // 0 means DefaultLimit

	mu  sync.Mutex // guards the field below
	buf []byte     // more than limit if more was written, 2*limit+1 at most after a Write
}

// New returns a Buffer that keeps limit bytes, DefaultLimit if that is 0.
func New(limit int) *Buffer { return &Buffer{limit: limit} }

// Write implements io.Writer. It keeps no reference to p.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf = append(b.buf, p...)
	limit := cmp.Or(b.limit, DefaultLimit)
	if keep := limit + 1; len(b.buf) > keep+limit {
		b.buf = append(b.buf[:0], b.buf[len(b.buf)-keep:]...)
	}
	return len(p), nil
}

// String returns the end of what was written, see [Lines], as valid UTF-8.
func (b *Buffer) String() string {
	limit := cmp.Or(b.limit, DefaultLimit)
	b.mu.Lock()
	text := string(Lines(b.buf, limit))
	b.mu.Unlock()
	return Lines(strings.ToValidUTF8(text, "\uFFFD"), limit) // the replacement may be longer
}

// Lines returns the end of text that has at most limit bytes and begins at the start of a line or,
// if no line starts there, at the start of a character.
func Lines[T string | []byte](text T, limit int) T {
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
