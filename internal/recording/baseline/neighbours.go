package baseline

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// A Neighbour is the recording of a scenario on a version that is near to that of a session.
type Neighbour struct {
	Version string
	Newer   bool // than that of the session
	Entries []recording.Entry
}

// Changes returns how a session differs from those of its neighbours: one, or the nearest older and
// the nearest newer version. With two, what is as with one of them is not a change; agreed is what
// is the same with both, and gone or otherwise in the session. Nor is it one that something is not
// there which only a newer version has, unless the session has most of what came with that: then it
// is a cosmetic one, since it may have come later. Names of models do not count: which one a
// version takes by itself says nothing of the protocol.
func Changes(session []recording.Entry, neighbours []Neighbour, varies ...scenario.Variation) (list []suite.Change, agreed []Difference) {
	is := view(withoutModels(session))
	var names []string
	var lists [][]placed
	for _, n := range neighbours {
		c := comparison{varies: varies, byName: true}
		lists = append(lists, c.compare(view(withoutModels(n.Entries)), is))
		names = append(names, n.Version)
	}
	if len(lists) == 0 {
		return nil, nil
	}
	found := lists[0]
	var late []placed
	switch {
	case len(lists) > 1:
		found, agreed = both(lists[0], lists[1])
		late = lacking(lists[0], lists[1])
	case neighbours[0].Newer:
		found = slices.DeleteFunc(found, func(d placed) bool { return d.Is == "" })
	}
	for i := range found {
		d := &found[i].Difference
		list = append(list, suite.Change{
			Weight: weigh(d), From: strings.Join(names, " and "), Frame: d.Kind, Path: d.Path, Was: d.Was, Is: d.Is,
		})
	}
	for _, d := range late {
		list = append(list, suite.Change{Weight: suite.Cosmetic, From: names[1], Frame: d.Kind, Path: d.Path, Was: d.Was})
	}
	return list, agreed
}

// lacking returns what only the newer version has and the session has not, if that has most of what
// the newer one has and the older one has not. The lists are the differences of the session.
func lacking(older, newer []placed) (list []placed) {
	at := func(d *placed) string { return d.Kind + " " + d.Path }
	differs := map[string]bool{} // from the older version
	for i := range older {
		differs[at(&older[i])] = true
	}
	odd := map[string]bool{} // what is otherwise than with the newer version
	for i := range newer {
		d := &newer[i]
		odd[at(d)] = true
		if d.Is == "" && d.Path != "" && !differs[at(d)] {
			list = append(list, *d)
		}
	}
	came := 0
	for i := range older {
		if d := &older[i]; d.Was == "" && d.Path != "" && !odd[at(d)] {
			came++
		}
	}
	const most = 4 // times as much as it lacks
	if came < most*len(list) {
		return nil
	}
	return list
}

var model = regexp.MustCompile(`\bclaude-(opus|sonnet|haiku)-\d+(-\d+)*(\[1m\])?`)

func withoutModels(entries []recording.Entry) []recording.Entry {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Line = model.ReplaceAllString(entries[i].Line, "claude-$1")
	}
	return entries
}

// both returns what is in two lists of differences of a session: where it is as with neither.
// Agreed is what both lists have and breaks SDKs.
func both(older, newer []placed) (list []placed, agreed []Difference) {
	taken := make([]bool, len(newer))
	for _, d := range older {
		same := -1
		var inside []int // what the newer version has otherwise in something that the older has not
		near := false
		for i := range newer {
			e := &newer[i]
			if taken[i] || !samePlace(&d, e) {
				continue
			}
			near = true
			switch {
			case d.Path == e.Path && same < 0:
				same = i
			case len(d.Path) < len(e.Path):
				inside = append(inside, i)
			}
		}
		switch {
		case same >= 0:
			taken[same] = true
			list = append(list, d)
			if d.Was == newer[same].Was && weigh(&d.Difference) == suite.Breaks {
				agreed = append(agreed, d.Difference)
			}
		case len(inside) > 0:
			for _, i := range inside {
				taken[i] = true
				list = append(list, newer[i])
			}
		case near: // the newer version has nothing that is like what it is in
			list = append(list, d)
		}
	}
	return list, agreed
}

// samePlace reports whether two differences of a session are in the same place, or one is in the
// other.
func samePlace(a, b *placed) bool {
	if a.is != b.is || a.Kind != b.Kind {
		return false
	}
	return a.is < 0 || a.Path == b.Path || strings.HasPrefix(a.Path, b.Path+"/") || strings.HasPrefix(b.Path, a.Path+"/")
}

// count finds members that say how much there is of something that no SDK counts on.
var count = regexp.MustCompile(`(?i)tokens|fullness|percent|bytes|size|hash`)

// weigh says what a difference means for an SDK. SDKs pass on what tells the state of the session,
// and what mirrors its transcript.
func weigh(d *Difference) suite.Weight {
	list, index := path.Split(d.Path)
	_, err := strconv.Atoi(index)
	element := err == nil && recording.IsInventory(path.Base(list))
	idle := strings.HasPrefix(d.Kind, "system/") && d.Kind != "system/init" || d.Kind == "keep_alive" || d.Kind == "rate_limit_event"
	switch {
	case element && (d.Was == "" || d.Is == ""):
		return suite.Cosmetic // what is built in
	case d.Was == "":
		return suite.New
	case strings.HasPrefix(d.Kind, recording.MirrorType+"/"), d.Kind == scenario.KindAPI:
		return suite.Cosmetic
	case d.Is == "" && d.Path == "" && idle:
		return suite.Cosmetic
	case d.Is == "":
		return suite.Breaks
	case d.Path == "/":
		return suite.Cosmetic // the members are in another order or form
	case d.Was[0] != d.Is[0] && !(isNumber(d.Was) && isNumber(d.Is)) && !(isBool(d.Was) && isBool(d.Is)):
		return suite.Breaks // of another JSON kind
	case strings.Contains(d.Was, " ") && strings.Contains(d.Is, " ") && d.Was[0] == '"':
		return suite.Cosmetic // a text for people
	case isNumber(d.Was) && count.MatchString(d.Path):
		return suite.Cosmetic
	}
	return suite.Breaks
}

func isNumber(text string) bool { return text[0] == '-' || '0' <= text[0] && text[0] <= '9' }
func isBool(text string) bool   { return text == "true" || text == "false" }
