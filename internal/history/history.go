package history

import (
	"maps"
	"slices"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite/probe"
	"github.com/ccwire/ccwire/transport/cli"
)

// Answer is what a release says to a name.
type Answer string

const (
	Taken   Answer = "taken"
	Refused Answer = "refused"
	Unclear Answer = "unclear" // the release does not tell
	Pending Answer = "pending" // the release is being asked; not kept in files
)

// Key is a name of a kind.
type Key struct {
	Kind probe.Kind
	Name string
}

// History is what releases have answered.
type History struct {
	Date     string                    // of the newest answer
	Versions []string                  // what is published, the oldest first
	Skipped  map[string]string         // published and cannot be run, with the reason
	Answers  map[Key]map[string]Answer // by version
}

// New returns a history without answers.
func New() *History {
	return &History{Skipped: map[string]string{}, Answers: map[Key]map[string]Answer{}}
}

// Note notes an answer.
func (h *History) Note(k Key, version string, a Answer) {
	if h.Answers[k] == nil {
		h.Answers[k] = map[string]Answer{}
	}
	h.Answers[k][version] = a
}

// NoteFindings notes what a probe of a release has found of the names that it tried.
func (h *History) NoteFindings(version string, names []string, f *probe.Findings) {
	for _, name := range names {
		a := Refused
		switch {
		case f.Unclear != "":
			a = Unclear
		case slices.Contains(f.Recognised, name):
			a = Taken
		}
		h.Note(Key{f.Kind, name}, version, a)
	}
}

// Keys returns the names that were asked, sorted by kind and name.
func (h *History) Keys() (keys []Key) {
	for _, kind := range probe.Kinds {
		var names []string
		for k := range h.Answers {
			if k.Kind == kind {
				names = append(names, k.Name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			keys = append(keys, Key{kind, name})
		}
	}
	return keys
}

// A Span is a row of releases that take a name.
type Span struct {
	First, Last string // of those that were asked and take it
	Before      string // the nearest older one that refuses it; "" if none is older
	After       string // the nearest newer one that refuses it; "" if there is none
	FirstExact  bool   // nothing that runs is published between Before and First
	LastExact   bool   // nothing that runs is published between Last and After
}

// Spans returns when releases take a name, the oldest span first.
func (h *History) Spans(k Key) (spans []Span) {
	before := ""
	open := false
	answers := h.Answers[k]
	for _, v := range slices.SortedFunc(maps.Keys(answers), corpus.Compare) {
		switch a := answers[v]; {
		case a == Taken && !open:
			spans = append(spans, Span{First: v, Last: v, Before: before, FirstExact: h.adjacent(before, v) && !doubtful(k.Kind, before, v)})
			open = true
		case a == Taken:
			spans[len(spans)-1].Last = v
		case a == Refused:
			if open {
				s := &spans[len(spans)-1]
				s.After, s.LastExact = v, h.adjacent(s.Last, v)
			}
			before, open = v, false
		}
	}
	return spans
}

// answering is the first version that answers a request that it does not know.
var answering = cli.FeatureUnknownSubtypeReply.Since().String()

// doubtful reports whether a difference of two releases may be in how they refuse: an older one is
// silent, as it is if it knows a request and does not answer it.
func doubtful(kind probe.Kind, before, first string) bool {
	return kind == probe.Request && before != "" && corpus.Compare(before, answering) < 0 && corpus.Compare(first, answering) >= 0
}

// adjacent reports whether no release that can be run is between two; "" is before the first one.
func (h *History) adjacent(a, b string) bool { return len(h.between(a, b)) == 0 }

// between returns the releases that can be run between two; "" is before the first one, or after
// the last one.
func (h *History) between(a, b string) (list []string) {
	for _, v := range h.Versions {
		_, skipped := h.Skipped[v]
		if !skipped && (a == "" || corpus.Compare(a, v) < 0) && (b == "" || corpus.Compare(v, b) < 0) {
			list = append(list, v)
		}
	}
	return list
}
