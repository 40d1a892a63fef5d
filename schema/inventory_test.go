package schema

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/typings"
)

func readInventory(t testing.TB) typings.Inventory {
	t.Helper()
	text, err := os.ReadFile("../" + typings.File)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := typings.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// An exception is a difference between a definition and the typings, with its reason.
type exception struct {
	definition string // may be a glob
	member     string
	difference string
	used       bool
}

func readExceptions(t testing.TB) (rows []*exception) {
	t.Helper()
	for _, cells := range readTable(t, "testdata/inventory_exceptions.txt", 4) {
		rows = append(rows, &exception{definition: cells[0], member: cells[1], difference: cells[2]})
	}
	return rows
}

// readTable reads lines of cells that are separated by "|". Lines that start with "#" are comments.
func readTable(t testing.TB, file string, columns int) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != columns || slices.Contains(cells, "") {
			t.Fatalf("%s:%d does not have %d cells: %s", file, i+1, columns, line)
		}
		rows = append(rows, cells)
	}
	return rows
}

func TestInventoryIsCovered(t *testing.T) {
	set := Default()
	rows := readExceptions(t)
	differ := func(definition, member, difference string) {
		for _, row := range rows {
			if ok, _ := path.Match(row.definition, definition); ok && row.member == member && row.difference == difference {
				row.used = true
				return
			}
		}
		t.Errorf("%s | %s | %s: no exception gives the reason", definition, member, difference)
	}
	for section, entries := range readInventory(t) {
		for entry, members := range entries {
			name := typings.Definition(section, entry)
			d := set.Lookup(name)
			if d == nil {
				t.Errorf("%s %s has no definition %q", section, entry, name)
				continue
			}
			for member, want := range members {
				p := d.Property(member)
				if p == nil {
					differ(name, member, "absent")
					continue
				}
				if p.Required != want.Required {
					differ(name, member, map[bool]string{true: "required", false: "optional"}[p.Required])
				}
				for _, difference := range set.differences(p.Node, want.Kinds) {
					differ(name, member, difference)
				}
			}
		}
	}
	for _, row := range rows {
		if !row.used {
			t.Errorf("the exception %s | %s | %s is not used", row.definition, row.member, row.difference)
		}
	}
}

// differences compares a node with the kinds that the typings give.
func (s *Set) differences(n *Node, kinds []string) (found []string) {
	if slices.Contains(kinds, "any") {
		return nil
	}
	values := s.values(n)
	var want []string
	for _, kind := range kinds {
		if value, ok := strings.CutPrefix(kind, "const:"); ok {
			kind = "string"
			if value == "true" || value == "false" {
				kind = "boolean"
			} else if !slices.Contains(values, value) {
				found = append(found, fmt.Sprintf("without %q", value))
			}
		}
		want = append(want, kind)
	}
	have := s.Kinds(n)
	if len(have) == len(allKinds) {
		return append(found, "of any kind")
	}
	for _, kind := range allKinds {
		switch {
		case slices.Contains(want, kind) && !slices.Contains(have, kind):
			found = append(found, "not "+article(kind))
		case !slices.Contains(want, kind) && slices.Contains(have, kind):
			found = append(found, "also "+article(kind))
		}
	}
	return found
}

// values lists the strings that a node names, through refs and arms.
func (s *Set) values(n *Node) (values []string) {
	n = s.Resolve(n)
	values = slices.Clone(n.XEnum)
	if v, ok := n.Const.(string); ok {
		values = append(values, v)
	}
	for _, v := range n.Enum {
		if v, ok := v.(string); ok {
			values = append(values, v)
		}
	}
	for _, arm := range n.OneOf {
		values = append(values, s.values(arm)...)
	}
	return values
}
