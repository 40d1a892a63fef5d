package scenario

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

var headerLine = regexp.MustCompile(`^([a-z]+): *(.*)$`)

// A Header is a line that a scenario file may have after its prose, "name: value".
type Header struct {
	Name    string
	Set     func(value string) error
	Needed  bool // every file has it
	Repeats bool // a file may have it more than once
}

// common are the headers of every dialect.
func (f *File) common(d *Dialect) []Header {
	level := []Header{{Name: "level", Needed: true, Set: func(value string) error {
		if f.Level = Level(value); f.Level != Required && f.Level != Recommended {
			return fmt.Errorf("%q is neither required nor recommended", value)
		}
		return nil
	}}}
	if d.NoLevel {
		level = nil
	}
	return append(level, []Header{
		{Name: "timeout", Set: func(value string) (err error) { f.Timeout, err = time.ParseDuration(value); return err }},
		{Name: "catches", Set: func(value string) error { f.Catches = strings.Fields(value); return nil }},
	}...)
}

// comment splits the archive's comment into prose and header lines. The header is the last
// paragraph.
func (d *Dialect) comment(f *File, text string) error {
	text = strings.TrimSpace(text)
	prose, header := "", text
	if i := strings.LastIndex(text, "\n\n"); i >= 0 {
		prose, header = strings.TrimSpace(text[:i]), text[i+2:]
	}
	if prose == "" {
		return errors.New("no prose: say what must hold and why, then an empty line, then the header")
	}
	f.Prose = prose
	f.Title = firstSentence(prose)
	return readHeaders(append(f.common(d), d.Headers...), header)
}

// readHeaders reads header lines.
func readHeaders(known []Header, text string) error {
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		m := headerLine.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("header line %q: want name: value", line)
		}
		i := slices.IndexFunc(known, func(h Header) bool { return h.Name == m[1] })
		if i < 0 {
			return fmt.Errorf("header %s: unknown header (%s)", m[1], headerNames(known, ", "))
		}
		if seen[m[1]] && !known[i].Repeats {
			return fmt.Errorf("duplicate header %s", m[1])
		}
		seen[m[1]] = true
		if err := known[i].Set(m[2]); err != nil {
			return fmt.Errorf("header %s: %w", m[1], err)
		}
	}
	needed := slices.DeleteFunc(slices.Clone(known), func(h Header) bool { return !h.Needed })
	for _, h := range needed {
		if !seen[h.Name] {
			return fmt.Errorf("header %s is missing: %s are needed", h.Name, headerNames(needed, " and "))
		}
	}
	return nil
}

func headerNames(list []Header, between string) string {
	var names []string
	for _, h := range list {
		names = append(names, h.Name)
	}
	return strings.Join(names, between)
}

// firstSentence returns the first sentence of a text as one line.
func firstSentence(text string) string {
	paragraph, _, _ := strings.Cut(text, "\n\n")
	line := strings.Join(strings.Fields(paragraph), " ")
	if i := strings.Index(line, ". "); i >= 0 {
		line = line[:i+1]
	}
	return line
}
