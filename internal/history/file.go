package history

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/shipped"
	"github.com/ccwire/ccwire/internal/suite/probe"
)

// Load returns the history that is built in.
var Load = sync.OnceValues(func() (*History, error) { return Parse(shipped.History()) })

// Parse reads what Text has written.
//
//	date DATE
//	versions VERSION VERSION...
//	skipped VERSION REASON
//	KIND
//	  NAME: ANSWER VERSION VERSION...; ANSWER VERSION...
//
// Lines that begin with # are comments.
func Parse(text string) (*History, error) {
	h := New()
	kind := probe.Kind("")
	for i, line := range strings.Split(text, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || word == "#":
		case word == "date":
			h.Date = rest
		case word == "versions":
			h.Versions = append(h.Versions, strings.Fields(rest)...)
		case word == "skipped":
			version, reason, _ := strings.Cut(rest, " ")
			h.Skipped[version] = reason
		case slices.Contains(probe.Kinds, probe.Kind(line)):
			kind = probe.Kind(line)
		case word == "" && kind != "":
			if err := h.row(kind, line); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		default:
			return nil, fmt.Errorf("line %d: not a row: %q", i+1, line)
		}
	}
	return h, nil
}

func (h *History) row(kind probe.Kind, line string) error {
	name, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
	if !ok {
		return fmt.Errorf("not a row: %q", line)
	}
	for part := range strings.SplitSeq(rest, "; ") {
		words := strings.Fields(part)
		if len(words) < 2 || !slices.Contains([]Answer{Taken, Refused, Unclear}, Answer(words[0])) {
			return fmt.Errorf("not an answer with versions: %q", part)
		}
		for _, v := range words[1:] {
			h.Note(Key{kind, name}, v, Answer(words[0]))
		}
	}
	return nil
}

// Text returns the history as a file.
func (h *History) Text() string {
	var b strings.Builder
	b.WriteString("# What releases of the CLI on npm answer to names. Written by make since.\n")
	fmt.Fprintf(&b, "date %s\n", h.Date)
	for list := range slices.Chunk(h.Versions, 16) {
		fmt.Fprintf(&b, "versions %s\n", strings.Join(list, " "))
	}
	for _, v := range slices.SortedFunc(maps.Keys(h.Skipped), corpus.Compare) {
		fmt.Fprintf(&b, "skipped %s %s\n", v, h.Skipped[v])
	}
	kind := probe.Kind("")
	for _, k := range h.Keys() {
		if k.Kind != kind {
			kind = k.Kind
			fmt.Fprintf(&b, "\n%s\n", kind)
		}
		fmt.Fprintf(&b, "  %s: %s\n", k.Name, rowText(h.Answers[k]))
	}
	return b.String()
}

func rowText(answers map[string]Answer) string {
	var parts []string
	for _, a := range []Answer{Taken, Refused, Unclear} {
		part := string(a)
		for _, v := range slices.SortedFunc(maps.Keys(answers), corpus.Compare) {
			if answers[v] == a {
				part += " " + v
			}
		}
		if part != string(a) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}
