package journal

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// maxLine is the longest line that an entry has in full, headLine what is kept of a longer one.
const (
	maxLine  = 1 << 20
	headLine = 1000
)

// A Session notes what happens in one session. Its methods may be called from several goroutines;
// those of nil do nothing.
type Session struct {
	log   *Log
	key   string
	began time.Time
	asked atomic.Int64 // requests to the model
}

func (s *Session) add(e Entry) {
	if s == nil {
		return
	}
	e.Key = s.key
	s.log.add(e, s.began)
}

// Closed notes that the SDK closed what the CLI writes to, stdout or stderr.
func (s *Session) Closed(stream string) { s.add(Entry{Dir: Closed, Line: stream}) }

// Blocked notes that the SDK has not read for a while what the CLI writes to stdout or stderr.
func (s *Session) Blocked(stream string) { s.add(Entry{Dir: Blocked, Line: stream}) }

// Signal notes that a signal came.
func (s *Session) Signal(name string) { s.add(Entry{Dir: Signal, Line: name}) }

// Fault notes that a fault happens, at its first time.
func (s *Session) Fault(text string) { s.add(Entry{Dir: Fault, Line: text}) }

// Note notes something that Line says in a few words: [Chaos], [Unmatched] or [Unused].
func (s *Session) Note(dir Dir, text string) { s.add(Entry{Dir: dir, Line: text}) }

// Exit notes the end. The signal is "" unless one has ended the CLI; then code is -1.
func (s *Session) Exit(code int, signal, stderr string) {
	s.add(Entry{Dir: Exit, Code: &code, Signal: signal, Stderr: stderr})
}

// Asked notes a request to the model.
func (s *Session) Asked(request []byte) {
	if s == nil {
		return
	}
	e := noted(API, request)
	e.Number = int(s.asked.Add(1))
	s.add(e)
}

// line notes a line, with its line feed if it has one.
func (s *Session) line(dir Dir, text []byte) {
	text, lf := bytes.CutSuffix(text, []byte("\n"))
	e := noted(dir, text)
	e.Unterminated = !lf
	s.add(e)
}

// noted returns the entry of a text.
func noted(dir Dir, text []byte) Entry {
	e := Entry{Dir: dir}
	switch {
	case len(text) > maxLine:
		e.Truncated = len(text)
		e.Line = strings.ToValidUTF8(string(text[:headLine]), "")
	case !utf8.Valid(text):
		e.Base64 = base64.StdEncoding.EncodeToString(text)
		e.Line = string(bytes.ToValidUTF8(text, []byte("\uFFFD")))
	default:
		e.Line = string(text)
	}
	return e
}

// lines cuts what passes in one direction into lines.
type lines struct {
	session *Session
	dir     Dir
	rest    []byte
}

func (l *lines) pass(p []byte) {
	for {
		end := bytes.IndexByte(p, '\n') + 1
		if end == 0 {
			l.rest = append(l.rest, p...)
			return
		}
		l.rest = append(l.rest, p[:end]...)
		l.session.line(l.dir, l.rest)
		l.rest = l.rest[:0]
		p = p[end:]
	}
}

func (l *lines) end() {
	if len(l.rest) > 0 {
		l.session.line(l.dir, l.rest)
		l.rest = nil
	}
}

// Reader returns a reader of r, the input of a CLI, that notes what is read.
func (s *Session) Reader(r io.Reader) io.Reader {
	if s == nil {
		return r
	}
	return &reader{r, lines{session: s, dir: ToCLI}, false}
}

type reader struct {
	in    io.Reader
	lines lines
	ended bool
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.lines.pass(p[:n])
	if err == io.EOF && !r.ended {
		r.ended = true
		r.lines.end()
		r.lines.session.add(Entry{Dir: EOF})
	}
	return n, err
}

// Writer returns a writer to w, the output of a CLI, that notes what was written, and what notes at
// the end what has no line feed. A line is noted before it is written, so that its answer is never
// noted before it.
func (s *Session) Writer(w io.Writer) (noting io.Writer, end func()) {
	if s == nil {
		return w, func() {}
	}
	noter := &writer{w, lines{session: s, dir: ToSDK}}
	return noter, noter.lines.end
}

type writer struct {
	out   io.Writer
	lines lines
}

func (w *writer) Write(p []byte) (int, error) {
	w.lines.pass(p)
	return w.out.Write(p)
}
