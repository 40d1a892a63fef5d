package differ

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// A Pair is two CLIs that are compared.
type Pair struct {
	Real, Simulated suite.Target
	Known           *Known // differences that are expected; nil means none
	// Leave, if set, says which differences are not looked at.
	Leave func(Difference) bool
	// Kept, if set, is a folder in which plays of the real CLI are kept: a session that is there is
	// not played again.
	Kept string
	// Limit is how long a play on the simulated CLI may take; 0 means 15 s.
	Limit time.Duration
}

// An Outcome is what came of a session.
type Outcome struct {
	Scenario *scenario.Scenario
	// Differences are those that nobody knows of. Expected are on the list of known ones, Prose are
	// other words for the same facts, Races are what two plays of the same CLI do not agree on.
	Differences, Expected, Prose, Races []Difference
	// Broken says why the script does not hold on the real CLI.
	Broken error
	// Late says that a play took more time than it has, as it does on a machine that is busy.
	Late bool
}

// Same reports whether the user sees the same, apart from prose and races.
func (o *Outcome) Same() bool { return len(o.Differences) == 0 && len(o.Expected) == 0 }

// Explained reports whether each difference is known.
func (o *Outcome) Explained() bool { return len(o.Differences) == 0 }

// How long a session may take.
const (
	realLimit      = 60 * time.Second
	simulatedLimit = 15 * time.Second
	minimiseLimit  = 20 * time.Second // a step that waits for what was left out waits for ever
)

func (p *Pair) simulatedLimit() time.Duration { return cmp.Or(p.Limit, simulatedLimit) }

// How often both are played where they differ. What runs at the same time may end in one order
// three times of four, so they are played more often where nothing but the order of lines differs.
const (
	plays      = 2
	orderPlays = 6
)

// Play plays a session on both.
func (p *Pair) Play(ctx context.Context, s *scenario.Scenario) (*Outcome, error) {
	out := &Outcome{Scenario: s}
	var reals []*view
	var left []Difference
	for i := range orderPlays {
		simulated, err := p.view(ctx, p.Simulated, s, p.simulatedLimit())
		if err != nil {
			return nil, err
		}
		real, err := p.real(ctx, s, i)
		if err != nil {
			return nil, err
		}
		if real.err != nil {
			out.Broken = real.err
		}
		out.Late = out.Late || errors.Is(real.err, suite.ErrTimeout) || errors.Is(simulated.err, suite.ErrTimeout)
		found := compare(real, simulated, mentions(s))
		if i == 0 {
			left = found
		} else {
			left = common(left, found)
		}
		for j := range i {
			out.Races = append(out.Races, compare(reals[j], real, mentions(s))...)
		}
		reals = append(reals, real)
		p.sort(out, left)
		if len(out.Differences) == 0 || i+1 >= plays && !inOrder(out.Differences, real, simulated) {
			break
		}
	}
	return out, nil
}

// inOrder reports whether differences are of the order of lines alone: each is a line that both
// have, as often as the other.
func inOrder(list []Difference, real, simulated *view) bool {
	count := func(v *view, text string) (n int) {
		for _, lines := range v.channels {
			for i := range lines {
				if masked, _ := recording.CutIDs(lines[i].text); masked == text {
					n++
				}
			}
		}
		return n
	}
	return !slices.ContainsFunc(list, func(d Difference) bool {
		d = d.masked()
		text := cmp.Or(d.Real, d.Simulated)
		return d.Path != "" || count(real, text) != count(simulated, text)
	})
}

// mentions returns whether a session has a text.
func mentions(s *scenario.Scenario) func(string) bool {
	return func(text string) bool { return strings.Contains(s.Text, text) }
}

// common returns the differences that are in both lists, and in the first as often as it says.
func common(a, b []Difference) (list []Difference) {
	count := map[Difference]int{}
	for _, d := range b {
		count[d.masked()]++
	}
	for _, d := range a {
		if key := d.masked(); count[key] > 0 {
			count[key]--
			list = append(list, d)
		}
	}
	return list
}

