package codec

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// ErrNotOneLine is returned for a line that holds a line break.
var ErrNotOneLine = errors.New("codec: a line must not hold a line break")

// A Writer writes lines, each in one call of Write. It is safe for concurrent use.
type Writer struct {
	dst io.Writer

	mu  sync.Mutex // guards buf, err and the order of writes
	buf []byte
	err error // the first failure; nothing is written after it
}

// NewWriter returns a Writer to dst.
func NewWriter(dst io.Writer) *Writer { return &Writer{dst: dst} }

// keepBuffer is the largest buffer that a Reader or a Writer holds on to between lines.
const keepBuffer = 1 << 20

// WriteLine writes a line and its LF. A line that holds a LF is refused with ErrNotOneLine, and
// nothing is written. After a write error, or a write that took only a part of the line
// (io.ErrShortWrite), every call returns that error, since nobody knows how much of the line went
// out. The line is not kept.
func (w *Writer) WriteLine(line []byte) error {
	if bytes.IndexByte(line, '\n') >= 0 {
		return ErrNotOneLine
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	w.buf = append(append(w.buf[:0], line...), '\n')
	n, err := w.dst.Write(w.buf)
	if err == nil && n != len(w.buf) {
		err = io.ErrShortWrite
	}
	w.err = err
	if cap(w.buf) > keepBuffer {
		w.buf = nil
	}
	return err
}
