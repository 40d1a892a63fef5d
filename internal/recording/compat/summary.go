package compat

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Lines of a Markdown file around the summary.
const (
	Begin = "<!-- supported: begin (protogen compatibility writes this) -->"
	End   = "<!-- supported: end -->"
)

// Summary is the short form of the document in Markdown: how many scenarios of each area hold, of
// those that apply, by version.
func (d *Document) Summary() string {
	areas := map[string]map[string]int{} // that hold, by area and version
	held, apply := map[string]int{}, map[string]int{}
	for _, t := range d.Tables {
		if t.Title != scenariosTitle {
			continue
		}
		for _, r := range t.Rows {
			area, _, _ := strings.Cut(r.Name, "/")
			if areas[area] == nil {
				areas[area] = map[string]int{}
			}
			for version := range r.Cells {
				areas[area][version]++
				held[version]++
			}
		}
	}
	for _, byVersion := range d.Applies {
		for version, n := range byVersion {
			apply[version] += n
		}
	}
	var b strings.Builder
	d.head(&b)
	for _, area := range slices.Sorted(maps.Keys(d.Applies)) {
		d.row(&b, area, share(areas[area], d.Applies[area]))
	}
	d.row(&b, "**all**", share(held, apply))
	return b.String()
}

// share shows how many hold of those that apply, nothing if none applies.
func share(held, apply map[string]int) func(string) string {
	return func(version string) string {
		if apply[version] == 0 && held[version] == 0 {
			return ""
		}
		return fmt.Sprintf("%d of %d", held[version], apply[version])
	}
}

// Replace returns the Markdown text with the summary between the lines [Begin] and [End], in place
// of what stood there.
func Replace(text []byte, summary string) ([]byte, error) {
	before, rest, ok := bytes.Cut(text, []byte(Begin+"\n"))
	_, after, ok2 := bytes.Cut(rest, []byte(End+"\n"))
	if !ok || !ok2 {
		return nil, fmt.Errorf("has no place for the table: add the lines %q and %q", Begin, End)
	}
	return slices.Concat(before, []byte(Begin+"\n\n"+summary+"\n"+End+"\n"), after), nil
}
