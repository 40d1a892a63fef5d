// Package reading says of one line of the protocol what it is: member by member, what is unknown or
// wrong in it, and what answer it wants. Whatever is in the line, a Reading is small, and its texts
// are safe to print.
package reading

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/near"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/schema"
)

// Limits of what is listed.
const (
	maxMembers  = 300
	maxElements = 3 // of a list
	maxFindings = 20
	maxText     = 120 // columns of a value
)

// A Reading is what a line is.
type Reading struct {
	What     []*manual.Entry // from the outside in, such as control_request and can_use_tool Request
	Writer   string          // "the CLI", "the SDK" or "either side"
	Members  []Member
	Omitted  int // how many members are not listed
	Findings []Finding
	Unlisted int // how many findings are not listed
	Answer   Answer
}

// A Member is one of the line, or of an object in it.
type Member struct {
	Depth   int
	Name    string
	Value   string        // the beginning of it
	Entry   *manual.Entry // what the value is, if it is an object with members
	Meaning string
	Unknown bool     // the schemas do not have it
	Near    []string // the members that may have been meant, if it is unknown, or the tags, if its value is
	Wrong   []string // what else is to be said against it
	Missing bool     // it should be there
}

// A Finding is something unknown or wrong that is not about a listed member.
type Finding struct {
	Error bool
	Text  string
}

// Clean reports whether there is nothing to say against the line.
func (r *Reading) Clean() bool {
	return len(r.Findings) == 0 && !slices.ContainsFunc(r.Members, func(m Member) bool {
		return m.Unknown || m.Missing || len(m.Wrong) > 0
	})
}

// A reader reads one line.
type reader struct {
	manual *manual.Manual
	places map[string][]*manual.Entry // by pointer, from the outside in
	found  map[string][]linecheck.Finding
	told   map[string]bool // the pointers whose findings are said of a member
	out    *Reading
}

// Read reads a line of a direction.
func Read(m *manual.Manual, dir schema.Direction, line codec.Line) *Reading {
	return read(m, dir, dir.Definition(), linecheck.New(true).WithTools().Check(dir, line), line)
}

// ReadEntry reads a line of a transcript file.
func ReadEntry(m *manual.Manual, line codec.Line) *Reading {
	return read(m, schema.FromCLI, schema.TranscriptEntry, linecheck.NewTranscript(true).WithTools().Check(schema.FromCLI, line), line)
}

func read(m *manual.Manual, dir schema.Direction, definition string, found []linecheck.Finding, line codec.Line) *Reading {
	r := &reader{manual: m, places: map[string][]*manual.Entry{}, found: map[string][]linecheck.Finding{}, told: map[string]bool{}, out: &Reading{}}
	for _, f := range found {
		r.found[f.Path] = append(r.found[f.Path], f)
	}
	if line.Kind == codec.ObjectLine {
		places, err := m.Set().MeantPlaces(definition, line.Bytes)
		for _, p := range places {
			r.places[p.At] = append(r.places[p.At], m.Entry(p.Definition.Name()))
		}
		if err == nil {
			r.what()
			r.object(line.Bytes, "", 0)
			r.out.Writer = writer(dir, r.out.What)
			if definition != schema.TranscriptEntry {
				r.out.Answer = answer(m, dir, line.Bytes, r.out)
			}
		}
	}
	for _, f := range found {
		switch {
		case r.told[f.Path] && f.Path != "":
		case len(r.out.Findings) == maxFindings:
			r.out.Unlisted++
		default:
			r.out.Findings = append(r.out.Findings, Finding{f.Severity == linecheck.Error, describe(f, line.Bytes)})
		}
	}
	return r.out
}

// inner are the places of a line that say what it is about.
var inner = []string{"", "/request", "/request/input", "/request/message", "/response", "/event", "/event/delta", "/attachment"}

// what finds what the line is.
func (r *reader) what() {
	for _, at := range inner {
		if e := r.entry(at); e != nil && e.Topic.Area.Name != "tool" {
			r.out.What = append(r.out.What, e)
		}
	}
}

// entry returns what the object at a pointer is, nil if that is not known.
func (r *reader) entry(at string) *manual.Entry {
	for _, e := range slices.Backward(r.places[at]) {
		if e.Definition.IsStruct() {
			return e
		}
	}
	return nil
}

// writer says who writes the line, by its direction or by what it is.
func writer(dir schema.Direction, what []*manual.Entry) string {
	direction := ""
	for _, e := range what {
		if d := e.Definition.Direction; d == "cli-to-sdk" || d == "sdk-to-cli" {
			direction = d
		}
	}
	switch {
	case dir == schema.FromCLI, dir == schema.Either && direction == "cli-to-sdk":
		return "the CLI"
	case dir == schema.FromSDK, dir == schema.Either && direction == "sdk-to-cli":
		return "the SDK"
	}
	return "either side"
}

