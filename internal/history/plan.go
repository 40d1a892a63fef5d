package history

import (
	"maps"
	"slices"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite/probe"
)

// Plan says what to ask next.
type Plan struct {
	Version string
	Names   map[probe.Kind][]string
	Open    int // names that are not known exactly
}

// Next returns what to ask next about the names, nil if no further answer would say more, or if
// answers are pending. Hints are versions to ask first, by name; what they promise is not believed.
//
// It asks the release that halves the most. Many names are asked at once, since a start of a
// release costs more than a name; only a flag that is refused costs a start, so flags are asked
// where they are halved best.
func (h *History) Next(keys []Key, hints map[Key][]string) *Plan {
	weight := map[string]float64{}
	wants := map[Key]map[string]float64{}
	for _, k := range keys {
		if wants[k] = h.wants(k, hints[k]); len(wants[k]) == 0 {
			delete(wants, k)
		}
		for v, w := range wants[k] {
			weight[v] += w
		}
	}
	p := &Plan{Names: map[probe.Kind][]string{}, Open: len(wants)}
	best := 0.0
	for _, v := range slices.Backward(h.Versions) {
		if weight[v] > best+1e-9 {
			p.Version, best = v, weight[v]
		}
	}
	if p.Version == "" {
		return nil
	}
	for _, k := range keys {
		if w := wants[k][p.Version]; w > 0.5 || w > 0 && k.Kind != probe.Flag {
			p.Names[k.Kind] = append(p.Names[k.Kind], k.Name)
		}
	}
	if len(p.Names) == 0 { // flags alone, all of them far from their middle
		for _, k := range keys {
			if wants[k][p.Version] > 0 {
				p.Names[k.Kind] = append(p.Names[k.Kind], k.Name)
			}
		}
	}
	return p
}

// wants returns the versions whose answer would say more of a name, each with how much.
func (h *History) wants(k Key, hints []string) map[string]float64 {
	w := map[string]float64{}
	answers := h.Answers[k]
	newest := h.between("", "")
	if len(newest) == 0 || slices.Contains(slices.Collect(maps.Values(answers)), Pending) {
		return w
	}
	last := newest[len(newest)-1]
	if answers[last] == "" {
		w[last] = 2
		return w
	}
	spans := h.Spans(k)
	if len(spans) == 0 { // perhaps it is gone
		for _, v := range hints {
			if answers[v] == "" && slices.Contains(newest, v) {
				w[v] = 2
				return w
			}
		}
		return w
	}
	for _, s := range spans {
		if !s.FirstExact {
			h.halve(w, answers, h.between(h.told(answers, s), s.First), hints)
		}
		if s.After != "" && !s.LastExact {
			h.halve(w, answers, h.between(s.Last, s.After), hints)
		}
	}
	return w
}

// told returns the newest release before a span that was asked. Before one that does not tell,
// releases are not expected to.
func (h *History) told(answers map[string]Answer, s Span) string {
	newest := s.Before
	for v, a := range answers {
		if a == Unclear && corpus.Compare(v, s.First) < 0 && (newest == "" || corpus.Compare(v, newest) > 0) {
			newest = v
		}
	}
	return newest
}

// halve adds the versions of a list that have not answered: a hint, or all by how well they halve
// the list.
func (h *History) halve(w map[string]float64, answers map[string]Answer, list, hints []string) {
	list = slices.DeleteFunc(list, func(v string) bool { return answers[v] != "" })
	for _, v := range hints {
		if slices.Contains(list, v) {
			w[v] += 2
			return
		}
	}
	for i, v := range list {
		w[v] += float64(min(i+1, len(list)-i)) / float64((len(list)+1)/2)
	}
}
