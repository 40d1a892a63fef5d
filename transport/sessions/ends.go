package sessions

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// endSize is how much of the beginning and of the end of a file is read for what it is about.
const endSize = 64 << 10

// ends are the beginning and the end of a transcript. They are the same bytes if it is short.
type ends struct {
	head, tail []byte
	modified   time.Time
	size       int64
}

var errEmptyFile = errors.New("the file is empty")

func readEnds(path string) (*ends, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	e := &ends{modified: info.ModTime(), size: info.Size()}
	if e.head, err = readAt(f, 0); err != nil {
		return nil, err
	}
	if len(e.head) == 0 {
		return nil, errEmptyFile
	}
	e.tail = e.head
	if e.size > endSize {
		e.tail, err = readAt(f, e.size-endSize)
	}
	return e, err
}

func readAt(f *os.File, offset int64) ([]byte, error) {
	b := make([]byte, endSize)
	n, err := f.ReadAt(b, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}

// forward yields the lines of a text that are objects and have a word in them.
func forward(text []byte, word string) iter.Seq[object.Object] {
	return func(yield func(object.Object) bool) {
		for line := range bytes.Lines(text) {
			if o := asObject(line, word); o != nil && !yield(o) {
				return
			}
		}
	}
}

// backward is forward from the end.
func backward(text []byte, word string) iter.Seq[object.Object] {
	return func(yield func(object.Object) bool) {
		for len(text) > 0 {
			start := bytes.LastIndexByte(text[:len(text)-1], '\n') + 1
			if o := asObject(text[start:], word); o != nil && !yield(o) {
				return
			}
			text = text[:start]
		}
	}
}

func asObject(line []byte, word string) object.Object {
	if !bytes.Contains(line, []byte(word)) {
		return nil
	}
	v, err := object.Parse(bytes.TrimSpace(line))
	if err != nil {
		return nil
	}
	o, _ := v.(object.Object)
	return o
}

// last returns the last text that a member has in lines of a type, and whether there is one. The
// type "" stands for all.
func last(text []byte, kind, member string) (string, bool) {
	for o := range backward(text, `"`+member+`"`) {
		if kind != "" && o.Text("type") != kind {
			continue
		}
		if s, ok := o.Get(member).(string); ok {
			return s, true
		}
	}
	return "", false
}

// first returns the first text that a member has.
func first(text []byte, member string) string {
	for o := range forward(text, `"`+member+`"`) {
		if s, ok := o.Get(member).(string); ok {
			return s
		}
	}
	return ""
}

// startedIn returns the working directory of a session, "" if it does not say.
func (e *ends) startedIn() string {
	if cwd, ok := last(e.tail, "relocated", "relocatedCwd"); ok && cwd != "" {
		return cwd
	}
	return first(e.head, "cwd")
}

// programs are the entrypoints of sessions that a program has started.
var programs = map[string]bool{"sdk-cli": true, "sdk-ts": true, "sdk-py": true}

// programmatic reports whether a program or a daemon has started the session.
func (e *ends) programmatic() bool {
	entry := first(e.head, "entrypoint")
	if entry == "" {
		entry, _ = last(e.tail, "", "entrypoint")
	}
	if programs[entry] {
		return true
	}
	for o := range forward(e.head, `"parentUuid"`) {
		kind := o.Text("sessionKind")
		return kind == "daemon" || kind == "daemon-worker"
	}
	return false
}

// goesOnIn returns the session in which this one went on, "" if it did not or was taken up since.
func (e *ends) goesOnIn() string {
	for o := range backward(e.tail, `"type"`) {
		switch o.Text("type") {
		case "continued-in":
			if id := o.Text("continuedInSessionId"); isUUID(id) {
				return id
			}
			return ""
		case "assistant":
			if _, ended := o.Object("message").Get("stop_reason").(string); ended && !o.Bool("isApiErrorMessage") {
				return ""
			}
		case "user":
			var p prompt
			if p.read(o); p.found != "" {
				return ""
			}
		}
	}
	return ""
}
