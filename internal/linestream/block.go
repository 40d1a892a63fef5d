package linestream

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

const (
	blockSize = 128 << 10 // of a block of short lines
	keepBlock = 1 << 20   // the largest block whose memory is used again
)

// A Block is a piece of an input: some whole lines of it, or one line that is too long to be held.
// A [Reader] reads them, with no need of the blocks before. The zero value is ready to be filled,
// and so is a block that is no longer needed.
type Block struct {
	buf   []byte
	text  []byte // the lines, in buf
	first int    // the number of the first line
	over  bool   // a line that is too long stands here instead
	size  int64  // its length without the LF

	plain     int  // where the entries of a recording begin in text
	recording bool // the input is a recording from there on
}

// Size returns how many bytes of memory the block holds.
func (b *Block) Size() int { return cap(b.buf) }

// Len returns how many bytes of the input the block stands for.
func (b *Block) Len() int64 {
	if b.over {
		return b.size + 1
	}
	return int64(len(b.text))
}

// A Splitter cuts an input into blocks. It never waits for more than the first line of a block. It
// is for one goroutine.
type Splitter struct {
	src   io.Reader
	limit int
	spill io.Writer // gets the bytes of lines over the limit
	rest  []byte    // the beginning of a line, after the last block
	lines int       // in the blocks so far
	err   error     // what the source returned last; it is not read again

	decided    bool // recording and transcript are known
	recording  bool
	transcript bool
	layout     layout
}

// NewSplitter returns a Splitter of src.
func NewSplitter(src io.Reader, o Options) *Splitter {
	s := &Splitter{src: src, limit: 2*o.maxLine() + 4096, spill: o.Oversize}
	if s.spill == nil {
		s.spill = io.Discard
	}
	return s
}

// Next fills a block with the lines that come next. The error is io.EOF at the end, or that of the
// source.
func (s *Splitter) Next(b *Block) error {
	if cap(b.buf) < blockSize || cap(b.buf) > keepBlock {
		b.buf = make([]byte, 0, blockSize)
	}
	*b = Block{buf: append(b.buf[:0], s.rest...), first: s.lines + 1}
	s.rest = s.rest[:0]
	for scanned := 0; ; {
		if end := bytes.LastIndexByte(b.buf[scanned:], '\n') + 1; end > 0 {
			s.cut(b, scanned+end)
			return nil
		}
		scanned = len(b.buf)
		switch {
		case len(b.buf) > s.limit+2: // with CR LF
			return s.skip(b)
		case s.err == io.EOF && len(b.buf) > 0:
			s.cut(b, len(b.buf))
			return nil
		case s.err != nil:
			return s.err
		}
		b.buf = s.read(b.buf)
	}
}

// read reads once, after what is in a buffer.
func (s *Splitter) read(buf []byte) []byte {
	if len(buf) == cap(buf) {
		larger := make([]byte, len(buf), max(min(2*cap(buf), s.limit+3), len(buf)+1))
		copy(larger, buf)
		buf = larger
	}
	for range 100 {
		n, err := s.src.Read(buf[len(buf):cap(buf)])
		buf, s.err = buf[:len(buf)+n], err
		if n > 0 || err != nil {
			return buf
		}
	}
	s.err = io.ErrNoProgress
	return buf
}

// cut ends the block after the byte before end.
func (s *Splitter) cut(b *Block, end int) {
	b.text = b.buf[:end]
	s.rest = append(s.rest, b.buf[end:]...)
	s.lines += bytes.Count(b.text, []byte("\n"))
	if b.text[end-1] != '\n' {
		s.lines++
	}
	b.recording = s.recording
	if !s.decided {
		s.decide(b)
	}
}

// skip makes the block one for a line of which the beginning is in the buffer, and moves past that.
func (s *Splitter) skip(b *Block) error {
	b.over = true
	s.lines++
	for {
		piece, rest, found := bytes.Cut(b.buf, []byte("\n"))
		b.size += int64(len(piece))
		if found {
			piece = b.buf[:len(piece)+1]
		}
		if _, err := s.spill.Write(piece); err != nil {
			return err
		}
		switch {
		case found:
			s.rest = append(s.rest, rest...)
			return nil
		case s.err == io.EOF:
			return nil
		case s.err != nil:
			return s.err
		}
		b.buf = s.read(b.buf[:0])
	}
}

// decide looks for the first object of the input, which says whether that is a recording.
func (s *Splitter) decide(b *Block) {
	for at := 0; at < len(b.text); {
		line := firstLine(b.text[at:])
		object := trim(line)
		if len(object) > 0 && len(line) <= s.limit+2 {
			s.layout.see(object)
			if e, err := readEntry(object, nil); err == nil {
				s.decided, s.recording = true, e.isEntry
				s.transcript = !e.isEntry && isTranscript(object)
				b.plain, b.recording = at, s.recording
				return
			}
		}
		at += len(line)
	}
}

// Pretty reports whether the input looks like pretty-printed JSON: it begins with an object that
// goes over several lines.
func (s *Splitter) Pretty() bool { return s.layout.pretty }

// Transcript reports whether the input looks like a transcript file: its first object has a type
// and members that only entries of such files have.
func (s *Splitter) Transcript() bool { return s.transcript }

// isTranscript reports whether an object looks like an entry of a transcript file. Lines of the
// protocol write session_id and parent_tool_use_id.
func isTranscript(object []byte) bool {
	var entry map[string]json.RawMessage
	if json.Unmarshal(object, &entry) != nil || entry["type"] == nil {
		return false
	}
	for _, name := range []string{"sessionId", "parentUuid", "leafUuid", "messageId"} {
		if entry[name] != nil {
			return true
		}
	}
	return false
}

// A layout is what the first two lines of an input that are not blank look like.
type layout struct {
	seen          int
	alone, cutOff bool // the first: a brace and nothing else, or the beginning of an object
	pretty        bool
}

// see takes the next line that is not blank.
func (l *layout) see(line []byte) {
	switch l.seen++; l.seen {
	case 1:
		fault := jsontext.Check(line, codec.DefaultMaxDepth)
		l.alone = string(line) == "{"
		l.cutOff = line[0] == '{' && fault != nil && fault.Kind == jsontext.Syntax && fault.At >= len(line)
	case 2:
		l.pretty = l.alone || l.cutOff && line[0] != '{'
	}
}

// firstLine returns the first line of a text with its LF, if it has one.
func firstLine(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return text
}

// trim returns a line without its end, a byte-order mark and outer space.
func trim(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.Trim(bytes.TrimPrefix(line, []byte("\ufeff")), " \t\r")
}
