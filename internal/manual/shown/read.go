package shown

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ccwire/ccwire/internal/manual/elide"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/evidence"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/schema"
)

// A document is something that was recorded, and what judges it.
type document struct {
	version, scenario string
	at                string // where it is
	length            int    // of its session, in lines
	definition        string
	text              []byte
	body              bool             // it is the body of a reply
	after             []recording.Line // what follows in its session
}

// A part is an instance of a definition in a document.
type part struct {
	definition string
	at         string // JSON pointer
	value      []byte
	weight     int // how much it says; more makes a better example
}

// Read looks through all recordings and all recorded entries of transcripts.
func Read(sessions []*corpus.Session) (map[string]*Shown, error) {
	set := schema.Transcripts()
	named, err := names()
	if err != nil {
		return nil, err
	}
	docs := documents(set, sessions, named)
	entries, err := entries()
	if err != nil {
		return nil, err
	}
	docs = append(docs, entries...)
	parts := partsOf(set, docs)
	found := map[string]*tally{}
	for i := range docs {
		for _, p := range parts[key(&docs[i])] {
			if found[p.definition] == nil {
				found[p.definition] = &tally{versions: map[string]bool{}, scenarios: map[string]int{}}
			}
			found[p.definition].note(&docs[i], p)
		}
	}
	known := evidence.Read(schema.Default(), sessions)
	all := map[string]*Shown{}
	for _, d := range set.Definitions() {
		s := &Shown{Versions: known.Versions(d.Name())}
		if t := found[d.Name()]; t != nil {
			t.fill(s)
		}
		if s.Versions != nil || s.Example != nil {
			all[d.Name()] = s
		}
	}
	return all, nil
}

// names returns the names of all scenarios.
func names() (map[string]bool, error) {
	all, err := scenario.All()
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, s := range all {
		named[s.Name] = true
	}
	return named, nil
}

// documents returns the lines that a CLI wrote or took, and the bodies of replies. A session may be
// of a scenario that is no longer there, which is not named then.
func documents(set *schema.Set, sessions []*corpus.Session, named map[string]bool) (all []document) {
	for _, s := range sessions {
		scenario := s.Scenario
		if !named[scenario] {
			scenario = ""
		}
		for i := range s.Lines {
			l := &s.Lines[i]
			if l.Dir == recording.ToCLI && l.Asks != "" && l.Outcome != recording.Success {
				continue
			}
			from := schema.FromSDK
			if l.Dir == recording.ToSDK {
				from = schema.FromCLI
			}
			d := document{s.Version, scenario, s.At(l), len(s.Lines), from.Definition(), l.Text, false, s.Lines[i+1:]}
			all = append(all, d)
			if body := responseOf(set, l.Answers); l.Body != nil && body != nil {
				d.definition, d.text, d.body = body.Name(), l.Body, true
				all = append(all, d)
			}
		}
	}
	return all
}

// responseOf returns the definition of the body of a reply, nil if there is none.
func responseOf(set *schema.Set, name string) *schema.Definition {
	if name == "update_environment_variables" {
		return set.Lookup("envelope/" + name + ".json#/$defs/Response")
	}
	return set.Response(name)
}

// entries returns the recorded entries of transcripts.
func entries() (all []document, err error) {
	for _, version := range corpus.TranscriptVersions() {
		lines, err := corpus.TranscriptEntries(version)
		if err != nil {
			return nil, err
		}
		for i, text := range lines {
			at := fmt.Sprintf("%s.jsonl:%d", version, i+1)
			all = append(all, document{version: version, at: at, definition: schema.TranscriptEntry, text: []byte(text)})
		}
	}
	return all, nil
}

func key(d *document) string { return d.definition + "\n" + string(d.text) }

// partsOf looks at each document once, several at a time: most lines are in many recordings. One
// that is not valid has no parts.
func partsOf(set *schema.Set, docs []document) map[string][]part {
	byKey := map[string]*document{}
	for i := range docs {
		byKey[key(&docs[i])] = &docs[i]
	}
	todo := slices.Collect(maps.Keys(byKey))
	done := make([][]part, len(todo))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(todo)); i = next.Add(1) - 1 {
				done[i] = look(set, byKey[todo[i]])
			}
		})
	}
	workers.Wait()
	all := map[string][]part{}
	for i, k := range todo {
		all[k] = done[i]
	}
	return all
}

