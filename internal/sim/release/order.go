package release

import (
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// order is the order of members in lines of one kind, or in an object in them, where it is not that
// of the newest version.
type order struct {
	path  []string // of the object; none is the line itself
	names []string
}

// ordersFor returns the orders of a version, by the kind of the line.
func ordersFor(version string) map[string][]order {
	all := map[string][]order{}
	for at, names := range content().Orders[version] {
		kind, path, _ := strings.Cut(at, " ")
		all[kind] = append(all[kind], order{strings.Fields(path), names})
	}
	return all
}

// kind names a line by its tags.
func kind(o object.Object) string {
	request := o.Object("request")
	parts := []string{o.Text("type"), o.Text("subtype"), request.Text("subtype"), request.Object("message").Text("method")}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "/")
}

// apply returns an object with its members in order. What is given is not changed.
func (r *order) apply(o object.Object, path []string) object.Object {
	if len(path) > 0 {
		if inner, ok := o.Get(path[0]).(object.Object); ok {
			return o.With(path[0], r.apply(inner, path[1:]))
		}
		return o
	}
	if o[0].Name == "type" && r.names[0] != "type" {
		return o // a result that is not of a turn
	}
	place := make(map[string]int, len(o))
	last := 0
	for _, m := range o {
		if i := slices.Index(r.names, m.Name); i >= 0 {
			last = i
		}
		place[m.Name] = last // a member that is not known stays after the one before it
	}
	sorted := slices.Clone(o)
	slices.SortStableFunc(sorted, func(a, b object.Member) int { return place[a.Name] - place[b.Name] })
	return sorted
}
