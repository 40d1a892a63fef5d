package evidence

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// Evidence is what a corpus shows of the definitions of a set.
type Evidence struct {
	set         *schema.Set
	versions    []string // with a recording, the oldest first
	definitions map[string]*definition
	outcomes    map[string]map[string]recording.Outcome // of the SDK's requests, by subtype and version
}

// A definition is what the corpus shows of one.
type definition struct {
	versions map[string]bool   // that have it
	written  map[string]*tally // the objects that the CLI wrote, by version
	members  map[string]*member
}

// A member is what the corpus shows of a member of a definition.
type member struct {
	seen    bool              // either side wrote it
	written map[string]*tally // the objects with it that the CLI wrote, by version
}

// A tally counts objects.
type tally struct {
	objects  int
	sessions int
	last     *corpus.Session // that was counted
}

// Read looks at all lines of the sessions.
func Read(set *schema.Set, sessions []*corpus.Session) *Evidence {
	e := &Evidence{set: set, definitions: map[string]*definition{}, outcomes: map[string]map[string]recording.Outcome{}}
	versions := map[string]bool{}
	looks := lookAll(set, sessions)
	for _, s := range sessions {
		versions[s.Version] = true
		for i := range s.Lines {
			l := &s.Lines[i]
			for _, doc := range documents(set, l) {
				for _, o := range looks[doc] {
					e.note(s, l, o)
				}
			}
			if l.Dir == recording.ToCLI && l.Asks != "" && l.Outcome != "" {
				e.outcome(l.Asks, s.Version, l.Outcome)
			}
		}
	}
	e.versions = slices.SortedFunc(maps.Keys(versions), corpus.Compare)
	return e
}

// outcome notes how a version answered a request, once at its best.
func (e *Evidence) outcome(subtype, version string, o recording.Outcome) {
	if e.outcomes[subtype] == nil {
		e.outcomes[subtype] = map[string]recording.Outcome{}
	}
	e.outcomes[subtype][version] = recording.Better(e.outcomes[subtype][version], o)
}

// note adds an instance in a line of a session.
func (e *Evidence) note(s *corpus.Session, l *recording.Line, o object) {
	if !e.shows(l, o.definition) {
		return
	}
	d := e.definitions[o.definition.Name()]
	if d == nil {
		d = &definition{versions: map[string]bool{}, written: map[string]*tally{}, members: map[string]*member{}}
		e.definitions[o.definition.Name()] = d
	}
	d.versions[s.Version] = true
	if o.members == nil {
		return
	}
	if l.Dir == recording.ToSDK {
		count(d.written, s)
	}
	for _, name := range o.members {
		m := d.members[name]
		if m == nil {
			m = &member{written: map[string]*tally{}}
			d.members[name] = m
		}
		m.seen = true
		if l.Dir == recording.ToSDK {
			count(m.written, s)
		}
	}
}

// count adds an object of a session. All objects of a session are counted in a row.
func count(by map[string]*tally, s *corpus.Session) {
	if by[s.Version] == nil {
		by[s.Version] = &tally{}
	}
	t := by[s.Version]
	t.objects++
	if t.last != s {
		t.last = s
		t.sessions++
	}
}

// shows reports whether an instance in a line shows that the CLI has the definition.
func (e *Evidence) shows(l *recording.Line, d *schema.Definition) bool {
	switch {
	case l.Dir == recording.ToSDK, d.Unknown:
		return true
	case d.Direction == "cli-to-sdk":
		return false
	case l.Asks == "":
		return true
	}
	switch l.Outcome {
	case recording.Success:
		return true
	case recording.Failure:
		return d == e.set.Request(l.Asks)
	}
	return false
}

// responseOf returns the definition of the body of a reply to a control request, or to the one
// other line that is answered like one. It is nil if there is none.
func responseOf(set *schema.Set, name string) *schema.Definition {
	if name == "update_environment_variables" {
		return set.Lookup("envelope/" + name + ".json#/$defs/Response")
	}
	return set.Response(name)
}

// recognised reports whether a definition is a request of the SDK that no version answers with
// success.
func (e *Evidence) recognised(d *schema.Definition) bool {
	if !d.IsRequest() || d.Direction != "sdk-to-cli" {
		return false
	}
	subtype := strings.TrimSuffix(path.Base(d.File), ".json")
	for _, o := range e.outcomes[subtype] {
		if o == recording.Success {
			return false
		}
	}
	return true
}

// Versions returns the versions that have a definition, the oldest first.
func (e *Evidence) Versions(name string) []string {
	d := e.definitions[name]
	if d == nil {
		return nil
	}
	return slices.SortedFunc(maps.Keys(d.versions), corpus.Compare)
}

// Written returns the versions whose CLI wrote an object of a definition, the oldest first.
func (e *Evidence) Written(name string) []string {
	d := e.definitions[name]
	if d == nil {
		return nil
	}
	return slices.SortedFunc(maps.Keys(d.written), corpus.Compare)
}

// Outcomes returns how each version that was asked answered the SDK's requests of a subtype.
func (e *Evidence) Outcomes(subtype string) map[string]recording.Outcome {
	return maps.Clone(e.outcomes[subtype])
}

// Asked returns the subtypes of all requests that the SDK has made and that were answered, sorted.
func (e *Evidence) Asked() []string { return slices.Sorted(maps.Keys(e.outcomes)) }
