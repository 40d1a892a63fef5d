package drift

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording/inventory"
	"github.com/ccwire/ccwire/schema"
)

// members compares the members that the CLI wrote, scenario by scenario: the same play should show
// the same ones. Where a definition is in one version only, the lines that hold it are the change.
func (c *comparison) members() {
	gone, added := scenariosOf{}, scenariosOf{}
	for _, name := range c.both {
		a, b := c.from.Scenarios[name], c.to.Scenarios[name]
		if a.Cut || b.Cut {
			continue // what is missing may have been there
		}
		missing(a, b, name, gone)
		missing(b, a, name, added)
		for m, was := range a.Members {
			is := b.Members[m]
			if is == nil {
				continue
			}
			if x, y := words(was.Kinds), words(is.Kinds); x != y {
				g := cosmetic // an SDK of the older version has seen all of them
				for kind := range is.Kinds {
					if !seen(c.from, m, func(s *inventory.Seen) bool { return s.Kinds[kind] }) {
						g = breaks
					}
				}
				c.add(g, MemberKind, fmt.Sprintf("%s: was %s, is %s", title(m), x, y), name)
			}
			for v := range is.Values {
				if !seen(c.from, m, func(s *inventory.Seen) bool { return s.Values[v] }) {
					c.add(news, ValueNew, fmt.Sprintf("%s: %q", title(m), v), name)
				}
			}
			for v := range was.Values {
				if !b.Short && !seen(c.to, m, func(s *inventory.Seen) bool { return s.Values[v] }) {
					c.add(breaks, ValueGone, fmt.Sprintf("%s: %q", title(m), v), name)
				}
			}
		}
	}
	c.renamed(gone, added)
	for m, names := range gone {
		kind := MemberGone
		if anywhere(c.to, m) {
			kind = MemberAbsent
		}
		for _, name := range names {
			c.add(breaks, kind, title(m), name)
		}
	}
	for m, names := range added {
		kind := MemberNew
		if anywhere(c.from, m) {
			kind = MemberMore
		}
		for _, name := range names {
			what := fmt.Sprintf("%s (%s)", title(m), words(c.to.Scenarios[name].Members[m].Kinds))
			c.add(news, kind, what, name)
		}
	}
}

// scenariosOf has the scenarios that show something of a member.
type scenariosOf map[inventory.Member][]string

// missing notes the members of a that b has not, although it has others of their definition. A
// session that was cut short misses what it had no time for, but no required member.
func missing(a, b *inventory.Course, name string, into scenariosOf) {
	definitions := map[string]bool{}
	for m := range b.Members {
		definitions[m.Definition] = true
	}
	for m := range a.Members {
		if b.Members[m] == nil && definitions[m.Definition] && (!b.Short || required(m)) {
			into[m] = append(into[m], name)
		}
	}
}

func required(m inventory.Member) bool {
	d := schema.Default().Lookup(m.Definition)
	return d != nil && slices.Contains(d.Required, m.Name)
}

// renamed takes the members out of both lists that are gone and whose place a new one has taken: of
// the same definition, with the same JSON kinds, in the same scenarios.
func (c *comparison) renamed(gone, added scenariosOf) {
	for _, old := range slices.SortedFunc(maps.Keys(gone), compareMembers) {
		if anywhere(c.to, old) {
			continue
		}
		var found []inventory.Member
		for m, names := range added {
			if m.Definition == old.Definition && slices.Equal(names, gone[old]) && !anywhere(c.from, m) && c.sameKinds(old, m, names) {
				found = append(found, m)
			}
		}
		if same := slices.IndexFunc(found, func(m inventory.Member) bool { return plain(m.Name) == plain(old.Name) }); same >= 0 {
			found = found[same : same+1]
		}
		if len(found) != 1 {
			continue
		}
		for _, name := range gone[old] {
			c.add(breaks, MemberRenamed, fmt.Sprintf("%s is now %s", title(old), found[0].Name), name)
		}
		delete(gone, old)
		delete(added, found[0])
	}
}

func (c *comparison) sameKinds(old, new inventory.Member, scenarios []string) bool {
	return !slices.ContainsFunc(scenarios, func(name string) bool {
		return words(c.from.Scenarios[name].Members[old].Kinds) != words(c.to.Scenarios[name].Members[new].Kinds)
	})
}

func compareMembers(a, b inventory.Member) int { return strings.Compare(a.String(), b.String()) }

// plain is a name without its way of writing several words.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// anywhere reports whether any scenario of a version shows the member.
func anywhere(inv *inventory.Inventory, m inventory.Member) bool {
	return seen(inv, m, func(*inventory.Seen) bool { return true })
}

// seen reports whether what any scenario of a version shows of the member fits.
func seen(inv *inventory.Inventory, m inventory.Member, fits func(*inventory.Seen) bool) bool {
	for _, course := range inv.Scenarios {
		if s := course.Members[m]; s != nil && fits(s) {
			return true
		}
	}
	return false
}

// title is a member for people: the definition without the ways of JSON Schema, and the name.
func title(m inventory.Member) string {
	return strings.NewReplacer(".json#/$defs/", " ", ".json", "").Replace(m.Definition) + ": " + m.Name
}

func words(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), " or ") }
