package release

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// before are the members that come before others in objects of one place.
type before map[string]map[string]bool

// has reports whether a comes before b in some object.
func (b before) has(first, second string) bool { return b[first][second] }

// add notes the order of an object.
func (b before) add(o object.Object) {
	for i, m := range o {
		if b[m.Name] == nil {
			b[m.Name] = map[string]bool{}
		}
		for _, later := range o[i+1:] {
			b[m.Name][later.Name] = true
		}
	}
}

// sorted returns the members in an order that all objects agree with; false if there is none.
func (b before) sorted() (names []string, ok bool) {
	left := slices.Sorted(maps.Keys(b))
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(name string) bool {
			return !slices.ContainsFunc(left, func(other string) bool { return b.has(other, name) })
		})
		if i < 0 {
			return nil, false
		}
		names = append(names, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return names, true
}

// ordered are the objects whose order is compared: lines, and what the CLI tells MCP servers.
var ordered = map[string][]string{
	"control_request/mcp_message/notifications/initialized": {"request message"},
	"control_request/mcp_message/initialize":                {"request message params clientInfo"},
}

// recordedOrders returns the orders of members in a version, by kind and path.
func recordedOrders(t *testing.T, version string) map[string]before {
	t.Helper()
	all, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]before{}
	add := func(at string, o object.Object) {
		if found[at] == nil {
			found[at] = before{}
		}
		found[at].add(o)
	}
	for _, s := range all {
		if !strings.HasPrefix(s.Path, version+"/") {
			continue
		}
		for _, l := range s.Lines {
			v, err := object.Parse(l.Text)
			o, ok := v.(object.Object)
			if err != nil || !ok || l.Dir != recording.ToSDK {
				continue
			}
			k := kind(o)
			// Since 2.1.250 only a result that is not of a turn begins with its type.
			session := strings.HasPrefix(k, "result/") && o[0].Name == "type" && !Older(version, "2.1.250")
			if !session && (strings.HasPrefix(k, "system/") || strings.HasPrefix(k, "result/")) {
				add(k, o)
			}
			for _, path := range ordered[k] {
				inner := o
				for _, name := range strings.Fields(path) {
					inner = inner.Object(name)
				}
				add(k+" "+path, inner)
			}
		}
	}
	return found
}

// orders returns the orders that are not those of the newest version.
func orders(t *testing.T) map[string]map[string][]string {
	t.Helper()
	versions := corpus.Versions()
	now := recordedOrders(t, newest)
	all := map[string]map[string][]string{}
	for _, version := range versions[:len(versions)-1] {
		all[version] = map[string][]string{}
		for at, was := range recordedOrders(t, version) {
			names, ok := was.sorted()
			other := slices.ContainsFunc(names, func(a string) bool {
				return slices.ContainsFunc(names, func(b string) bool { return was.has(a, b) && now[at].has(b, a) })
			})
			if ok && other {
				all[version][at] = names
			}
		}
	}
	return all
}
