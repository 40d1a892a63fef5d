package linestream

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/recording"
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

// maxLine returns the longest protocol line that is held.
func (o *Options) maxLine() int {
	if o.MaxLine > 0 {
		return o.MaxLine
	}
	return codec.DefaultMaxLine
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
	Begins  bool   // it is the header of a recording: a session begins
	Session string // which of several sessions at the same time it is of, "" if nothing says so
	Err     error  // why a line of a recording is not an entry

	recorded   bool
	start, end int // of the string in Raw that holds the parts of an entry; 0 if it cannot be replaced
}

// ErrNotEntry is in the Err of a line of a recording that is not an entry.
var ErrNotEntry = errors.New("not an entry of a recording")

// A Reader reads the lines of an input, or of its blocks. It is for one goroutine.
type Reader struct {
	split     *Splitter // nil for a Reader of blocks
	spill     io.Writer
	direction schema.Direction
	limit     int

	block *Block
	at    int // where the next line begins in the block

	sent   []byte // memory for what an entry says
	feed   feed
	frames *codec.Reader // frames what feed holds
	line   Line
}

// NewReader returns a Reader of src.
func NewReader(src io.Reader, o Options) *Reader {
	r := NewBlockReader(o)
	r.split = NewSplitter(src, o)
	r.spill = r.split.spill
	return r
}

// NewBlockReader returns a Reader for the blocks of a [Splitter] with the same options. Options
// that are about the source do not count.
func NewBlockReader(o Options) *Reader {
	r := &Reader{direction: o.Direction, limit: o.maxLine(), spill: io.Discard, block: new(Block)}
	r.frames = codec.NewReader(&r.feed, &codec.ReaderOptions{MaxLine: r.limit})
	return r
}

// Reset makes the lines of a block those that come next.
func (r *Reader) Reset(b *Block) {
	r.block, r.at = b, 0
	r.line.Number = b.first - 1
}

// Recording reports whether the input has turned out to be a recording.
func (r *Reader) Recording() bool { return r.block.recording && r.at > r.block.plain }

// Transcript reports whether the input looks like a transcript file, see [Splitter.Transcript]. It
// is known once the first object has been read.
func (r *Reader) Transcript() bool { return r.split != nil && r.split.Transcript() }

// Next returns the next line. The error is io.EOF at the end, or that of the source.
func (r *Reader) Next() (*Line, error) {
	for r.at >= len(r.block.text) && !r.block.over {
		if r.split == nil {
			return nil, io.EOF
		}
		if err := r.split.Next(r.block); err != nil {
			return nil, err
		}
		r.Reset(r.block)
	}
	r.line = Line{Number: r.line.Number + 1, Parts: r.line.Parts[:0]}
	if r.block.over {
		r.block.over = false
		r.oversize(r.block.size)
		return &r.line, nil
	}
	start := r.at
	raw := firstLine(r.block.text[start:])
	r.at += len(raw)
	text := bytes.TrimSuffix(raw, []byte("\n"))
	if len(raw) > 2*r.limit+4096+2 { // as a Splitter has it
		r.oversize(int64(len(text)))
		_, err := r.spill.Write(raw)
		return &r.line, err
	}
	r.line.Raw = raw
	if err := r.fill(text, r.block.recording && start >= r.block.plain); err != nil {
		return nil, err
	}
	return &r.line, nil
}

// oversize makes the line one that is too long to be held.
func (r *Reader) oversize(length int64) {
	over := codec.Line{Kind: codec.OversizeLine, Len: length}
	r.line.Parts = append(r.line.Parts, Part{Line: over, Direction: r.direction})
}

// fill finds the parts of the line.
func (r *Reader) fill(text []byte, recorded bool) error {
	l := &r.line
	object := trim(text)
	if len(object) == 0 || !recorded {
		return r.parts(text, r.direction)
	}
	e, err := readEntry(object, r.sent)
	switch {
	case err != nil:
		l.Err = fmt.Errorf("%w: %w", ErrNotEntry, err)
	case !e.isEntry:
		l.Err = fmt.Errorf("%w: it needs a member dir, and no type", ErrNotEntry)
	default:
		l.Begins, l.Session = e.Dir == recording.Header, e.Key
		if l.Skipped = e.skip(); l.Skipped != "" {
			return nil
		}
		l.recorded = true
		if !e.exact {
			shift := bytes.IndexByte(l.Raw, '{') // where the object begins
			l.start, l.end = shift+e.start, shift+e.end
		}
		if r.sent = e.text; cap(r.sent) > keepBlock {
			r.sent = nil
		}
		return r.parts(e.text, directions[e.Dir])
	}
	return nil
}

// parts frames a text of one or more lines.
func (r *Reader) parts(text []byte, dir schema.Direction) error {
	r.feed.put(text)
	for more, first := true, true; more; first = false {
		var exact []byte
		exact, text, more = bytes.Cut(text, []byte("\n"))
		f, err := r.frames.Next()
		if err != nil {
			return err
		}
		if more || !first {
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