// masked returns the difference without its ids, whose numbers follow from all lines before.
func (d Difference) masked() Difference {
	d.line = 0
	d.Real, _ = recording.CutIDs(d.Real)
	d.Simulated, _ = recording.CutIDs(d.Simulated)
	return d
}

// sort says of each difference what it is.
func (p *Pair) sort(out *Outcome, list []Difference) {
	out.Differences, out.Expected, out.Prose = nil, nil, nil
	whole := map[int]bool{} // lines that differ as is known
	for _, d := range list {
		if e := p.Known.Find(d); e != nil && e.Whole {
			whole[d.line] = true
		}
	}
	for _, d := range list {
		switch {
		case p.Leave != nil && p.Leave(d):
		case d.Prose:
			out.Prose = append(out.Prose, d)
		case out.races(d):
		case whole[d.line] || p.Known.Find(d) != nil:
			out.Expected = append(out.Expected, d)
		default:
			out.Differences = append(out.Differences, d)
		}
	}
}

// races reports whether two plays of the real CLI differ in the same place.
func (o *Outcome) races(d Difference) bool {
	d = d.masked()
	return slices.ContainsFunc(o.Races, func(r Difference) bool {
		r = r.masked()
		return r.Kind == d.Kind && r.Path == d.Path && (d.Path != "" || cmp.Or(r.Real, r.Simulated) == cmp.Or(d.Real, d.Simulated))
	})
}

// view plays a session on one CLI.
func (p *Pair) view(ctx context.Context, t suite.Target, s *scenario.Scenario, limit time.Duration) (*view, error) {
	played, err := play(ctx, t, s, limit)
	if err != nil {
		return nil, err
	}
	return viewOf(t.Version().String(), played), nil
}

// play plays a session on one CLI.
func play(ctx context.Context, t suite.Target, s *scenario.Scenario, limit time.Duration) (*suite.Played, error) {
	if s.Timeout > 0 {
		limit = max(limit, s.Timeout)
	}
	within, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w after %v", suite.ErrTimeout, limit))
	defer cancel()
	peer, err := t.Start(within, s)
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", s.Name, t.Name(), err)
	}
	played := suite.Play(within, s, t.Version(), peer)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return played, nil
}

// Text tells what came of the session, for people.
func (o *Outcome) Text(verbose bool) string {
	var b strings.Builder
	verdict := "same"
	switch {
	case !o.Explained():
		verdict = "DIFFERENT"
	case !o.Same():
		verdict = "different as is known"
	case len(o.Prose) > 0:
		verdict = "same but for prose"
	}
	fmt.Fprintf(&b, "%s: %s (%d differences, %d known, %d of prose, %d races)\n", o.Scenario.Name, verdict,
		len(o.Differences), len(o.Expected), len(o.Prose), len(o.Races))
	if o.Broken != nil {
		fmt.Fprintf(&b, "  on the real CLI: %s\n", short(o.Broken.Error(), maxShown))
	}
	show := func(mark string, list []Difference) {
		for _, d := range list {
			d.Real, d.Simulated = near(d.Real, d.Simulated), near(d.Simulated, d.Real)
			fmt.Fprintf(&b, "%s %s %s\n      real:      %s\n      simulated: %s\n", mark, d.Kind, d.Path, cmp.Or(d.Real, "(absent)"), cmp.Or(d.Simulated, "(absent)"))
		}
	}
	show("  !", o.Differences)
	if verbose {
		show("  known", o.Expected)
		show("  prose", o.Prose)
		show("  race", o.Races)
	}
	return b.String()
}

// maxShown is how much of a value is shown.
const maxShown = 700

// near cuts a long text to what is near to the place where it begins to differ from another.
func near(text, other string) string {
	at := 0
	for at < len(text) && at < len(other) && text[at] == other[at] {
		at++
	}
	if at > maxShown/2 && other != "" && len(text) > maxShown {
		return "…" + short(strings.ToValidUTF8(text[at-maxShown/4:], ""), maxShown)
	}
	return short(text, maxShown)
}
