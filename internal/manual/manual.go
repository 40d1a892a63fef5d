package manual

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/manual/shown"
	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// A Manual has an entry for each definition of the schemas. It does not change and may be used by
// several goroutines.
type Manual struct {
	Areas    []*Area
	Versions []string // of the CLI that are recorded, the oldest first
	Revision string   // of the schemas

	set     *schema.Set
	entries map[string]*Entry // by the name of the definition
}

// An Area is a folder of the schemas.
type Area struct {
	Name   string // of the folder, such as "control"
	Title  string
	Intro  string
	Topics []*Topic // the core first, see [Grade], then by name
}

// A Topic is a file of the schemas.
type Topic struct {
	Area    *Area
	Name    string   // of the file without its end, such as "can_use_tool"
	Entries []*Entry // what the file is about first
}

// ID returns the path of the file without its end, such as "control/can_use_tool".
func (t *Topic) ID() string { return t.Area.Name + "/" + t.Name }

// Anchor returns the name by which pages link to the topic.
func (t *Topic) Anchor() string { return t.Area.Name + "-" + t.Name }

// Summary returns the first sentence about the topic.
func (t *Topic) Summary() string { return FirstSentence(t.Entries[0].Definition.Description) }

// Direction returns who writes the first entry.
func (t *Topic) Direction() string { return t.Entries[0].Definition.Direction }

// An Entry is about one definition.
type Entry struct {
	Topic      *Topic
	Definition *schema.Definition
	Key        string // its name in the file, such as "Request"; "" for the root
	Go         string // the Go type; "" if there is none
	goFile     string // the file of gen/wire that has it
	Members    []Member
	Type       Type     // what it is, if it is not an object with members
	Values     []string // the known values, if it is a string with some
	Arms       []*Entry // what a union chooses from
	Uses       []*Entry // the definitions that its members have, sorted by title
	UsedBy     []*Entry // those that have it, sorted by title
	Pair       *Entry   // a request's response, an input's output or result, and the way back; may be nil
	Shown      shown.Shown
	Grade      Grade
}

// Title returns the name of the topic and that of the entry in it: "can_use_tool Request". It has
// the area in front where the name alone says little: "permission/update".
func (e *Entry) Title() string {
	title := e.Topic.Name
	if slices.Contains([]string{"content", "legacy", "mcp", "permission", "transcript"}, e.Topic.Area.Name) {
		title = e.Topic.ID()
	}
	if e.Key == "" {
		return title
	}
	return title + " " + e.Key
}

// Anchor returns the name by which pages link to the entry. That of a root is the topic's.
func (e *Entry) Anchor() string {
	if e.Key == "" {
		return e.Topic.Anchor()
	}
	return e.Topic.Anchor() + "-" + e.Key
}

// SchemaFile returns the path of the schema in the repository.
func (e *Entry) SchemaFile() string { return "schema/" + e.Topic.ID() + ".json" }

// GoFile returns the path of the file in the repository that has the Go type, "" if there is none.
func (e *Entry) GoFile() string {
	if e.Go == "" {
		return ""
	}
	return "gen/wire/" + e.goFile
}

// Has reports whether a version of the CLI has it.
func (e *Entry) Has(version string) bool { return slices.Contains(e.Shown.Versions, version) }

// Example returns an instance: a recorded one, or that of the schema if there is none.
func (e *Entry) Example() []byte {
	if e.Shown.Example != nil {
		return e.Shown.Example.Value
	}
	return e.Definition.Examples[0]
}

// Source says where the example comes from, in Markdown.
func (e *Entry) Source() string {
	x := e.Shown.Example
	if x == nil {
		return "Example, from the schema; none was recorded:"
	}
	where := "`" + x.Recording + "`"
	switch {
	case x.Body:
		where += " in the body of the reply"
		if x.At != "" {
			where += " at `" + x.At + "`"
		}
	case x.At != "":
		where += " at `" + x.At + "`"
	}
	return "Recorded, " + where + ":"
}

// areas are the folders of the schemas in the order of the manual.
var areas = []Area{
	{Name: "envelope", Title: "Frames", Intro: "The lines of both directions, and the unions of what each side writes."},
	{Name: "message", Title: "Messages", Intro: "What the CLI writes besides control traffic, and what a user says."},
	{Name: "control", Title: "Control requests", Intro: "What one side asks the other, with what a successful answer holds."},
	{Name: "hook", Title: "Hooks", Intro: "The events for which the CLI calls back: what it says, and what the callback may answer."},
	{Name: "permission", Title: "Permissions", Intro: "Decisions on tools, and changes of the rules."},
	{Name: "mcp", Title: "MCP", Intro: "JSON-RPC messages to and from MCP servers inside the SDK."},
	{Name: "content", Title: "Content", Intro: "Content blocks, stream events and their deltas."},
	{Name: "tool", Title: "Tools", Intro: "What the built-in tools take and return."},
	{Name: "shared", Title: "Shared shapes", Intro: "Shapes that several others use."},
	{Name: "host", Title: "Host requests", Intro: "Requests that only the host of a user interface, of a remote session or of a browser sends."},
	{Name: "transcript", Title: "Transcript entries", Intro: "The lines of the files in which the CLI keeps its sessions; they do not go over the pipe."},
	{Name: "legacy", Title: "Legacy shapes", Intro: "Shapes of older peers: read, never sent."},
}

