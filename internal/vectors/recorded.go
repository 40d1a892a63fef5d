package vectors

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// A document is something that was recorded, and what judges it.
type document struct {
	at         string // where it is
	version    string
	direction  string
	definition string
	text       []byte
}

// documents returns the recorded lines and the bodies of the answers, each once for a version. The
// shortest come first.
func documents(sessions []*corpus.Session, set *schema.Set) (all []document) {
	type contents struct{ version, definition, text string }
	seen := map[contents]bool{}
	places := map[string]int{} // several lines may stand in one
	add := func(d document) {
		places[d.at]++
		if n := places[d.at]; n > 1 {
			d.at = fmt.Sprintf("%s/%d", d.at, n)
		}
		key := contents{d.version, d.definition, string(d.text)}
		if !seen[key] && len(bytes.TrimSpace(d.text)) > 0 {
			seen[key] = true
			all = append(all, d)
		}
	}
	for _, s := range sessions {
		for i := range s.Lines {
			l := &s.Lines[i]
			from, direction := schema.FromSDK, "sdk-to-cli"
			if l.Dir == recording.ToSDK {
				from, direction = schema.FromCLI, "cli-to-sdk"
			}
			add(document{s.At(l), s.Version, direction, from.Definition(), l.Text})
			if body := set.Response(l.Answers); l.Body != nil && body != nil {
				add(document{s.At(l) + "/body", s.Version, direction, body.Name(), l.Body})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b document) int {
		return cmp.Or(corpus.Compare(a.version, b.version), cmp.Compare(len(a.text), len(b.text)), bytes.Compare(a.text, b.text))
	})
	return all
}

// recorded chooses from the recordings: for each version and direction, the shortest line, or body
// of an answer, that holds a definition; and of those that are invalid, the shortest for each place
// and reason. Lines past the limits of package schema are left out: other readers have others.
func (m *maker) recorded() (all []Vector, err error) {
	sessions, err := corpus.All()
	if err != nil {
		return nil, err
	}
	type part struct{ version, direction, name string }
	seen := map[part]bool{}
	for _, d := range documents(sessions, m.set) {
		v, parts, err := m.judged(&d)
		if errors.Is(err, codec.TooDeep) || errors.Is(err, codec.TooLong) {
			continue
		}
		if err != nil {
			return nil, err
		}
		chosen := false
		for _, name := range parts {
			p := part{d.version, d.direction, name}
			chosen = chosen || !seen[p]
			seen[p] = true
		}
		if chosen {
			all = append(all, v)
		}
	}
	return all, nil
}

// judged makes the vector of a document, and returns what may be new about it.
func (m *maker) judged(d *document) (v Vector, parts []string, err error) {
	v = m.vector(Recording, d.at, m.set.Lookup(d.definition))
	v.Direction, v.Version = d.direction, d.version
	v.Value = d.text
	names, err := m.set.Touched(d.definition, d.text)
	var invalid *schema.Error
	var broken *codec.Error
	switch {
	case err == nil:
		v.accept()
		return v, names, nil
	case errors.As(err, &invalid):
		first := invalid.Violations[0]
		v.refuse(first.Path, first.Detail)
	case errors.Is(err, codec.Syntax), errors.Is(err, codec.BadUTF8), errors.Is(err, codec.Duplicate):
		errors.As(err, &broken)
		v.Value = nil
		v.Line, v.Line64 = text(d.text)
		v.refuse(broken.Path, broken.Kind.Error())
	default:
		return v, nil, err
	}
	return v, []string{*v.At + " " + v.Why}, nil
}
