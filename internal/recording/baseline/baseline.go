package baseline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/inventory"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// Difference is one way in which a session is not as recorded.
type Difference struct {
	Entry int    `json:"entry"`          // the index in the recording, or where it would be
	Kind  string `json:"kind"`           // of the line: "result/success"
	Path  string `json:"path,omitempty"` // JSON pointer of the member; "" for the line as a whole
	Was   string `json:"was,omitempty"`  // in the recording; "" if it is not there
	Is    string `json:"is,omitempty"`
}

func (d *Difference) String() string {
	at := fmt.Sprintf("entry %d, %s", d.Entry+1, d.Kind)
	switch {
	case d.Path == "" && d.Is == "":
		return at + ": the line is missing"
	case d.Path == "" && d.Was == "":
		return at + ": the line is not in the recording: " + d.Is
	case d.Is == "":
		return fmt.Sprintf("%s: %s is missing, it was %s", at, d.Path, d.Was)
	case d.Was == "":
		return fmt.Sprintf("%s: %s is %s, it was not there", at, d.Path, d.Is)
	}
	return fmt.Sprintf("%s: %s is %s, it was %s", at, d.Path, d.Is, d.Was)
}

// Compare returns how a session differs from its recording, beyond what is known to vary. Both are
// scrubbed.
func Compare(recorded, session []recording.Entry, varies ...scenario.Variation) (list []Difference) {
	c := comparison{varies: varies}
	for _, d := range c.compare(view(recorded), view(session)) {
		list = append(list, d.Difference)
	}
	return list
}

// comparison is what is known while a session is compared.
type comparison struct {
	varies []scenario.Variation
	ids    ids
	// byName pairs the elements of lists that have names by these, since another version has more
	// or less of them.
	byName bool
}

// placed is a difference, and the number of the session's item that it is in; -1 for one that the
// session lacks.
type placed struct {
	Difference
	is int
}

func (c *comparison) compare(was, is []item) (list []placed) {
	for _, p := range c.pairs(was, is) {
		switch {
		case p.is < 0:
			list = append(list, placed{Difference{Entry: was[p.was].entry, Kind: was[p.was].kind, Was: short(was[p.was].text)}, -1})
		case p.was < 0:
			list = append(list, placed{Difference{Entry: p.at, Kind: is[p.is].kind, Is: short(is[p.is].text)}, p.is})
		default:
			for _, d := range c.members(&was[p.was], &is[p.is]) {
				d.Entry, d.Kind = was[p.was].entry, was[p.was].kind
				list = append(list, placed{d, p.is})
			}
		}
	}
	return list
}

// item is what is compared: what the CLI wrote or asked the model, and its exit. What the SDK
// writes follows from the scenario and from that.
type item struct {
	entry      int
	kind, text string
	masked     string // the text without its ids
}

func newItem(entry int, kind, text string) item {
	masked, _ := recording.CutIDs(text)
	return item{entry, kind, text, masked}
}

func view(entries []recording.Entry) (list []item) {
	var m mirror
	for i := range entries {
		e := &entries[i]
		switch e.Dir {
		case recording.ToSDK:
			switch {
			case e.Truncated > 0: // there is no more to compare
				list = append(list, newItem(i, tooLong, fmt.Sprint(e.Truncated)))
			case m.take(i, e.Line):
			default:
				list = append(list, newItem(i, inventory.Kind(e.Line), e.Line))
			}
		case recording.API:
			text := e.Line
			if e.Total != nil {
				text = fmt.Sprint(*e.Total)
			}
			list = append(list, newItem(i, scenario.KindAPI, text))
		case recording.Exit:
			code := 0
			if e.Code != nil {
				code = *e.Code
			}
			list = append(list, m.items()...)
			list = append(list, newItem(i, "exit", strings.TrimSpace(fmt.Sprint(code, " ", e.Signal))))
		}
	}
	return list
}

// tooLong is the kind of a line of which a recording has the start only.
const tooLong = "a line over 64 KiB"

// most is how many differences an error names.
const most = 3

// An Error says that a session is not as recorded.
type Error struct {
	Version     string
	Differences []Difference
}

func (e *Error) Error() string {
	var list []string
	for i := range e.Differences[:min(most, len(e.Differences))] {
		list = append(list, e.Differences[i].String())
	}
	if more := len(e.Differences) - most; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	list = slices.Insert(list, 0, "it holds, but is not as recorded for "+e.Version)
	return strings.Join(list, "; ")
}