// object lists the members of an object, and those that are missing.
func (r *reader) object(text []byte, at string, depth int) {
	e := r.entry(at)
	if e == nil {
		return
	}
	has := map[string]bool{}
	for _, m := range members(text) {
		has[m.name] = true
		if len(r.out.Members) >= maxMembers {
			r.out.Omitted++
			continue
		}
		r.member(e, m, at, depth)
	}
	for i := range e.Members {
		m := &e.Members[i]
		path := at + "/" + escape(m.Name)
		if found := r.found[path]; !has[m.Name] && len(found) > 0 && len(r.out.Members) < maxMembers {
			r.told[path] = true
			r.out.Members = append(r.out.Members, Member{Depth: depth, Name: m.Name, Meaning: manual.FirstSentence(m.Meaning), Missing: true})
		}
	}
}

// member lists a member of an object, and what is in it.
func (r *reader) member(e *manual.Entry, m rawMember, at string, depth int) {
	path := at + "/" + escape(m.name)
	listed := Member{Depth: depth, Name: preview([]byte(m.name)), Value: preview(m.value), Entry: r.entry(path)}
	if i := slices.IndexFunc(e.Members, func(k manual.Member) bool { return k.Name == m.name }); i >= 0 {
		listed.Meaning = manual.FirstSentence(e.Members[i].Meaning)
	} else if !e.Definition.Unknown && !e.Definition.Legacy() {
		listed.Unknown = true
		if len(m.name) <= maxText {
			listed.Near = near.Words(m.name, names(e))
		}
	}
	for _, f := range r.found[path] {
		r.told[path] = true
		switch f.Kind {
		case codec.UnknownMember:
			continue
		case codec.UnknownTag:
			var tag string
			if json.Unmarshal(m.value, &tag) == nil && len(tag) <= maxText {
				listed.Near = near.Words(tag, r.tags(at, m.name))
			}
		}
		listed.Wrong = append(listed.Wrong, terminal.Printable(f.Kind.String()+": "+f.Detail))
	}
	if listed.Entry != nil {
		listed.Value = ""
	}
	r.out.Members = append(r.out.Members, listed)
	if listed.Entry != nil {
		r.object(m.value, path, depth+1)
		return
	}
	r.list(m.value, path, depth+1)
}

// list lists the first elements of a list of objects that are known.
func (r *reader) list(text []byte, at string, depth int) {
	if r.entry(at+"/0") == nil {
		return
	}
	var elements []json.RawMessage
	if json.Unmarshal(text, &elements) != nil {
		return
	}
	r.out.Members[len(r.out.Members)-1].Value = terminal.Count(len(elements), "element")
	for i, element := range elements {
		path := fmt.Sprintf("%s/%d", at, i)
		e := r.entry(path)
		if i >= maxElements || len(r.out.Members) >= maxMembers {
			r.out.Omitted += len(elements) - i
			return
		}
		if e == nil {
			continue
		}
		r.out.Members = append(r.out.Members, Member{Depth: depth, Name: fmt.Sprintf("[%d]", i), Entry: e})
		r.object(element, path, depth+1)
	}
}

// tags returns the values that a member has in the arms of the unions at a pointer.
func (r *reader) tags(at, member string) (values []string) {
	for _, union := range r.places[at] {
		for _, arm := range union.Arms {
			p := arm.Definition.Property(member)
			if p == nil {
				continue
			}
			if value, ok := p.Const.(string); ok && p.HasConst {
				values = append(values, value)
			}
			values = append(values, p.XEnum...)
		}
	}
	return values
}

// names returns the names of the members of an entry.
func names(e *manual.Entry) (list []string) {
	for _, m := range e.Members {
		list = append(list, m.Name)
	}
	return list
}

// describe says what a finding is about.
func describe(f linecheck.Finding, text []byte) string {
	what := f.Kind.String()
	switch {
	case f.Kind == codec.Malformed && f.Offset > 0:
		what += fmt.Sprintf(" at byte %d, after %s", f.Offset, before(text, f.Offset))
	case f.Path != "":
		what += " at " + f.Path
	}
	return terminal.Cut(terminal.Printable(what+": "+f.Detail), 2*maxText)
}

// before quotes what is in front of an offset.
func before(text []byte, offset int) string {
	const most = 30
	end := min(offset, len(text))
	start := max(end-most, 0)
	return strings.ToValidUTF8(fmt.Sprintf("%q", text[start:end]), "�")
}

func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