// New makes the manual of all schemas, with what the recordings show of them.
func New(kept map[string]*shown.Shown, versions []string) (*Manual, error) {
	set := schema.Transcripts()
	m := &Manual{Versions: versions, Revision: set.Revision(), set: set, entries: map[string]*Entry{}}
	byName := map[string]*Area{}
	for i := range areas {
		a := areas[i]
		m.Areas = append(m.Areas, &a)
		byName[a.Name] = &a
	}
	topics := map[string]*Topic{}
	names := naming.New()
	for _, d := range set.Definitions() {
		area := byName[path.Dir(d.File)]
		if area == nil {
			return nil, fmt.Errorf("%s: the manual has no area %q", d.File, path.Dir(d.File))
		}
		t := topics[d.File]
		if t == nil {
			t = &Topic{Area: area, Name: strings.TrimSuffix(path.Base(d.File), ".json")}
			topics[d.File] = t
			area.Topics = append(area.Topics, t)
		}
		e := &Entry{Topic: t, Definition: d, Key: strings.TrimPrefix(d.Pointer, "/$defs/")}
		if s := kept[d.Name()]; s != nil {
			e.Shown = *s
		}
		if area.Name != "transcript" {
			p, err := goType(names, set, d)
			if err != nil {
				return nil, err
			}
			e.Go, e.goFile = p.name, p.file
		}
		t.Entries = append(t.Entries, e)
		m.entries[d.Name()] = e
	}
	for _, a := range m.Areas {
		slices.SortFunc(a.Topics, func(a, b *Topic) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
		for _, t := range a.Topics {
			slices.SortStableFunc(t.Entries, func(a, b *Entry) int { return cmp.Compare(rank(a.Key), rank(b.Key)) })
			for _, e := range t.Entries {
				m.fill(e)
			}
		}
	}
	for _, e := range m.entries {
		slices.SortFunc(e.UsedBy, byTitle)
	}
	m.grades()
	return m, nil
}

// keys are the entries that come first in a topic.
var keys = []string{"", "Request", "Input", "Response", "Output", "Result"}

func rank(key string) int {
	if i := slices.Index(keys, key); i >= 0 {
		return i
	}
	return len(keys)
}

func byTitle(a, b *Entry) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a.Title()), strings.ToLower(b.Title())), cmp.Compare(a.Definition.Name(), b.Definition.Name()))
}

// pairs are the names of entries that belong together.
var pairs = map[string][]string{
	"Request": {"Response"}, "Response": {"Request"},
	"Input": {"Output", "Result"}, "Output": {"Input"}, "Result": {"Input"},
}

// fill adds what the schema of an entry says, when all entries are there.
func (m *Manual) fill(e *Entry) {
	d := e.Definition
	for i := range d.Properties {
		e.Members = append(e.Members, m.member(d, &d.Properties[i]))
	}
	if u, ok := m.set.Union(d.Node); ok {
		for _, arm := range u.Arms {
			e.Arms = append(e.Arms, m.entries[arm.Definition.Name()])
		}
	}
	if !d.IsStruct() {
		e.Type = m.typeOf(d.Node)
	}
	e.Values = valuesOf(d.Node)
	for _, key := range pairs[e.Key] {
		for _, other := range e.Topic.Entries {
			if other.Key == key {
				e.Pair = other
			}
		}
	}
	seen := map[*Entry]bool{e: true}
	add := func(name string) {
		used := m.entries[name]
		if used != nil && !seen[used] {
			seen[used] = true
			e.Uses = append(e.Uses, used)
			used.UsedBy = append(used.UsedBy, e)
		}
	}
	refs(d.Node, add)
	slices.SortFunc(e.Uses, byTitle)
}

// refs calls add for each definition that a node names.
func refs(n *schema.Node, add func(name string)) {
	if n == nil {
		return
	}
	if n.Ref != "" {
		add(n.Ref)
	}
	for i := range n.Properties {
		refs(n.Properties[i].Node, add)
	}
	for _, arm := range n.OneOf {
		refs(arm, add)
	}
	refs(n.Items, add)
	refs(n.AdditionalProperties, add)
	refs(n.Content, add)
}

// Entry returns the entry of a definition, nil if there is none.
func (m *Manual) Entry(definition string) *Entry { return m.entries[definition] }

// Set returns the schemas that the manual is about.
func (m *Manual) Set() *schema.Set { return m.set }

// Arrow says in words who writes what has an x-direction, "" if that says nothing.
func Arrow(direction string) string {
	switch direction {
	case "cli-to-sdk":
		return "CLI → SDK"
	case "sdk-to-cli":
		return "SDK → CLI"
	case "both":
		return "both ways"
	}
	return ""
}

// FirstSentence returns the beginning of a text, up to the end of its first sentence.
func FirstSentence(text string) string {
	for i := 0; ; {
		end := strings.Index(text[i:], ". ")
		if end < 0 {
			return text
		}
		i += end + 2
		if strings.Count(text[:i], "`")%2 == 0 {
			return text[:i-1]
		}
	}
}
