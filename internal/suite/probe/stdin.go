package probe

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// logArg makes the CLI write a log, and debugLog is the file.
const (
	debugLog = "ccwire-probe.log"
	logArg   = "--debug-file=${tmp}/" + debugLog
)

// logTime is how long a log may take to say something.
const logTime = 5 * time.Second

// typeLine is a line that has nothing but a type.
func typeLine(name string) string { return line(map[string]any{"type": name}) }

// A logReader reads what is new in the log of one session after the other.
type logReader struct {
	of            *session
	at            int64
	before, after string // what is around a name in the log's note of an unknown type
	seen          map[string]bool
	partial       []byte
}

// heard reports whether the log of the session says that the type is unknown.
func (l *logReader) heard(s *session, name string) (string, bool) {
	if l.of != s {
		*l = logReader{of: s, before: l.before, after: l.after, seen: map[string]bool{}}
	}
	if !l.seen[name] {
		l.read()
	}
	return "", l.seen[name]
}

func (l *logReader) read() {
	f, err := os.Open(logFile(l.of))
	if err != nil {
		return // there is no log yet
	}
	defer f.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := f.ReadAt(buf, l.at)
		l.at += int64(n)
		l.partial = append(l.partial, buf[:n]...)
		for {
			text, rest, ok := bytes.Cut(l.partial, []byte("\n"))
			if !ok {
				break
			}
			if _, name, ok := strings.Cut(string(text), l.before); ok {
				if name, ok := strings.CutSuffix(name, l.after); ok {
					l.seen[name] = true
				}
			}
			l.partial = rest
		}
		if len(l.partial) > longestLine {
			l.partial = nil
		}
		if err != nil || n == 0 {
			return
		}
	}
}

func logFile(s *session) string {
	dir, _ := s.peer.Vars()["tmp"].(string)
	return filepath.Join(dir, debugLog)
}

// types finds the types of lines that the CLI recognises on its stdin. Newer versions note an
// unknown one in their log, older ones end.
func (p *prober) types(ctx context.Context) (*Findings, error) {
	k := knownTypes(p.schemas, p.target.Version())
	log, err := p.noteOfUnknownType(ctx)
	if err != nil {
		return nil, err
	}
	if log == nil {
		return p.fatalTypes(ctx, k)
	}
	names := p.candidates(StdinType, k, requestName, p.names.words)
	recognised, err := p.ask(ctx, &channel{
		kind: StdinType, args: []string{logArg}, line: typeLine, heard: log.heard,
		refused: func(string, string) bool { return true },
		fence: func(n int) (string, string) {
			name := "ccwire_fence_" + strconv.Itoa(n)
			return typeLine(name), name
		},
	}, names)
	if err != nil {
		return nil, err
	}
	return p.compare(k, recognised, names), nil
}

// noteOfUnknownType returns a reader of the log that knows how the CLI notes an unknown type. It is
// nil if the CLI does not.
func (p *prober) noteOfUnknownType(ctx context.Context) (*logReader, error) {
	s, err := p.open(ctx, []string{logArg}, nil)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, nil // it does not know the flag
	}
	defer s.close()
	s.write(ctx, typeLine(madeUp), fenceTime)
	l := &logReader{}
	s.wait(ctx, logTime, func() bool {
		text, err := os.ReadFile(logFile(s)) // of a session that was just started
		if err != nil {
			return false
		}
		for note := range strings.Lines(string(text)) {
			before, after, ok := strings.Cut(note, madeUp)
			if ok && strings.HasSuffix(after, "\n") {
				l.before, l.after = before[strings.LastIndex(before, "] ")+1:], strings.TrimSuffix(after, "\n")
				return true
			}
		}
		return false
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if l.before == "" {
		return nil, nil
	}
	return l, nil
}

// fatalTypes finds out which types of the schemas a CLI knows that ends when it does not know one.
// Each name takes a session, so it tries no others.
func (p *prober) fatalTypes(ctx context.Context, k known) (*Findings, error) {
	note, err := p.lastWords(ctx, madeUp)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(note, madeUp) {
		return &Findings{Unclear: "a line of an unknown type is ignored, and the log does not tell"}, nil
	}
	names := p.candidates(StdinType, k, requestName)
	recognised := map[string]string{}
	for i, name := range names {
		p.progress(StdinType, i, len(names))
		words, err := p.lastWords(ctx, name)
		if err != nil {
			return nil, err
		}
		if words != strings.ReplaceAll(note, madeUp, name) {
			recognised[name] = words
		}
	}
	f := p.compare(k, recognised, names)
	f.Limit = "This version ends with an unknown type, so only the types of the schemas were tried."
	return f, nil
}

// lastWords sends a line of a type and returns what a session that ends by it says last.
func (p *prober) lastWords(ctx context.Context, name string) (string, error) {
	s, err := p.open(ctx, nil, nil)
	if err != nil {
		return "", err
	}
	defer s.close()
	s.write(ctx, typeLine(name), fenceTime)
	fence, last := fenceLine(0)
	s.write(ctx, fence, fenceTime)
	s.wait(ctx, logTime, func() bool { _, ok := s.reply(last); return ok })
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if _, ok := s.reply(last); ok {
		return "", nil
	}
	select {
	case <-s.peer.Done():
		return lastLine(s.peer.Exit().Stderr), nil
	case <-time.After(settle):
		return "", nil
	}
}
