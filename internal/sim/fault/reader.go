package fault

import (
	"bufio"
	"io"
)

// Reader returns what the CLI reads: r, line by line. A reader that is deaf, or whose end is not
// told, waits until the injector is closed.
func (i *Injector) Reader(r io.Reader) io.Reader {
	return &reader{injector: i, in: bufio.NewReader(&source{i, r})}
}

// source is read only while nothing is written: a CLI does one thing at a time, so one that writes
// to a full pipe does not read.
type source struct {
	injector *Injector
	in       io.Reader
}

func (s *source) Read(p []byte) (int, error) {
	s.injector.mu.Lock()
	s.injector.mu.Unlock() //lint:ignore SA2001 it waits for the writer
	return s.in.Read(p)
}

type reader struct {
	injector *Injector
	in       *bufio.Reader
	text     []byte // of a line, not read yet
	err      error
}

func (r *reader) Read(p []byte) (int, error) {
	for len(r.text) == 0 {
		if r.err != nil {
			if r.injector.staying() {
				<-r.injector.closed
			}
			return 0, r.err
		}
		r.text, r.err = r.in.ReadBytes('\n')
		if len(r.text) > 0 && !r.injector.heard(r.text) {
			<-r.injector.closed
			r.text, r.err = nil, io.EOF
		}
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	return n, nil
}
