package release

import (
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/gztext"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

var update = flag.Bool("update", false, "write table.json.gz")

// maker makes shapes of schemas. What came with the oldest version is left out.
type maker struct {
	set    *schema.Set
	oldest string
	shapes map[string]*shape
	later  map[string]bool // definitions of which a part came later
}

// definition returns the shape of an instance, nil if all of it is in the oldest version.
func (m *maker) definition(d *schema.Definition) *shape {
	name := d.Name()
	if !m.hasLater(name) {
		return nil
	}
	if _, ok := m.shapes[name]; !ok {
		m.shapes[name] = nil // a definition may have itself in it
		m.shapes[name] = m.node(d.Node)
	}
	return &shape{Ref: name}
}

func (s *shape) orNil() *shape {
	if s.Since == "" && s.Ref == "" && s.Members == nil && s.Each == nil && s.Arms == nil {
		return nil
	}
	return s
}

// after returns a version, "" if it is the oldest.
func (m *maker) after(version string) string {
	if !Older(m.oldest, version) {
		return ""
	}
	return version
}

// hasLater reports whether a part of the definition came after the oldest version.
func (m *maker) hasLater(name string) bool {
	if later, ok := m.later[name]; ok {
		return later
	}
	m.later[name] = false // while it is looked at
	later := m.nodeHasLater(m.set.Lookup(name).Node)
	m.later[name] = later
	return later
}

func (m *maker) nodeHasLater(n *schema.Node) bool {
	switch {
	case n == nil:
		return false
	case n.Ref != "":
		return m.hasLater(n.Ref)
	case n.Opaque:
		return n.Content != nil && m.nodeHasLater(n.Content)
	}
	return slices.ContainsFunc(n.Properties, func(p schema.Property) bool { return m.after(p.Since) != "" || m.nodeHasLater(p.Node) }) ||
		m.nodeHasLater(n.AdditionalProperties) || m.nodeHasLater(n.Items) || slices.ContainsFunc(n.OneOf, m.nodeHasLater)
}

// node returns the shape of a value, nil if all of it is in the oldest version.
func (m *maker) node(n *schema.Node) *shape {
	switch {
	case n == nil:
		return nil
	case n.Ref != "":
		return m.definition(m.set.Lookup(n.Ref))
	case n.Opaque:
		return m.node(n.Content)
	case n.OneOf != nil:
		return m.union(n)
	}
	s := &shape{Each: m.node(n.Items)}
	if s.Each == nil {
		s.Each = m.node(n.AdditionalProperties)
	}
	for _, p := range n.Properties {
		var member shape
		if inner := m.node(p.Node); inner != nil {
			member = *inner
		}
		member.Since = m.after(p.Since)
		if member.orNil() != nil {
			if s.Members == nil {
				s.Members = map[string]*shape{}
			}
			s.Members[p.Name] = &member
		}
	}
	return s.orNil()
}

// union returns the shape of a value that has one of several shapes.
func (m *maker) union(n *schema.Node) *shape {
	s := &shape{}
	for _, one := range n.OneOf {
		if slices.Contains(m.set.Kinds(one), "array") {
			s.add(nil, m.node(m.set.Resolve(one)))
		}
	}
	if u, ok := m.set.Union(n); ok {
		for _, a := range u.Arms {
			if !a.Unknown && !a.Legacy {
				s.add(a.Tags, m.definition(a.Definition))
			}
		}
	} else {
		for _, one := range n.OneOf {
			if slices.Contains(m.set.Kinds(one), "object") {
				s.add(nil, m.node(one))
			}
		}
	}
	return s.orNil()
}

// add adds an arm, if a part of it came later.
func (s *shape) add(tags []schema.Tag, one *shape) {
	if one == nil {
		return
	}
	a := arm{Shape: one}
	for _, t := range tags {
		if a.Tags == nil {
			a.Tags = map[string][]string{}
		}
		a.Tags[t.Name] = t.Values
	}
	s.Arms = append(s.Arms, a)
}

// line returns the shape of a line of the CLI. Those that came later are missing as a whole.
func (m *maker) line() *shape {
	s := &shape{}
	u, _ := m.set.Union(m.set.Lookup(schema.FromCLI.Definition()).Node)
	for _, a := range u.Arms {
		if a.Unknown || a.Legacy {
			continue
		}
		one := m.definition(a.Definition)
		if since := m.after(a.Definition.Since); since != "" {
			if one == nil {
				one = &shape{}
			}
			one.Since = since
		}
		s.add(a.Tags, one)
	}
	return s
}

// since returns the version of each definition that is not in the oldest version, by what is left
// of its file when the ends are cut off.
func (m *maker) since(before, after string, direction string) map[string]string {
	found := map[string]string{}
	for _, d := range m.set.Definitions() {
		name, ok := strings.CutPrefix(d.Name(), before)
		name, ends := strings.CutSuffix(name, after)
		if ok && ends && d.Evidence == "observed" && d.Direction != direction && m.after(d.Since) != "" {
			found[name] = d.Since
		}
	}
	return found
}

// flags returns since when flags are known, where that is later than the oldest version.
func (m *maker) flags(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../../../transport/cli/flags.json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Flags []struct{ Flag, Since string }
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range list.Flags {
		if m.after(f.Since) != "" {
			found[strings.TrimLeft(f.Flag, "-")] = f.Since
		}
	}
	return found
}

func TestTheTableIsThatOfTheSchemas(t *testing.T) {
	versions := corpus.Versions()
	m := &maker{set: schema.Default(), oldest: versions[0], shapes: map[string]*shape{}, later: map[string]bool{}}
	f := file{Versions: versions, Line: m.line(), Hooks: m.since("hook/", ".json#/$defs/Input", ""), Flags: m.flags(t), Replies: map[string]*shape{}}
	f.Requests = m.since("control/", ".json#/$defs/Request", "cli-to-sdk")
	maps.Copy(f.Requests, m.since("host/", ".json#/$defs/Request", "cli-to-sdk"))
	for _, d := range m.set.Definitions() {
		if subtype, ok := subtypeOf(d); ok {
			if s := m.definition(d); s != nil {
				f.Replies[subtype] = s
			}
		}
	}
	f.Shapes, f.Orders, f.Results = m.shapes, orders(t), results(t)
	want, err := json.MarshalIndent(&f, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		packed, err := gztext.Pack(want)
		if err := errors.Join(err, os.WriteFile("table.json.gz", packed, 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(gztext.Must(packedTable))); diff != "" {
		t.Errorf("table.json.gz is not that of the schemas; run go test -update: %s", diff)
	}
}

// subtypeOf returns the request whose replies have the definition.
func subtypeOf(d *schema.Definition) (string, bool) {
	name, ok := strings.CutSuffix(d.Name(), ".json#/$defs/Response")
	folder, subtype, found := strings.Cut(name, "/")
	return subtype, ok && found && (folder == "control" || folder == "host")
}
