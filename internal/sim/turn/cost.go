package turn

import (
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/ledger"
)

// CostText says what the session has cost.
func (s *Stage) CostText() string {
	var b strings.Builder
	name := "Estimated cost:       "
	if s.Out.Release().Before("2.1.326") {
		name = "Total cost:           "
	}
	fmt.Fprintf(&b, "%s %s\nTotal duration (API):  0s\nTotal duration (wall): 0s\n"+
		"Total code changes:    0 lines added, 0 lines removed\n", name, dollars(s.Spent.Cost()))
	total := s.Spent.Total()
	if total.Empty() {
		return b.String() + "Usage:                 0 input, 0 output, 0 cache read, 0 cache write"
	}
	b.WriteString("Usage by model:\n")
	s.Spent.Each(func(model string, u ledger.Usage) {
		fmt.Fprintf(&b, "%20s:  %s input, %s output, %s cache read, %s cache write", model, tokens(u.Input), tokens(u.Output), tokens(u.CacheRead), tokens(u.CacheWrite))
		if n := u.Searches(); n > 0 {
			fmt.Fprintf(&b, ", %d web search", n)
		}
		fmt.Fprintf(&b, " (%s)\n", dollars(u.Cost()))
	})
	all := max(total.Input+total.CacheRead+total.CacheWrite, 1)
	n, plural := s.Spent.Requests(), "s"
	if n == 1 {
		plural = ""
	}
	fmt.Fprintf(&b, "Prompt cache (main):   %d request%s · %d%% of input tokens from cache · no misses", n, plural, total.CacheRead*100/all)
	if total.CacheRead+total.CacheWrite == 0 {
		b.WriteString(" · nothing that was cached")
	}
	return b.String()
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
