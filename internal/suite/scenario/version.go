package scenario

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/transport/cli"
)

// Range is a range of versions of the CLI. A zero end is open.
type Range struct {
	Since cli.Version // the first version in the range
	Until cli.Version // the first version after it
}

// Contains reports whether v is in the range. An unknown version is in every range that has no
// upper end.
func (r Range) Contains(v cli.Version) bool {
	if v.IsZero() {
		return r.Until.IsZero()
	}
	return v.AtLeast(r.Since) && (r.Until.IsZero() || !v.AtLeast(r.Until))
}

func (r Range) String() string {
	var parts []string
	if !r.Since.IsZero() {
		parts = append(parts, ">="+r.Since.String())
	}
	if !r.Until.IsZero() {
		parts = append(parts, "<"+r.Until.String())
	}
	return strings.Join(parts, " ")
}

var condition = regexp.MustCompile(`^\[([^\]"{]*)\]\s*(.*)$`)

// cutCondition cuts "[>=2.1.90 <2.1.250]" off the start of a step.
func cutCondition(text string) (r Range, rest string, err error) {
	m := condition.FindStringSubmatch(text)
	if m == nil {
		return Range{}, text, nil
	}
	r, err = ParseRange(m[1])
	return r, m[2], err
}

// ParseRange reads ">=2.1.90 <2.1.250", or one end of it.
func ParseRange(text string) (r Range, err error) {
	for _, part := range strings.Fields(text) {
		var target *cli.Version
		switch {
		case strings.HasPrefix(part, ">="):
			target = &r.Since
		case strings.HasPrefix(part, "<") && !strings.HasPrefix(part, "<="):
			target = &r.Until
		default:
			return Range{}, fmt.Errorf("condition %q: want >=VERSION or <VERSION", part)
		}
		v, err := cli.ParseVersion(strings.TrimLeft(part, "<>="))
		if err != nil {
			return Range{}, fmt.Errorf("condition %q: %w", part, err)
		}
		*target = v
	}
	if r == (Range{}) {
		return Range{}, fmt.Errorf("empty condition")
	}
	return r, nil
}
