package turn

import (
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ledger"
)

// CostText says what the session has cost.
func (s *Stage) CostText() string {
	var b strings.Builder
	name := "Estimated cost:       "
	if s.Out.Release().Before("2.1.326") {
		name = "Total cost:           "
	}
	added, removed := s.Spent.Changed()
	fmt.Fprintf(&b, "%s %s\nTotal duration (API):  0s\nTotal duration (wall): 0s\n"+
		"Total code changes:    %s added, %s removed\n", name, dollars(s.Spent.Cost()), counted(added, "line"), counted(removed, "line"))
	total := s.Spent.Total()
	if total.Empty() {
		return b.String() + "Usage:                 0 input, 0 output, 0 cache read, 0 cache write"
	}
	b.WriteString("Usage by model:\n")
	s.Spent.Each(func(model string, u ledger.Usage) {
		model = strings.TrimSuffix(model, "[1m]")
		fmt.Fprintf(&b, "%20s:  %s input, %s output, %s cache read, %s cache write", model, tokens(u.Input), tokens(u.Output), tokens(u.CacheRead), tokens(u.CacheWrite))
		if n := u.Searches(); n > 0 {
			fmt.Fprintf(&b, ", %d web search", n)
		}
		fmt.Fprintf(&b, " (%s)\n", dollars(u.Cost()))
	})
	all := max(total.Input+total.CacheRead+total.CacheWrite, 1)
	fmt.Fprintf(&b, "Prompt cache (main):   %s · %d%% of input tokens from cache · no misses", counted(s.Spent.Requests(), "request"), total.CacheRead*100/all)
	if total.CacheRead+total.CacheWrite == 0 {
		b.WriteString(" · nothing that was cached")
	}
	return b.String()
}

// counted writes how many of a thing there are.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// changes is how many lines of a file a tool has added and removed, by what it tells of its use.
func changes(detail any) (added, removed int) {
	o, _ := detail.(object.Object)
	if o.Text("type") == "create" {
		return strings.Count(o.Text("content"), "\n") + 1, 0
	}
	for _, v := range o.List("structuredPatch") {
		hunk, _ := v.(object.Object)
		for _, line := range hunk.List("lines") {
			switch text, _ := line.(string); {
			case strings.HasPrefix(text, "+"):
				added++
			case strings.HasPrefix(text, "-"):
				removed++
			}
		}
	}
	return added, removed
}

// dollars writes a cost.
func dollars(cost float64) string {
	if cost > 0.5 {
		return fmt.Sprintf("$%.2f", cost)
	}
	return fmt.Sprintf("$%.4f", cost)
}

// tokens writes a number of tokens, a large one by its thousands or millions.
func tokens(n int) string {
	switch {
	case n >= 1000000:
		return fmt.Sprintf("%.1fm", float64(n)/1000000)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprint(n)
}
