package differ

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

// knownText lists the differences that are known.
//
//go:embed known.txt
var knownText string

// Known is a list of differences that are expected.
//
// Each line has a pattern for [Difference.String], in which * is any text, and after " # " the
// reason. A pattern that begins with "line: " is for all differences of a line that has one which
// it fits. Lines that are empty or begin with "#" say nothing.
type Known struct {
	entries []*KnownEntry
}

// A KnownEntry is one line of the list.
type KnownEntry struct {
	Pattern, Reason string
	Whole           bool // it is for all differences of the line
	re              *regexp.Regexp
}

// KnownDifferences returns the list of this package.
func KnownDifferences() (*Known, error) { return parseKnown(knownText) }

func parseKnown(text string) (*Known, error) {
	k := &Known{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, reason, ok := strings.Cut(line, " # ")
		if pattern, reason = strings.TrimSpace(pattern), strings.TrimSpace(reason); !ok || pattern == "" || reason == "" {
			return nil, fmt.Errorf("known.txt: line %d: want PATTERN # reason", number)
		}
		text, whole := strings.CutPrefix(pattern, "line: ")
		parts := strings.Split(text, "*")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		re, err := regexp.Compile(`(?s)\A` + strings.Join(parts, ".*") + `\z`)
		if err != nil {
			return nil, fmt.Errorf("known.txt: line %d: %w", number, err)
		}
		k.entries = append(k.entries, &KnownEntry{pattern, reason, whole, re})
	}
	return k, nil
}

// Entries returns the entries in their order.
func (k *Known) Entries() []*KnownEntry { return k.entries }

// Find returns the entry that a difference is expected by, nil if there is none.
func (k *Known) Find(d Difference) *KnownEntry {
	if k == nil {
		return nil
	}
	text := d.String()
	for _, e := range k.entries {
		if e.re.MatchString(text) {
			return e
		}
	}
	return nil
}
