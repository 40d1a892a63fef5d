package drift

import (
	"fmt"
	"strings"
)

// lines compares the kinds of lines that the CLI wrote, and their order.
func (c *comparison) lines() {
	was, is := c.kinds(true), c.kinds(false)
	for _, name := range c.both {
		a, b := c.from.Scenarios[name], c.to.Scenarios[name]
		diff := lineDiff(a.Lines, b.Lines)
		switch cut := a.Short || b.Short; {
		case cut && c.explained[name]:
			continue
		case cut: // what comes after the first difference tells nothing
			diff = diff[:min(1, len(diff))]
		case a.Exit != b.Exit:
			c.add(breaks, ExitCode, fmt.Sprintf("was %s, is %s", a.Exit, b.Exit), name)
		}
		less, more := map[string]int{}, map[string]int{}
		for _, change := range diff {
			if line, ok := strings.CutPrefix(change, "- < "); ok {
				less[line]++
			} else if line, ok := strings.CutPrefix(change, "+ < "); ok {
				more[line]++
			}
		}
		for line, n := range less {
			switch {
			case c.varies(name, line):
			case !is[line]:
				c.add(breaks, LineGone, line, name)
			case n > more[line]:
				c.add(weight(line, breaks), LineFewer, line, name)
			case n == more[line]:
				c.add(weight(line, breaks), LineMoved, line, name)
			}
		}
		for line, n := range more {
			switch {
			case c.varies(name, line):
			case !was[line]:
				c.add(news, LineNew, line, name)
			case n > less[line]:
				c.add(weight(line, news), LineMore, line, name)
			}
		}
	}
}

// kinds returns the kinds of lines that the scenarios of both versions have in one of them.
func (c *comparison) kinds(old bool) map[string]bool {
	set := map[string]bool{}
	for _, name := range c.both {
		course := c.to.Scenarios[name]
		if old {
			course = c.from.Scenarios[name]
		}
		for kind := range course.Types {
			set[kind] = true
		}
	}
	return set
}

// weight returns the group of a line that comes more or less often, or elsewhere. SDKs pass on what
// tells the state of the session and wait for none of it.
func weight(line string, g group) group {
	for _, idle := range []string{"system/", "keep_alive", "rate_limit_event"} {
		if strings.HasPrefix(line, idle) && line != "system/init" {
			return cosmetic
		}
	}
	return g
}

// lineDiff returns the lines that are only in one of two sequences, by their longest common
// subsequence.
func lineDiff(a, b []string) (changes []string) {
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			changes = append(changes, "- "+a[i])
			i++
		default:
			changes = append(changes, "+ "+b[j])
			j++
		}
	}
	return changes
}