// look lists the parts of a document.
func look(set *schema.Set, doc *document) (parts []part) {
	if set.Open().Validate(doc.definition, doc.text) != nil {
		return nil
	}
	places, err := set.Places(doc.definition, doc.text)
	if err != nil {
		return nil
	}
	own := doc.definition == schema.TranscriptEntry
	weights := map[string]int{} // of the objects, by pointer
	for _, p := range places {
		if p.Definition.IsStruct() {
			weights[p.At] = weigh(p.Definition, At(doc.text, p.At))
		}
	}
	for _, p := range places {
		// What an entry of a transcript shares with the lines is shown by these.
		if own != strings.HasPrefix(p.Definition.File, path.Dir(schema.TranscriptEntry)+"/") {
			continue
		}
		if value := At(doc.text, p.At); value != nil {
			weight, ok := weights[p.At]
			if !ok {
				weight = min(len(value), len(`""`)+1) // more than an empty value
			}
			parts = append(parts, part{p.Definition.Name(), p.At, value, weight})
		}
	}
	return parts
}

// At returns the part of a JSON text that a pointer names, nil if there is none.
func At(text []byte, pointer string) []byte {
	text = bytes.TrimSpace(text)
	if pointer == "" {
		return text
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, name := range strings.Split(pointer[1:], "/") {
		name = unescape.Replace(name)
		if bytes.HasPrefix(text, []byte("[")) {
			var list []json.RawMessage
			i, err := strconv.Atoi(name)
			if err != nil || json.Unmarshal(text, &list) != nil || i < 0 || i >= len(list) {
				return nil
			}
			text = list[i]
			continue
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(text, &members) != nil || members[name] == nil {
			return nil
		}
		text = members[name]
	}
	return text
}

// A tally collects what documents show of a definition.
type tally struct {
	versions  map[string]bool
	scenarios map[string]int // the length of the shortest session, by scenario
	best      *document
	part      part
}

func (t *tally) note(d *document, p part) {
	t.versions[d.version] = true
	if n := t.scenarios[d.scenario]; d.scenario != "" && (n == 0 || d.length < n) {
		t.scenarios[d.scenario] = d.length
	}
	if t.best == nil || better(d, p, t.best, t.part) {
		t.best, t.part = d, p
	}
}

// readable is the longest example, in bytes, that one can read at a glance.
const readable = 600

// weigh says how much an object tells of its definition: how many of the members it has, as long as
// it is readable. One with members that the definition does not have misleads.
func weigh(d *schema.Definition, value []byte) (weight int) {
	var members map[string]json.RawMessage
	if len(value) > readable || json.Unmarshal(value, &members) != nil {
		return 0
	}
	for name := range members {
		if d.Property(name) == nil {
			return -1
		}
		weight++
	}
	return weight
}

// better reports whether an instance is a better example than another: of a newer version, one that
// tells more, a shorter one, or the first.
func better(d *document, p part, than *document, q part) bool {
	return cmp.Or(
		corpus.Compare(than.version, d.version),
		cmp.Compare(q.weight, p.weight),
		cmp.Compare(len(p.value), len(q.value)),
		bytes.Compare(p.value, q.value),
		cmp.Compare(d.at, than.at),
	) < 0
}

func (t *tally) fill(s *Shown) {
	if s.Versions == nil {
		s.Versions = slices.SortedFunc(maps.Keys(t.versions), corpus.Compare)
	}
	names := slices.SortedFunc(maps.Keys(t.scenarios), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.scenarios[a], t.scenarios[b]), cmp.Compare(a, b))
	})
	s.Total = len(names)
	s.Scenarios = names[:min(len(names), MaxScenarios)]
	s.Example = &Example{Recording: t.best.at, At: t.part.at, Body: t.best.body, Value: t.part.value}
	if d := schema.Transcripts().Lookup(t.part.definition); d.IsRequest() && t.part.at == "/request" {
		s.Example.Line, s.Example.Answer = shorten(t.best.text), shorten(t.best.answer())
	}
}

// answer returns the line that answers a control request, nil if there is none.
func (d *document) answer() []byte {
	id := At(d.text, "/request_id")
	for i := range d.after {
		l := &d.after[i]
		if bytes.Equal(At(l.Text, "/type"), []byte(`"control_response"`)) && bytes.Equal(At(l.Text, "/response/request_id"), id) {
			return l.Text
		}
	}
	return nil
}

// shorten returns a line with what is long in it cut.
func shorten(line []byte) []byte {
	short, _, err := elide.JSON(line)
	if err != nil {
		return nil
	}
	return short
}
