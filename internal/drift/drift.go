package drift

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording/inventory"
	"github.com/ccwire/ccwire/internal/suite/probe"
)

// Drift is what changed from one version to another.
type Drift struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Compared is how many scenarios both versions have.
	Compared int `json:"compared"`

	// Breaks is what an SDK that relies on the older version may stumble over: what is gone, has
	// another kind, is answered or goes otherwise.
	Breaks []Change `json:"breaks,omitempty"`
	// News is what the newer version says in addition.
	News []Change `json:"news,omitempty"`
	// Cosmetic is what no SDK should notice.
	Cosmetic []Change `json:"cosmetic,omitempty"`

	// NotFor are the scenarios that are made for one of the versions only.
	NotFor []string `json:"not_for,omitempty"`
	// Unknown is what the newer version says and the schemas do not name.
	Unknown []string `json:"unknown,omitempty"`
	// Probe is what the newer version recognises, nil if it was not probed. It is no change.
	Probe *probe.Report `json:"probe,omitempty"`
}

// Change is one difference, however many scenarios show it.
type Change struct {
	Kind Kind   `json:"kind"`
	What string `json:"what"`
	// Scenarios show the change. Failing are those of them that held and no longer do.
	Scenarios []string `json:"scenarios"`
	Failing   []string `json:"failing,omitempty"`
}

// Kind is a kind of change.
type Kind string

const (
	LineGone      Kind = "line gone"
	LineNew       Kind = "new line"
	LineFewer     Kind = "line comes less often"
	LineMore      Kind = "line comes more often"
	LineMoved     Kind = "line comes at another place"
	MemberGone    Kind = "member gone"
	MemberRenamed Kind = "member renamed"
	MemberAbsent  Kind = "member no longer there"
	MemberNew     Kind = "new member"
	MemberMore    Kind = "member now there"
	MemberKind    Kind = "member of another JSON kind"
	ValueGone     Kind = "value gone"
	ValueNew      Kind = "new value"
	Reply         Kind = "reply"
	ExitCode      Kind = "exit code"
	Fails         Kind = "scenario fails"
	Holds         Kind = "scenario holds now"
	Missing       Kind = "scenario not recorded"
)

// Empty reports whether the versions were compared and nothing changed on the wire.
func (d *Drift) Empty() bool {
	return d.Compared > 0 && len(d.Breaks)+len(d.News)+len(d.Cosmetic) == 0
}

// Compare says what changed between two inventories. Applies says whether a scenario is for a
// version; one that is, and is not there, is a change. If it is nil, all scenarios are for all
// versions. Varies says whether lines of a kind come or not by chance in a scenario; nil means
// never.
func Compare(from, to *inventory.Inventory, applies func(scenario, version string) bool, varies func(scenario, kind string) bool) *Drift {
	if varies == nil {
		varies = func(string, string) bool { return false }
	}
	c := &comparison{
		drift: &Drift{From: from.Version, To: to.Version},
		from:  from, to: to, varies: varies,
		changes: map[change]*Change{}, explained: map[string]bool{},
	}
	if applies == nil {
		applies = func(string, string) bool { return true }
	}
	for _, name := range slices.Sorted(maps.Keys(from.Scenarios)) {
		switch {
		case to.Scenarios[name] != nil:
			c.both = append(c.both, name)
		case applies(name, to.Version):
			c.add(breaks, Missing, "not recorded for "+to.Version, name)
		default:
			c.drift.NotFor = append(c.drift.NotFor, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(to.Scenarios)) {
		c.drift.Unknown = append(c.drift.Unknown, to.Scenarios[name].Unknown...)
		switch {
		case from.Scenarios[name] != nil:
		case applies(name, from.Version):
			c.add(news, Missing, "not recorded for "+from.Version, name)
		default:
			c.drift.NotFor = append(c.drift.NotFor, name)
		}
	}
	c.drift.Compared = len(c.both)
	c.members()
	c.replies()
	c.lines()
	c.failures()
	return c.done()
}

// comparison collects changes, one for each cause.
type comparison struct {
	drift    *Drift
	from, to *inventory.Inventory
	both     []string // the scenarios of both
	varies   func(scenario, kind string) bool
	changes  map[change]*Change
	// explained are the scenarios in which something was seen that breaks SDKs.
	explained map[string]bool
}

// group is what a reader must do about a change.
type group int

const (
	breaks group = iota
	news
	cosmetic
)

// change identifies a cause.
type change struct {
	group group
	kind  Kind
	what  string
}

func (c *comparison) add(g group, kind Kind, what, scenario string) {
	key := change{g, kind, what}
	have := c.changes[key]
	if have == nil {
		have = &Change{Kind: kind, What: what}
		c.changes[key] = have
	}
	have.Scenarios = append(have.Scenarios, scenario)
	if g == breaks {
		c.explained[scenario] = true
	}
}

// broke reports whether a scenario held with the older version and does not with the newer.
func (c *comparison) broke(name string) bool {
	return c.from.Scenarios[name].Failed == "" && c.to.Scenarios[name].Failed != ""
}

// replies compares how the requests of the SDK are answered.
func (c *comparison) replies() {
	for _, name := range c.both {
		now := c.to.Scenarios[name].Asked
		for subtype, was := range c.from.Scenarios[name].Asked {
			is, ok := now[subtype]
			if !ok || is == was {
				continue
			}
			g := breaks
			if is == "success" {
				g = news
			}
			c.add(g, Reply, subtype+": was "+was+", is "+is, name)
		}
	}
}

// failures looks for scenarios that no longer hold. Where something else that breaks SDKs was seen
// in the same scenario, that is the cause and the failure belongs to it.
func (c *comparison) failures() {
	for key, change := range c.changes {
		if key.group != breaks {
			continue
		}
		for _, name := range change.Scenarios {
			if key.kind != Missing && c.broke(name) {
				change.Failing = append(change.Failing, name)
			}
		}
	}
	for _, name := range c.both {
		a, b := c.from.Scenarios[name], c.to.Scenarios[name]
		switch {
		case a.Failed != "" && b.Failed == "":
			c.add(news, Holds, "failed with: "+a.Failed, name)
		case c.broke(name) && !c.explained[name]:
			c.add(breaks, Fails, b.Failed, name)
		}
	}
}

// done sorts the changes: what makes the most scenarios fail comes first.
func (c *comparison) done() *Drift {
	d := c.drift
	for key, change := range c.changes {
		slices.Sort(change.Scenarios)
		change.Scenarios = slices.Compact(change.Scenarios)
		slices.Sort(change.Failing)
		change.Failing = slices.Compact(change.Failing)
		list := [...]*[]Change{breaks: &d.Breaks, news: &d.News, cosmetic: &d.Cosmetic}[key.group]
		*list = append(*list, *change)
	}
	for _, list := range []*[]Change{&d.Breaks, &d.News, &d.Cosmetic} {
		slices.SortFunc(*list, func(a, b Change) int {
			return cmp.Or(
				-cmp.Compare(len(a.Failing), len(b.Failing)),
				-cmp.Compare(len(a.Scenarios), len(b.Scenarios)),
				strings.Compare(string(a.Kind), string(b.Kind)),
				strings.Compare(a.What, b.What),
			)
		})
	}
	slices.Sort(d.NotFor)
	slices.Sort(d.Unknown)
	d.Unknown = slices.Compact(d.Unknown)
	return d
}
