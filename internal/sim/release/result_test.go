package release

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// paths are the places in results of tools, by the tool: names with spaces between them, * for the
// elements of a list.
type paths map[string]map[string]bool

func (p paths) add(tool string, v any, at string) {
	switch v := v.(type) {
	case object.Object:
		for _, m := range v {
			place := strings.TrimSpace(at + " " + m.Name)
			if p[tool] == nil {
				p[tool] = map[string]bool{}
			}
			p[tool][place] = true
			p.add(tool, m.Value, place)
		}
	case []any:
		for _, e := range v {
			p.add(tool, e, at+" *")
		}
	}
}

// session notes the results of the tools in a session.
func (p paths) session(s *corpus.Session) {
	used := map[string]string{}
	for _, l := range s.Lines {
		v, err := object.Parse(l.Text)
		o, ok := v.(object.Object)
		if err != nil || !ok || l.Dir != recording.ToSDK {
			continue
		}
		for _, b := range o.Object("message").List("content") {
			b, _ := b.(object.Object)
			if b.Text("type") == "tool_use" {
				used[b.Text("id")] = b.Text("name")
			}
			if tool := used[b.Text("tool_use_id")]; tool != "" {
				p.add(tool, o.Get("tool_use_result"), "")
			}
		}
	}
}

// results returns since when members of the results of tools are there. Versions are compared by
// the scenarios that are recorded of both.
func results(t *testing.T) map[string]*shape {
	t.Helper()
	all, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]map[string]*corpus.Session{} // version, scenario
	for _, s := range all {
		if s.Scenario != "" {
			if by[s.Version] == nil {
				by[s.Version] = map[string]*corpus.Session{}
			}
			by[s.Version][s.Scenario] = s
		}
	}
	found := map[string]*shape{}
	versions := corpus.Versions()
	for i, version := range versions[:len(versions)-1] {
		was, now := paths{}, paths{}
		for scenario, s := range by[version] {
			if newer := by[newest][scenario]; newer != nil {
				was.session(s)
				now.session(newer)
			}
		}
		for tool := range was {
			for place := range now[tool] {
				if !was[tool][place] {
					if found[tool] == nil {
						found[tool] = &shape{}
					}
					found[tool].at(strings.Fields(place)).Since = versions[i+1]
				}
			}
		}
	}
	return found
}

// at returns the shape of a place, which is made if it is not there.
func (s *shape) at(place []string) *shape {
	if len(place) == 0 {
		return s
	}
	if place[0] == "*" {
		if s.Each == nil {
			s.Each = &shape{}
		}
		return s.Each.at(place[1:])
	}
	if s.Members == nil {
		s.Members = map[string]*shape{}
	}
	if s.Members[place[0]] == nil {
		s.Members[place[0]] = &shape{}
	}
	return s.Members[place[0]].at(place[1:])
}
