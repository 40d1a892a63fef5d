package brokensdk

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"unicode/utf8"
)

// pipeStderr gives the CLI a pipe for its stderr, which a bug does not read to its end. The caller
// calls the function that is returned once the CLI was started.
func (c *client) pipeStderr() (started func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.cmd.Stderr, c.unheard, c.heard = w, r, make(chan struct{})
	go func() { // ends with the CLI, or with a long line
		defer close(c.heard)
		if c.bug == "stderr-unread" {
			return
		}
		for lines := bufio.NewScanner(r); lines.Scan(); {
			c.stderr.Write(append(lines.Bytes(), '\n'))
		}
	}()
	return func() { w.Close() }, nil
}

// chunks is a reader of small reads. If it is lossy, what each read returns is decoded by itself: a
// character that is cut by the end of a read becomes replacement characters.
type chunks struct {
	from  io.Reader
	lossy func() bool // is called where that makes a difference
	rest  []byte
}

func (r *chunks) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		chunk := make([]byte, 4096)
		n, err := r.from.Read(chunk)
		if n == 0 {
			return 0, err
		}
		if r.rest = chunk[:n]; !utf8.Valid(r.rest) && r.lossy() {
			r.rest = bytes.ToValidUTF8(r.rest, []byte("\ufffd"))
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
