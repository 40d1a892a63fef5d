package fault

import (
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// path is the fault's value as the path of a member: message.content.0.text.
func (f *Fault) path() []string { return strings.Split(f.value, ".") }

// hasMember reports whether a line has the member that a fault is about.
func hasMember(f *Fault, text []byte) bool {
	_, ok := edited(text, f.path(), func(v any) any { return v })
	return ok
}

func remove(i *Injector, f *Fault, text []byte) error {
	text, _ = edited(text, f.path(), func(any) any { return object.Absent })
	return i.write(text)
}

func retype(i *Injector, f *Fault, text []byte) error {
	text, _ = edited(text, f.path(), func(v any) any {
		switch v.(type) {
		case string:
			return 7
		case object.Object:
			return []any{}
		}
		return "ccwire"
	})
	return i.write(text)
}

// edited returns a line in which the member at a path has another value, and whether it has that
// member. [object.Absent] removes it.
func edited(text []byte, path []string, change func(any) any) ([]byte, bool) {
	v, err := object.ParseExact(text)
	if err != nil {
		return text, false
	}
	v, ok := edit(v, path, change)
	if !ok {
		return text, false
	}
	return append(object.Append(nil, v), '\n'), true
}

func edit(v any, path []string, change func(any) any) (any, bool) {
	if len(path) == 0 {
		return change(v), true
	}
	switch v := v.(type) {
	case object.Object:
		old, ok := v.Lookup(path[0])
		if !ok {
			return v, false
		}
		value, ok := edit(old, path[1:], change)
		return v.With(path[0], value), ok
	case []any:
		n, err := strconv.Atoi(path[0])
		if err != nil || n < 0 || n >= len(v) {
			return v, false
		}
		value, ok := edit(v[n], path[1:], change)
		list := append([]any{}, v[:n]...)
		if value != object.Absent {
			list = append(list, value)
		}
		return append(list, v[n+1:]...), ok
	}
	return v, false
}
