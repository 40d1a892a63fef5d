package tap

import "bytes"

// A piece is a line of a stream, or what is left of one.
type piece struct {
	text         []byte // without the LF; valid until the next call
	unterminated bool   // no LF followed
	length       int64  // of the whole line, if text is only its start; otherwise 0
}

// headLine is how much is kept of a line that is too long.
const headLine = 1000

// A cutter cuts a stream into lines. It holds one line that is not complete, up to a limit.
type cutter struct {
	limit int
	rest  []byte
	over  int64 // the length so far of a line past the limit, whose start is in rest
	gap   int64 // bytes that are missing, if the next ones are the end of a line
}

// skip takes the end of a line after a gap out of the next bytes. It returns the others, and how
// many bytes are missing now, with that end; 0 while there is no gap or the line goes on.
func (c *cutter) skip(p []byte) (others []byte, missing int64) {
	if c.gap == 0 {
		return p, 0
	}
	i := bytes.IndexByte(p, '\n')
	if i < 0 {
		c.gap += int64(len(p))
		return nil, 0
	}
	missing = c.gap + int64(i+1)
	c.gap = 0
	return p[i+1:], missing
}

// write takes the next bytes and calls emit for each line that they complete.
func (c *cutter) write(p []byte, emit func(piece)) {
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			c.keep(p)
			return
		}
		if len(c.rest) == 0 && c.over == 0 && i <= c.limit {
			emit(piece{text: p[:i]})
		} else {
			c.keep(p[:i])
			emit(c.piece(false))
			c.reset()
		}
		p = p[i+1:]
	}
}

// keep puts a part of a line after what there is of it.
func (c *cutter) keep(p []byte) {
	switch {
	case c.over > 0:
		c.over += int64(len(p))
	case len(c.rest)+len(p) > c.limit:
		c.over = int64(len(c.rest) + len(p))
		head := append([]byte(nil), c.rest[:min(len(c.rest), headLine)]...)
		c.rest = append(head, p[:min(len(p), headLine-len(head))]...)
	default:
		c.rest = append(c.rest, p...)
	}
}

// end calls emit for a line that has no LF, if there is one.
func (c *cutter) end(emit func(piece)) {
	if len(c.rest) > 0 || c.over > 0 {
		emit(c.piece(true))
		c.reset()
	}
}

// broken is end for a line of which bytes are missing.
func (c *cutter) broken(missing int64, emit func(piece)) {
	if len(c.rest) == 0 && c.over == 0 {
		return
	}
	c.over = max(c.over, int64(len(c.rest))) + missing
	c.rest = c.rest[:min(len(c.rest), headLine)]
	c.end(emit)
}

func (c *cutter) piece(unterminated bool) piece {
	return piece{text: c.rest, unterminated: unterminated, length: c.over}
}

func (c *cutter) reset() {
	const keep = 1 << 20
	if cap(c.rest) > keep {
		c.rest = nil
	}
	c.rest, c.over = c.rest[:0], 0
}
