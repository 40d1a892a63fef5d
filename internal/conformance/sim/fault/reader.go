package fault

import (
	"bufio"
	"io"
)

// Reader returns what the CLI reads: r, line by line. A reader that is deaf waits until the
// injector is closed.
func (i *Injector) Reader(r io.Reader) io.Reader {
	return &reader{injector: i, in: bufio.NewReader(r)}
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
