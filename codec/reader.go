package codec

import (
	"bytes"
	"errors"
	"io"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// A LineKind says what a line of the stream is.
type LineKind uint8

const (
	ObjectLine   LineKind = iota + 1 // a line that begins with '{': a JSON object, or what claims to be one
	BlankLine                        // nothing but space
	TextLine                         // anything else: not a JSON object
	OversizeLine                     // a line past the limit, which is not held
)

var lineNames = [...]string{"", "object", "blank line", "text that is not a JSON object", "line over the limit"}

// String returns the kind in words.
func (k LineKind) String() string { return nameOf(lineNames[:], uint8(k)) }

// Notes are oddities of a line that do not change what it says.
type Notes uint8

const (
	CarriageReturn Notes = 1 << iota // there was a CR before the LF
	ByteOrderMark                    // the line began with a byte-order mark
	Unterminated                     // the stream ended, or failed, before a LF
	Large                            // the line is longer than LargeLine
)

// A Line is one line of the stream.
//
// The Bytes of an OversizeLine are a digest of it: an object with those of its members that are
// strings of at most 128 bytes, such as type, subtype, uuid and request_id, and those of objects
// right inside it, such as response.request_id; 64 of each at most. They are nil if the line is not
// an object.
type Line struct {
	Kind   LineKind
	Notes  Notes
	Bytes  []byte // without line end, mark and outer space; valid until the next call of Next
	Len    int64  // length of the line on the wire, without its LF but with its CR
	Offset int64  // where the line begins in the stream
}

// ReaderOptions are the limits of a Reader, in bytes, line end not counted. The zero value gives
// the defaults.
type ReaderOptions struct {
	// MaxLine is the longest line that is held; 0 or less means DefaultMaxLine.
	MaxLine int
	// LargeLine is the longest line that is not noted as Large; 0 or less means DefaultLargeLine.
	LargeLine int
}

// firstBuffer is the size of a Reader's buffer while lines are short.
const firstBuffer = 64 << 10

var errReadCount = errors.New("codec: the source returned an impossible count")

var byteOrderMark = []byte("\xef\xbb\xbf")

// A Reader splits a stream into lines. Lines end at LF and nowhere else, and do not depend on how
// the source cuts the bytes into reads. One bad line never harms the next. The buffer begins with
// 64 KiB, grows with a long line, but not past the limit, and is given up after the line where it
// is over 1 MiB. A Reader is for one goroutine.
type Reader struct {
	src    io.Reader
	limit  int
	large  int
	buf    []byte
	start  int   // first byte of the current line
	end    int   // after the last byte read
	offset int64 // of the current line in the stream
	err    error // what the source returned last; it is not read again
}

// NewReader returns a Reader of src; nil options give the defaults.
func NewReader(src io.Reader, o *ReaderOptions) *Reader {
	r := &Reader{src: src, limit: DefaultMaxLine, large: DefaultLargeLine}
	if o != nil && o.MaxLine > 0 {
		r.limit = o.MaxLine
	}
	if o != nil && o.LargeLine > 0 {
		r.large = o.LargeLine
	}
	return r
}

// Next returns the next line. The error is io.EOF at the end of the stream, or what the source
// returned, or io.ErrNoProgress if it returns nothing again and again; every line before it has
// been returned by then, the last one also where its LF is missing. Later calls return the same
// error.
func (r *Reader) Next() (Line, error) {
	scanned := r.start
	for {
		if i := bytes.IndexByte(r.buf[scanned:r.end], '\n'); i >= 0 {
			l := r.classify(r.buf[r.start:scanned+i], 0)
			r.start = scanned + i + 1
			r.offset += l.Len + 1
			return l, nil
		}
		scanned = r.end
		if r.end-r.start-1 > r.limit { // one more for a CR before the LF
			return r.skipLine()
		}
		if r.err != nil {
			return r.last()
		}
		scanned -= r.start
		r.fill()
		scanned += r.start
	}
}

// last returns what stands after the last LF, or the error.
func (r *Reader) last() (Line, error) {
	if r.start == r.end {
		return Line{}, r.err
	}
	l := r.classify(r.buf[r.start:r.end], Unterminated)
	r.offset += l.Len
	r.start = r.end
	return l, nil
}

// fill reads once. It makes room after the current line first.
func (r *Reader) fill() {
	if r.start == r.end {
		r.start, r.end = 0, 0
	}
	held := r.end - r.start
	switch {
	case len(r.buf) > keepBuffer && held <= firstBuffer/2: // a long line is gone
		r.move(make([]byte, firstBuffer))
	case r.end < len(r.buf):
	case r.start > 0 && (held <= len(r.buf)/2 || len(r.buf) > r.limit):
		r.move(r.buf)
	default:
		size := max(firstBuffer, 2*len(r.buf))
		if size >= r.limit {
			size = max(firstBuffer, r.limit+2) // enough to see that a line is too long
		}
		r.move(make([]byte, size))
	}
	for i := 0; i < 100; i++ {
		n, err := r.src.Read(r.buf[r.end:])
		if n < 0 || n > len(r.buf)-r.end {
			n, err = 0, errReadCount
		}
		r.end += n
		r.err = err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

// move puts the current line at the front of a buffer.
func (r *Reader) move(buf []byte) {
	r.end = copy(buf, r.buf[r.start:r.end])
	r.start, r.buf = 0, buf
}

// skipLine drops the current line up to its LF without holding more than its digest.
func (r *Reader) skipLine() (Line, error) {
	l := Line{Kind: OversizeLine, Notes: Large, Offset: r.offset}
	var digest jsontext.Digest
	var last byte
	for {
		part := r.buf[r.start:r.end]
		lf := bytes.IndexByte(part, '\n')
		if lf >= 0 {
			part = part[:lf]
		}
		if len(part) > 0 {
			last = part[len(part)-1]
		}
		digest.Write(part)
		l.Len += int64(len(part))
		r.start += len(part)
		switch {
		case lf >= 0:
			l.Bytes = digest.JSON()
			r.start++
			r.offset += l.Len + 1
			if last == '\r' {
				l.Notes |= CarriageReturn
			}
			return l, nil
		case r.err != nil:
			l.Bytes = digest.JSON()
			r.offset += l.Len
			l.Notes |= Unterminated
			return l, nil
		}
		r.fill()
	}
}

// classify says what the bytes of a line without its LF are.
func (r *Reader) classify(line []byte, notes Notes) Line {
	l := Line{Kind: ObjectLine, Notes: notes, Len: int64(len(line)), Offset: r.offset}
	if n := len(line); n > 0 && line[n-1] == '\r' && notes&Unterminated == 0 {
		l.Notes |= CarriageReturn
		line = line[:n-1]
	}
	if len(line) > r.limit {
		var digest jsontext.Digest
		digest.Write(line)
		l.Kind, l.Notes, l.Bytes = OversizeLine, l.Notes|Large, digest.JSON()
		return l
	}
	if len(line) > r.large {
		l.Notes |= Large
	}
	if len(line) > 0 && line[0] == '{' && !space(line[len(line)-1]) {
		l.Bytes = line
		return l
	}
	if bytes.HasPrefix(line, byteOrderMark) {
		l.Notes |= ByteOrderMark
		line = line[len(byteOrderMark):]
	}
	l.Bytes = bytes.Trim(line, " \t\r")
	switch {
	case len(l.Bytes) == 0:
		l.Kind = BlankLine
	case l.Bytes[0] != '{':
		l.Kind = TextLine
	}
	return l
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
