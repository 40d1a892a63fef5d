package template

import (
	"maps"
	"slices"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/sim/release"
)

// many is how many sessions have what is built in, at least.
const many = 5

// rare reports whether only few lists have a text.
func rare(all [][]any, v any) bool {
	n := 0
	for _, list := range all {
		if slices.Contains(list, v) {
			n++
		}
	}
	return n < many
}

// common returns the commands that many sessions have: older versions do not say which of them are
// built in.
func common(all [][]any) map[string]bool {
	count, found := map[string]int{}, map[string]bool{}
	for _, list := range all {
		for _, v := range list {
			if o, ok := v.(object.Object); ok && o.Has("argumentHint") && !o.Has("builtin") {
				text := object.Text(v)
				count[text]++
				found[text] = count[text] >= many
			}
		}
	}
	return found
}

// merged returns the elements of all lists that are built in or common, each after those that come
// before it in any of them.
func merged(all [][]any, common map[string]bool) []any {
	after := map[string]map[string]bool{} // what an element comes after
	values := map[string]any{}
	var names []string
	for _, list := range all {
		var before []string
		for _, v := range list {
			name := object.Text(v)
			if !builtIn(v) && !common[name] {
				continue
			}
			if values[name] == nil {
				values[name], after[name] = v, map[string]bool{}
				names = append(names, name)
			}
			for _, b := range before {
				after[name][b] = true
			}
			before = append(before, name)
		}
	}
	slices.Sort(names)
	var out []any
	for len(names) > 0 {
		i := max(0, slices.IndexFunc(names, func(name string) bool {
			return !slices.ContainsFunc(names, func(other string) bool { return after[name][other] })
		}))
		out = append(out, values[names[i]])
		names = slices.Delete(names, i, i+1)
	}
	return out
}

// most returns the list that comes most often.
func most(all [][]any) (list []any) {
	count := map[string]int{}
	best := 0
	for _, l := range all {
		text := object.Text(l)
		if count[text]++; count[text] > best {
			best, list = count[text], l
		}
	}
	return list
}

// olderLists returns the lists of an older version: an element once, in an order that all
// recordings agree with.
func olderLists(sequences map[string][][]any) map[string][]any {
	lists := map[string][]any{}
	for name, list := range sequences {
		lists[name] = merged(list, common(list))
	}
	if all := sequences["models"]; len(all) > 0 {
		lists["models"] = most(all)
	}
	// What a command or an agent of a session is called is not known here: texts are built in if an
	// element of the reply to initialize is.
	for texts, elements := range map[string]string{"init.slash_commands": "commands", "init.skills": "commands", "init.agents": "agents"} {
		if lists[elements] == nil { // the reply does not list them
			lists[texts] = slices.DeleteFunc(lists[texts], func(v any) bool { return rare(sequences[texts], v) })
			continue
		}
		lists[texts] = slices.DeleteFunc(lists[texts], func(v any) bool {
			return !slices.ContainsFunc(lists[elements], func(e any) bool { return e.(object.Object).Get("name") == v })
		})
	}
	return lists
}

// olderThan returns what older versions have otherwise than the next newer one. Where recordings
// of an older version have the same lists as those of the newest, it has that one's, which are
// whole.
func olderThan(t *testing.T, answers object.Object, sequences map[string][][]any) map[string]memory {
	t.Helper()
	older := map[string]memory{}
	texts := map[string]string{} // of what newer versions have
	for _, m := range answers {
		texts["answer "+m.Name] = object.Text(m.Value)
	}
	for name, list := range olderLists(sequences) {
		if len(List(release.Newest(), name)) > 0 { // others are made of these
			texts["list "+name] = object.Text(list)
		}
	}
	versions := corpus.Versions()
	for _, version := range slices.Backward(versions[:len(versions)-1]) {
		m := memory{Lists: object.Object{}}
		answers, sequences := recorded(t, version)
		lists := olderLists(sequences)
		for _, a := range answers {
			if text := object.Text(a.Value); text != texts["answer "+a.Name] {
				texts["answer "+a.Name] = text
				m.Answers = append(m.Answers, a)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(lists)) {
			if text := object.Text(lists[name]); text != texts["list "+name] {
				texts["list "+name] = text
				m.Lists = append(m.Lists, object.Member{Name: name, Value: append([]any{}, lists[name]...)})
			}
		}
		older[version] = m
	}
	return older
}
