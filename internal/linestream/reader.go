package linestream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/schema"
)

// Options say how an input is read. The zero value gives the defaults.
type Options struct {
	// Direction is that of the lines of plain NDJSON.
	Direction schema.Direction

	// MaxLine is the longest protocol line that is held; 0 means [codec.DefaultMaxLine]. An entry
	// of a recording may be twice as long.
	MaxLine int

	// Oversize, if not nil, gets the bytes of every line of the input that is too long to be held,
	// while Next runs.
	Oversize io.Writer
}

// A Part is one line of the protocol.
type Part struct {
	codec.Line
	Text      []byte // the exact bytes without the LF; nil if the line is too long
	Direction schema.Direction
}

// A Line is one line of the input: one protocol line, or an entry of a recording. It is valid until
// the next call of Next.
type Line struct {
	Number int    // from 1
	Raw    []byte // the exact bytes, with the LF if there is one; nil if the line is too long
	Parts  []Part // the protocol lines in it; none if Skipped or Err says so

	Skipped string // why an entry holds no protocol line, in words
	Err     error  // why a line of a recording is not an entry

	recorded   bool
	start, end int // of the string in Raw that holds the parts of an entry; 0 if it cannot be replaced
}

// ErrNotEntry is in the Err of a line of a recording that is not an entry.
var ErrNotEntry = errors.New("not an entry of a recording")

// A Reader reads the lines of an input. It is for one goroutine.
type Reader struct {
	split     splitter
	direction schema.Direction
	limit     int

	feed   feed
	frames *codec.Reader // frames what feed holds

	number    int
	decided   bool // recording is known
	recording bool
	line      Line
}

// NewReader returns a Reader of src.
func NewReader(src io.Reader, o Options) *Reader {
	r := &Reader{direction: o.Direction, limit: o.MaxLine}
	if r.limit <= 0 {
		r.limit = codec.DefaultMaxLine
	}
	spill := o.Oversize
	if spill == nil {
		spill = io.Discard
	}
	r.split = splitter{src: bufio.NewReaderSize(src, 64<<10), limit: 2*r.limit + 4096, spill: spill}
	r.frames = codec.NewReader(&r.feed, &codec.ReaderOptions{MaxLine: r.limit})
	return r
}

// Recording reports whether the input has turned out to be a recording.
func (r *Reader) Recording() bool { return r.recording }

// Next returns the next line. The error is io.EOF at the end, or that of the source.
func (r *Reader) Next() (*Line, error) {
	raw, length, err := r.split.next()
	if err != nil {
		return nil, err
	}
	r.number++
	r.line = Line{Number: r.number, Raw: raw, Parts: r.line.Parts[:0]}
	if raw == nil {
		over := codec.Line{Kind: codec.OversizeLine, Len: length}
		r.line.Parts = append(r.line.Parts, Part{Line: over, Direction: r.direction})
		return &r.line, nil
	}
	if err := r.fill(); err != nil {
		return nil, err
	}
	return &r.line, nil
}

// fill finds the parts of the line.
func (r *Reader) fill() error {
	l := &r.line
	text := bytes.TrimSuffix(l.Raw, []byte("\n"))
	object := bytes.Trim(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r")
	if len(object) == 0 || r.decided && !r.recording {
		return r.parts(text, r.direction)
	}
	e, err := readEntry(object)
	if !r.decided && err == nil {
		r.decided, r.recording = true, e.isEntry
	}
	if !r.recording {
		return r.parts(text, r.direction)
	}
	switch {
	case err != nil:
		l.Err = fmt.Errorf("%w: %w", ErrNotEntry, err)
	case !e.isEntry:
		l.Err = fmt.Errorf("%w: it needs a member dir, and no type", ErrNotEntry)
	default:
		if l.Skipped = e.skip(); l.Skipped != "" {
			return nil
		}
		l.recorded = true
		if e.exact == nil {
			shift := bytes.Index(l.Raw, object)
			l.start, l.end = shift+e.start, shift+e.end
		}
		return r.parts(e.text(), directions[e.Dir])
	}
	return nil
}

// parts frames a text of one or more lines.
func (r *Reader) parts(text []byte, dir schema.Direction) error {
	lines := bytes.Split(text, []byte("\n"))
	r.feed.put(text)
	for _, exact := range lines {
		f, err := r.frames.Next()
		if err != nil {
			return err
		}
		if len(lines) > 1 {
			f.Bytes = bytes.Clone(f.Bytes) // the next one would overwrite it
		}
		r.line.Parts = append(r.line.Parts, Part{f, exact, dir})
	}
	return nil
}

// feed is the source of the codec's reader: one text after the other, each with a LF at its end. It
// never says that it is at its end, so the caller must take exactly as many frames as it holds
// lines.
type feed struct {
	text  []byte
	ended bool // the LF has been given
}

func (f *feed) put(text []byte) { *f = feed{text: text} }

func (f *feed) Read(p []byte) (int, error) {
	n := copy(p, f.text)
	f.text = f.text[n:]
	if len(f.text) == 0 && n < len(p) && !f.ended {
		f.ended = true
		p[n] = '\n'
		n++
	}
	return n, nil
}
