package baseline

import (
	"strconv"
	"strings"
)

// named compares two lists whose elements have names, each with that of the same name. It reports
// false for other lists, and for those in which a name is there twice.
func (m *memberwise) named(path string, was, is []any) bool {
	old, ok := byName(was)
	if !ok {
		return false
	}
	now, ok := byName(is)
	if !ok {
		return false
	}
	for i, e := range was {
		at := path + "/" + strconv.Itoa(i)
		if j, ok := now[nameOf(e)]; ok {
			m.compare(at, e, is[j])
		} else {
			m.add(Difference{Path: at, Was: text(e)})
		}
	}
	for i, e := range is {
		if _, ok := old[nameOf(e)]; !ok {
			m.add(Difference{Path: path + "/" + strconv.Itoa(i), Is: text(e)})
		}
	}
	return true
}

// byName returns the places of the elements by their names, false if not each has one of its own.
func byName(list []any) (map[string]int, bool) {
	places := map[string]int{}
	for i, e := range list {
		name := nameOf(e)
		if _, twice := places[name]; twice || name == "" {
			return nil, false
		}
		places[name] = i
	}
	return places, true
}

// nameOf returns what an element of a list is called, "" if it has no name: a word, or the member
// of an object that names it.
func nameOf(v any) string {
	if object, ok := v.(map[string]any); ok {
		for _, member := range []string{"name", "value", "id"} {
			if name, ok := object[member].(string); ok {
				return name
			}
		}
	}
	if word, ok := v.(string); ok && !strings.Contains(word, " ") {
		return word
	}
	return ""
}
