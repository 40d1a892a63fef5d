package scrub

import (
	"bytes"
	"os"
	"os/user"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// A Scrubber replaces what is private. Equal strings have equal stand-ins for as long as it is
// used. It is for one goroutine.
type Scrubber struct {
	// KeepNames keeps names that look like those of a protocol.
	KeepNames bool

	private []string // names in lower case that no member's name may hold
	numbers map[key]int
	last    map[kind]int
}

// New returns a Scrubber. The names of the user and of the host, which it finds out itself, and
// others that are given, are looked for in the names of members too.
func New(private ...string) *Scrubber {
	s := &Scrubber{numbers: map[key]int{}, last: map[kind]int{}}
	if u, err := user.Current(); err == nil {
		private = append(private, u.Username)
		private = append(private, strings.Fields(u.Name)...)
	}
	if h, err := os.Hostname(); err == nil {
		private = append(private, h)
	}
	const least = 4 // a shorter one is in too many words
	for _, p := range private {
		if len(p) >= least {
			s.private = append(s.private, strings.ToLower(p))
		}
	}
	return s
}

const mark = "\ufeff" // the byte-order mark

// Line returns a line of the protocol, without its LF, as it may be shown. What is not JSON is
// replaced as a whole by something that is as broken.
func (s *Scrubber) Line(line []byte) []byte {
	before, rest := "", line
	if after, ok := bytes.CutPrefix(rest, []byte(mark)); ok {
		before, rest = mark, after
	}
	rest, cr := bytes.CutSuffix(rest, []byte("\r"))
	rest = bytes.Trim(rest, " \t\r")
	if len(rest) == 0 {
		return line
	}
	out := append([]byte(before), s.content(rest)...)
	if cr {
		out = append(out, '\r')
	}
	return out
}

func (s *Scrubber) content(line []byte) []byte {
	if line[0] != '{' {
		return s.Text(line)
	}
	sc := jsontext.NewScanner(line)
	sc.MaxDepth = deepest
	if sc.Skip() && sc.Finish() {
		w := writer{s: s, sc: jsontext.NewScanner(line)}
		w.sc.MaxDepth = deepest
		w.value(place{tags: true})
		return w.out
	}
	return append([]byte("{ "), s.Text(line)...)
}

// deepest is how deep a line may nest that is not replaced as a whole. It is past what readers
// take, so that a line that is too deep stays so.
const deepest = 10_000

// Text returns the stand-in of a text that is not JSON.
func (s *Scrubber) Text(text []byte) []byte {
	if len(bytes.TrimSpace(text)) == 0 {
		return text
	}
	return []byte(s.text(string(text)))
}

// A writer writes a JSON text again, with other strings. The text is known to be JSON.
type writer struct {
	s   *Scrubber
	sc  jsontext.Scanner
	out []byte
}

// A place is where a value is.
type place struct {
	member string // the member that has it, or a list that does
	around string // the member that has the object around it
	tags   bool   // the object is the line, or the request, response or event in it
	free   bool   // the schemas do not say what is in it
}

// value writes the next value.
func (w *writer) value(at place) {
	switch w.sc.Peek() {
	case '{':
		w.object(at)
	case '[':
		w.array(at)
	case '"':
		text, _ := w.sc.String()
		w.string(w.s.value(at, text))
	default:
		start := w.sc.Pos
		w.sc.Skip()
		w.out = append(w.out, w.s.scalar(at, w.sc.Data[start:w.sc.Pos])...)
	}
}

func (w *writer) object(at place) {
	tags := at.tags && (at.member == "" || at.member == "request" || at.member == "response" || at.member == "event")
	w.out = append(w.out, '{')
	w.sc.Open()
	for first := true; ; first = false {
		key, ok := w.sc.Key()
		if !ok {
			break
		}
		if !first {
			w.out = append(w.out, ',')
		}
		name := string(key)
		w.string(w.s.member(name))
		w.out = append(w.out, ':')
		w.value(place{member: name, around: at.member, tags: tags, free: at.free || known().free(name, at.member)})
	}
	w.sc.Depth--
	w.out = append(w.out, '}')
}

func (w *writer) array(at place) {
	at.tags = false
	w.out = append(w.out, '[')
	w.sc.OpenArray()
	for i := 0; w.sc.More(i); i++ {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.value(at)
	}
	w.out = append(w.out, ']')
}

func (w *writer) string(text string) {
	w.out, _ = jsontext.AppendString(w.out, text) // it was read from JSON, or is ours
}

var (
	flag    = regexp.MustCompile(`^--?[a-z]{1,24}(?:-[a-z]{1,24}){0,7}$`)
	numeric = regexp.MustCompile(`^-?[0-9]{1,9}(?:\.[0-9]{1,9})?$`)
	plain   = map[string]bool{"stream-json": true, "json": true, "text": true, "stdio": true, "true": true, "false": true}
)

// Args returns arguments of the CLI as they may be shown: flags, and values that the schemas know.
func (s *Scrubber) Args(args []string) []string {
	var out []string
	for _, a := range args {
		switch before, after, ok := strings.Cut(a, "="); {
		case flag.MatchString(a):
			out = append(out, a)
		case ok && flag.MatchString(before):
			out = append(out, before+"="+s.arg(after))
		default:
			out = append(out, s.arg(a))
		}
	}
	return out
}

func (s *Scrubber) arg(a string) string {
	switch {
	case plain[a] || numeric.MatchString(a) || known().words["permissionMode"][a]:
		return a
	case strings.HasPrefix(a, "{"):
		return string(s.Line([]byte(a)))
	}
	return s.value(place{}, a)
}
