package scrub

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// remembered is how many strings a Scrubber knows again.
const remembered = 1 << 20

// A kind of stand-ins has numbers of its own.
type kind string

const (
	text   kind = "text"
	name   kind = "name" // one word, also of a member or in a path
	amount kind = "amount"
	id     kind = "id" // of any form
	moment kind = "moment"
	host   kind = "host"
	person kind = "person"
)

type key struct {
	kind kind
	sum  [16]byte
}

// number returns the number of a string among those of a kind, from 1.
func (s *Scrubber) number(k kind, of string) int {
	sum := sha256.Sum256([]byte(of))
	at := key{k, [16]byte(sum[:16])}
	if n, ok := s.numbers[at]; ok {
		return n
	}
	s.last[k]++
	n := s.last[k]
	if len(s.numbers) < remembered {
		s.numbers[at] = n
	}
	return n
}

var (
	uuid     = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	prefixed = regexp.MustCompile(`^(msg|toolu|srvtoolu|mcptoolu|req|call|file|container)_[A-Za-z0-9_-]+$`)
	dated    = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`)
	version  = regexp.MustCompile(`^v?\d{1,4}\.\d{1,4}\.\d{1,4}$`)
	address  = regexp.MustCompile(`^[^\s@/]+@[^\s@/]+\.[^\s@/]+$`)
	located  = regexp.MustCompile(`^([a-z][a-z0-9+.-]{1,10})://`)
	served   = regexp.MustCompile(`^mcp__\S+?__\S+$`)
	filed    = regexp.MustCompile(`^(?:~?/|\.{1,2}/|[A-Za-z]:[\\/])[^\x00-\x1f]*$|^[\w.@-]+(?:/[\w.@-]+)+/?$`)
)

// value returns the stand-in of a string at a place.
func (s *Scrubber) value(at place, v string) string {
	member := at.member
	switch {
	case v == "" || known().words[member][v]:
		return v
	case known().words[at.around][v] && !known().names[member]: // in a map
		return v
	case at.tags && (member == "type" || member == "subtype") && s.stays(v): // an unknown kind of line
		return v
	case uuid.MatchString(v):
		return fmt.Sprintf("00000000-0000-4000-8000-%012d", s.number(id, v))
	case prefixed.MatchString(v):
		prefix, _, _ := strings.Cut(v, "_")
		return fmt.Sprintf("%s_%024d", prefix, s.number(id, v))
	case dated.MatchString(v):
		at := time.Date(2000, 1, 1, 0, 0, s.number(moment, v), 0, time.UTC)
		return at.Format("2006-01-02T15:04:05.000Z")
	case strings.Contains(strings.ToLower(member), "version") && version.MatchString(v):
		return v
	case address.MatchString(v):
		return fmt.Sprintf("person-%d@example.com", s.number(person, v))
	case located.MatchString(v):
		return s.location(v)
	case served.MatchString(v):
		return s.tool(v)
	case len(v) <= 4096 && filed.MatchString(v):
		return s.path(v)
	}
	return s.text(v)
}

// tool replaces both names in that of a tool of an MCP server, so that the server is known again.
func (s *Scrubber) tool(v string) string {
	server, tool, _ := strings.Cut(strings.TrimPrefix(v, "mcp__"), "__")
	return "mcp__" + s.text(server) + "__" + s.text(tool)
}

// scalar returns the stand-in of a number, or what is no number. A digit says nothing of anybody.
func (s *Scrubber) scalar(at place, v []byte) []byte {
	if len(v) < 2 || v[0] != '-' && (v[0] < '0' || v[0] > '9') || known().numbers[at.member] && !at.free {
		return v
	}
	stand := fmt.Appendf(nil, "%d", 1000+s.number(amount, string(v)))
	if bytes.ContainsAny(v, ".eE") {
		stand = append(stand, ".5"...)
	}
	return stand
}

// word finds what is one word: a name, a key, a token.
var word = regexp.MustCompile(`^\S{1,99}$`)

// text returns the stand-in of a text, with the class of its length if it is long.
func (s *Scrubber) text(v string) string {
	if word.MatchString(v) {
		return fmt.Sprintf("name-%d", s.number(name, v))
	}
	n := s.number(text, v)
	switch {
	case len(v) < 100:
		return fmt.Sprintf("text-%d", n)
	case len(v) < 1000:
		return fmt.Sprintf("text-%d, hundreds of bytes", n)
	case len(v) < 1_000_000:
		return fmt.Sprintf("text-%d, about %d kB", n, (len(v)+999)/1000)
	}
	return fmt.Sprintf("text-%d, about %d MB", n, (len(v)+999_999)/1_000_000)
}

// schemes are those of addresses that say nothing of anybody.
var schemes = []string{"http", "https", "ws", "wss", "file"}

func (s *Scrubber) location(v string) string {
	scheme := located.FindStringSubmatch(v)[1]
	if !slices.Contains(schemes, scheme) {
		scheme = "scheme"
	}
	return fmt.Sprintf("%s://host-%d.invalid/", scheme, s.number(host, v))
}

// endings are those of files that say nothing of anybody.
var endings = []string{".c", ".cpp", ".css", ".go", ".h", ".html", ".ipynb", ".java", ".js", ".json", ".jsonl", ".md", ".mjs", ".pdf", ".png", ".py", ".rs",
	".sh", ".toml", ".ts", ".tsx", ".txt", ".yaml", ".yml"}

// path replaces each name in a path, so that the same folder is the same in all paths.
func (s *Scrubber) path(v string) string {
	var b strings.Builder
	for len(v) > 0 {
		i := strings.IndexAny(v, `/\`)
		if i < 0 {
			i = len(v)
		}
		b.WriteString(s.step(v[:i]))
		if i < len(v) {
			b.WriteByte(v[i])
			i++
		}
		v = v[i:]
	}
	return b.String()
}

func (s *Scrubber) step(v string) string {
	if v == "" || v == "." || v == ".." || v == "~" {
		return v
	}
	ending := path.Ext(v)
	if !slices.Contains(endings, ending) {
		ending = ""
	}
	return fmt.Sprintf("name-%d%s", s.number(name, v), ending)
}

// member returns the name of a member, or the stand-in that it has as a value.
func (s *Scrubber) member(v string) string {
	if known().names[v] || known().all[v] || s.stays(v) {
		return v
	}
	return s.value(place{}, v)
}
