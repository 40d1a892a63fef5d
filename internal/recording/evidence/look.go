package evidence

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ccwire/ccwire/internal/exchange/clean"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// A document is a text that should be an instance of a definition.
type document struct{ definition, text string }

// An object is an instance of a definition in a document. Members are the names of those that the
// definition has too, nil if the instance is not a JSON object.
type object struct {
	definition *schema.Definition
	members    []string
}

// documents returns what there is to look at in a line: itself, and the body of a reply.
func documents(set *schema.Set, l *recording.Line) []document {
	dir := schema.FromSDK
	if l.Dir == recording.ToSDK {
		dir = schema.FromCLI
	}
	docs := []document{{dir.Definition(), string(l.Text)}}
	if d := responseOf(set, l.Answers); l.Body != nil && d != nil {
		docs = append(docs, document{d.Name(), string(l.Body)})
	}
	return docs
}

// lookAll looks at each document once, several at a time: most lines are in many recordings.
func lookAll(set *schema.Set, sessions []*corpus.Session) map[document][]object {
	looks := map[document][]object{}
	for _, s := range sessions {
		for i := range s.Lines {
			for _, doc := range documents(set, &s.Lines[i]) {
				looks[doc] = nil
			}
		}
	}
	todo := slices.Collect(maps.Keys(looks))
	done := make([][]object, len(todo))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(todo)); i = next.Add(1) - 1 {
				done[i] = look(set, todo[i])
			}
		})
	}
	workers.Wait()
	for i, doc := range todo {
		looks[doc] = done[i]
	}
	return looks
}

// look lists the instances in a document. One that is not valid shows nothing. A line is looked at
// as one of its direction; as one of either direction it is an instance of the frame.
func look(set *schema.Set, doc document) (found []object) {
	known := false // a valid line that is not of the unknown arm
	visit := set.Visit
	if valid(set, doc) {
		visit = set.VisitValid
	}
	visit(doc.definition, []byte(doc.text), func(d *schema.Definition, v any) {
		known = len(found) == 0 || known && !(d.Unknown && d.File == doc.definition)
		o := object{definition: d}
		if members, ok := v.(map[string]any); ok && d.IsStruct() {
			o.members = []string{}
			for _, p := range d.Properties {
				if _, ok := members[p.Name]; ok {
					o.members = append(o.members, p.Name)
				}
			}
		}
		found = append(found, o)
	})
	either := schema.Either.Definition()
	switch {
	case doc.definition != schema.FromCLI.Definition() && doc.definition != schema.FromSDK.Definition():
	case known: // the frame has the arms of both directions
		found = append(found, object{definition: set.Lookup(either)})
	default:
		for _, o := range look(set, document{either, doc.text}) {
			if o.definition.File == either {
				found = append(found, o)
			}
		}
	}
	return found
}

// valid reports that a document is a valid line, without the schemas. The decoder is that of the
// built-in ones. Where it is false, the document may be valid too.
func valid(set *schema.Set, doc document) bool {
	if set != schema.Default() {
		return false
	}
	for _, dir := range []schema.Direction{schema.FromCLI, schema.FromSDK} {
		if doc.definition == dir.Definition() {
			return clean.Valid(dir, []byte(doc.text))
		}
	}
	return false
}
