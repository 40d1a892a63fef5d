package journal

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// maxLine is the longest line that an entry has in full, headLine what is kept of a longer one.
const (
	maxLine  = 1 << 20
	headLine = 1000
)

// A Log writes the journal of a session. Its methods may be called from several goroutines. The
// zero value keeps nothing but the entries in memory.
type Log struct {
	mu      sync.Mutex // guards the fields below
	out     io.Writer  // nil: nothing is written
	forget  bool       // entries are not kept in memory
	began   time.Time
	entries []Entry
	err     error // of the first write that failed
}

// New returns a log that writes to w, and keeps nothing in memory.
func New(w io.Writer) *Log { return &Log{out: w, forget: true} }

// Start begins a session.
func (l *Log) Start(version string, args []string, cwd string, env []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.began = time.Now()
	at := l.began.UTC().Truncate(time.Millisecond)
	l.addLocked(Entry{Dir: Header, Time: &at, Version: version, Args: args, Cwd: cwd, Env: environment(env)})
}

// Closed notes that the SDK closed what the CLI writes to, stdout or stderr.
func (l *Log) Closed(stream string) { l.add(Entry{Dir: Closed, Line: stream}) }

// Blocked notes that the SDK has not read for a while what the CLI writes to stdout or stderr.
func (l *Log) Blocked(stream string) { l.add(Entry{Dir: Blocked, Line: stream}) }

// Signal notes that a signal came.
func (l *Log) Signal(name string) { l.add(Entry{Dir: Signal, Line: name}) }

// Fault notes that a fault happens, at its first time.
func (l *Log) Fault(text string) { l.add(Entry{Dir: Fault, Line: text}) }

// Note notes something that Line says in a few words: [Chaos], [Unmatched] or [Unused].
func (l *Log) Note(dir Dir, text string) { l.add(Entry{Dir: dir, Line: text}) }

// Exit notes the end. The signal is "" unless one has ended the CLI; then code is -1.
func (l *Log) Exit(code int, signal, stderr string) {
	l.add(Entry{Dir: Exit, Code: &code, Signal: signal, Stderr: stderr})
}

// Entries returns what was noted so far.
func (l *Log) Entries() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Entry(nil), l.entries...)
}

// Err returns the first error of writing the journal.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *Log) add(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.addLocked(e)
}

func (l *Log) addLocked(e Entry) {
	if l.began.IsZero() {
		l.began = time.Now()
	}
	e.At = float64(time.Since(l.began).Microseconds()) / 1000
	if !l.forget {
		l.entries = append(l.entries, e)
	}
	if l.out == nil || l.err != nil {
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if l.err = enc.Encode(&e); l.err == nil {
		_, l.err = l.out.Write(b.Bytes()) // at once: the process may be killed at any time
	}
}

// line notes a line, with its line feed if it has one.
func (l *Log) line(dir Dir, text []byte) {
	text, lf := bytes.CutSuffix(text, []byte("\n"))
	e := Entry{Dir: dir, Unterminated: !lf}
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
	l.add(e)
}

// lines cuts what passes in one direction into lines.
type lines struct {
	log  *Log
	dir  Dir
	rest []byte
}

func (s *lines) pass(p []byte) {
	for {
		end := bytes.IndexByte(p, '\n') + 1
		if end == 0 {
			s.rest = append(s.rest, p...)
			return
		}
		s.rest = append(s.rest, p[:end]...)
		s.log.line(s.dir, s.rest)
		s.rest = s.rest[:0]
		p = p[end:]
	}
}

func (s *lines) end() {
	if len(s.rest) > 0 {
		s.log.line(s.dir, s.rest)
		s.rest = nil
	}
}

// Reader returns a reader of r, the input of a CLI, that notes what is read.
func (l *Log) Reader(r io.Reader) io.Reader { return &reader{r, lines{log: l, dir: ToCLI}, false} }

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
		r.lines.log.add(Entry{Dir: EOF})
	}
	return n, err
}

// Writer returns a writer to w, the output of a CLI, that notes what was written. A line is noted
// before it is written, so that its answer is never noted before it. Close notes what has no line
// feed; it does not close w.
func (l *Log) Writer(w io.Writer) io.WriteCloser { return &writer{w, lines{log: l, dir: ToSDK}} }

type writer struct {
	out   io.Writer
	lines lines
}

func (w *writer) Write(p []byte) (int, error) {
	w.lines.pass(p)
	return w.out.Write(p)
}

func (w *writer) Close() error {
	w.lines.end()
	return nil
}
