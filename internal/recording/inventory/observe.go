package inventory

import (
	"fmt"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/exchange/clean"
	"github.com/ccwire/ccwire/schema"
)

// An observer compares documents with the schemas, each one once: the recordings of a version have
// most of their lines in common. It may be used by several goroutines.
type observer struct {
	mu   sync.Mutex // guards seen
	seen map[document]*observed
}

// A document is a text that should be an instance of a definition.
type document struct{ definition, text string }

// observed is what there is to say of a document.
type observed struct {
	members []schema.Observation
	unknown []string // what the schemas do not name in it
}

func newObserver() *observer { return &observer{seen: map[document]*observed{}} }

// observe returns what there is to say of a document, nil if there is no such definition.
func (o *observer) observe(definition, text string) *observed {
	if schema.Default().Lookup(definition) == nil {
		return nil
	}
	doc := document{definition, text}
	o.mu.Lock()
	have := o.seen[doc]
	o.mu.Unlock()
	if have == nil {
		have = look(doc)
		o.mu.Lock()
		o.seen[doc] = have
		o.mu.Unlock()
	}
	return have
}

// look compares a document with the schemas. One that does not fit them at all is something that
// they do not name, too: a new version may write one.
func look(doc document) *observed {
	var o observed
	text := []byte(doc.text)
	observe := schema.Default().Observe
	if doc.definition == schema.FromCLI.Definition() && clean.Valid(schema.FromCLI, text) {
		observe = schema.Default().ObserveValid // faster
	}
	found, err := observe(doc.definition, text, func(m schema.Observation) { o.members = append(o.members, m) })
	if err != nil {
		o.unknown = append(o.unknown, fmt.Sprintf("does not fit the schemas: %v", err))
	}
	for _, d := range found {
		o.unknown = append(o.unknown, fmt.Sprintf("%s at %s: %s", d.Kind, generalIndex(d.Path), d.Detail))
	}
	return &o
}

// note adds what was observed in a line of a kind.
func (c *Course) note(kind string, o *observed) {
	if o == nil {
		return
	}
	for _, m := range o.members {
		key := Member{m.Definition, m.Member}
		seen := c.Members[key]
		if seen == nil {
			seen = &Seen{Kinds: map[string]bool{}, Values: map[string]bool{}, Known: m.Known}
			c.Members[key] = seen
		}
		seen.Kinds[m.Kind] = true
		if m.Value != "" {
			seen.Values[m.Value] = true
		}
	}
	for _, u := range o.unknown {
		c.Unknown = append(c.Unknown, kind+": "+u)
	}
}

// generalIndex replaces the indexes of a JSON pointer, so that equal findings at other places are
// the same.
func generalIndex(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, p := range parts {
		if p != "" && strings.Trim(p, "0123456789") == "" {
			parts[i] = "N"
		}
	}
	return strings.Join(parts, "/")
}
