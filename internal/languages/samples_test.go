//go:build languages

package languages

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// A sample is a recorded value, and the types that generated code must read it as.
type sample struct {
	At   string   `json:"at"`   // where it was recorded
	Type string   `json:"type"` // the type to read it with: FromCLI, FromSDK or that of a response
	Arms []string `json:"arms"` // the arms of unions that it and its parts are of, outermost first
	Text string   `json:"text"` // the line, or the body of a response
}

// samples returns what the newest recorded CLI and its peer wrote, each text once: the lines, and
// the answers to requests. Left out is what generated types do not have: lines that are invalid on
// purpose, tags that the schemas do not know, legacy shapes.
func samples(t testing.TB) (list []sample) {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	titles := &titles{t, naming.New().Definition}
	seen := map[string]bool{}
	add := func(at, definition string, text []byte) {
		key := definition + " " + string(text)
		if seen[key] || !typed(definition, text) {
			return
		}
		seen[key] = true
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
		d := schema.Default().Lookup(definition)
		for d.Ref != "" {
			d = schema.Default().Lookup(d.Ref)
		}
		list = append(list, sample{At: at, Type: titles.of(d), Arms: titles.arms(d.Node, value), Text: string(text)})
	}
	for _, s := range sessions {
		if s.Version != corpus.Newest() {
			continue
		}
		for i := range s.Lines {
			l := &s.Lines[i]
			at := strings.TrimPrefix(s.At(l), s.Version+"/")
			direction := schema.FromSDK
			if l.Dir == recording.ToSDK {
				direction = schema.FromCLI
			}
			add(at, direction.Definition(), l.Text)
			if response := schema.Default().Response(l.Answers); l.Body != nil && response != nil {
				add(at, response.Name(), l.Body)
			}
		}
	}
	return list
}

// typed reports whether generated types have a place for the document.
func typed(definition string, text []byte) bool {
	deviations, err := schema.Default().Lint(definition, text)
	return err == nil && !slices.ContainsFunc(deviations, func(d codec.Deviation) bool {
		return d.Kind == codec.Invalid || d.Kind == codec.UnknownTag || d.Kind == codec.LegacyShape
	})
}

// titles knows the names of generated types.
type titles struct {
	t    testing.TB
	name func(d *schema.Definition) (string, error)
}

func (s *titles) of(d *schema.Definition) string {
	s.t.Helper()
	title, err := s.name(d)
	if err != nil {
		s.t.Fatal(err)
	}
	return title
}

// arms lists the arms of unions that a value and its parts are of.
func (s *titles) arms(n *schema.Node, value any) (list []string) {
	s.t.Helper()
	n = schema.Default().Resolve(n)
	if u, ok := schema.Default().Union(n); ok {
		object, _ := value.(map[string]any)
		i := slices.IndexFunc(u.Arms, func(a *schema.Arm) bool { return !a.Unknown && !a.Legacy && selects(a, object) })
		if i < 0 {
			return nil // null, or another arm that is not an object
		}
		return append([]string{s.of(u.Arms[i].Definition)}, s.arms(u.Arms[i].Definition.Node, value)...)
	}
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if n.Items != nil {
				list = append(list, s.arms(n.Items, element)...)
			}
		}
	case map[string]any:
		for _, p := range n.Properties {
			list = append(list, s.arms(p.Node, value[p.Name])...)
		}
	}
	return list
}

// selects reports whether the tags of a value are those of the arm.
func selects(a *schema.Arm, value map[string]any) bool {
	return !slices.ContainsFunc(a.Tags, func(tag schema.Tag) bool {
		v, ok := value[tag.Name].(string)
		return !ok || !slices.Contains(tag.Values, v)
	})
}
