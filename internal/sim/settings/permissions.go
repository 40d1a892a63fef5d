package settings

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// Permit applies an update of permissions to the file that it is for. rules are the rules of the
// update, as settings have them.
func (s *Store) Permit(update object.Object, rules []string) error {
	source := Source(update.Text("destination"))
	s.mu.Lock()
	defer s.mu.Unlock()
	old, err := s.file(source)
	if err != nil {
		return err
	}
	o := object.Clone(old).(object.Object)
	permissions := o.Object("permissions")
	behavior := update.Text("behavior")
	change := func(name string, f func(list []any) []any) {
		permissions.Set(name, f(slices.Clone(permissions.List(name))))
	}
	switch update.Text("type") {
	case "setMode":
		permissions.Set("defaultMode", update.Text("mode"))
	case "addDirectories":
		change("additionalDirectories", func(list []any) []any { return union(list, update.List("directories")) })
	case "removeDirectories":
		change("additionalDirectories", func(list []any) []any { return without(list, update.List("directories")) })
	case "addRules":
		change(behavior, func(list []any) []any { return union(list, values(rules)) })
	case "replaceRules":
		change(behavior, func([]any) []any { return values(rules) })
	case "removeRules":
		change(behavior, func(list []any) []any { return without(list, values(rules)) })
	}
	o.Set("permissions", permissions)
	return s.write(source, o)
}

func values(texts []string) []any {
	list := []any{}
	for _, text := range texts {
		list = append(list, text)
	}
	return list
}

// without returns the elements of a list that another does not have.
func without(list, gone []any) []any {
	return slices.DeleteFunc(list, func(v any) bool { return slices.Contains(gone, v) })
}
