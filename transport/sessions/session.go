package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/object"
)

// A Session is the transcript of a session on disk. It may be used concurrently.
type Session struct {
	id, path string
	project  string // the working directory that its folder is for; "" if it is not known
}

// ID returns the id of the session.
func (s *Session) ID() string { return s.id }

// Path returns the path of the transcript.
func (s *Session) Path() string { return s.path }

// Info returns what the session is about. It is an [ErrNoMessages] if there is nothing to show, and
// for a session of a subagent.
func (s *Session) Info() (*Info, error) {
	e, err := readEnds(s.path)
	if err != nil {
		return nil, s.failed("reading", err)
	}
	info := describe(s.id, s.path, s.project, e)
	if info == nil {
		return nil, s.failed("reading", ErrNoMessages)
	}
	return info, nil
}

func (s *Session) failed(what string, err error) error {
	return fmt.Errorf("%s session %s: %w", what, s.id, err)
}

// An Entry is a line of a transcript. The schema transcript/entry describes it.
type Entry struct {
	Type       string
	UUID       string // "" for what is not in the conversation
	ParentUUID string // the entry before; "" for none
	SessionID  string
	Time       time.Time // zero if it has none
	Raw        codec.Raw // the line, which belongs to the caller
}

// maxLine is the longest line that is read.
const maxLine = 256 << 20

// Entries yields the lines of the transcript in the order of the file. A line that is not an entry
// is yielded as a [*LineError], and the lines after it follow. A last line that is not finished is
// not there yet. Another error is the last.
func (s *Session) Entries(ctx context.Context) iter.Seq2[Entry, error] {
	return entries(ctx, s.path)
}

func entries(ctx context.Context, path string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		err := scan(ctx, path, func(line codec.Line, o object.Object, err error) bool {
			if err != nil {
				return yield(Entry{}, &LineError{Path: path, Offset: line.Offset, Err: err})
			}
			e := Entry{Type: o.Text("type"), UUID: o.Text("uuid"), ParentUUID: o.Text("parentUuid"), SessionID: o.Text("sessionId"), Raw: append(codec.Raw(nil), line.Bytes...)}
			e.Time, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
			return yield(e, nil)
		})
		if err != nil {
			yield(Entry{}, err)
		}
	}
}

// errNotAnEntry is what is wrong with a line that is not an object.
var errNotAnEntry = errors.New("it is not a JSON object")

// scan calls visit with each line of a file that is not blank, until that returns false.
func scan(ctx context.Context, path string, visit func(codec.Line, object.Object, error) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := codec.NewReader(f, &codec.ReaderOptions{MaxLine: maxLine})
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if line.Kind == codec.BlankLine {
			continue
		}
		o, err := parseEntry(line)
		if err != nil && line.Notes&codec.Unterminated != 0 {
			continue
		}
		if !visit(line, o, err) {
			return nil
		}
	}
}

func parseEntry(line codec.Line) (object.Object, error) {
	if line.Kind != codec.ObjectLine {
		return nil, errNotAnEntry
	}
	v, err := object.Parse(line.Bytes)
	if err != nil {
		return nil, err
	}
	o, ok := v.(object.Object)
	if !ok {
		return nil, errNotAnEntry
	}
	return o, nil
}
