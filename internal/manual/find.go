package manual

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Place is a member of an entry.
type Place struct {
	Entry  *Entry
	Member *Member
}

// Topic returns the topic that a word names: its path, control/can_use_tool, or the end of it if
// that says which one: can_use_tool, PreToolUse, init; or a Go type. The first of several that fit
// are those that go over the pipe. It is nil if there is none.
func (m *Manual) Topic(word string) (topic *Topic, others []*Topic) {
	wanted := strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(word, "wire."), ".json"))
	var paths, names, arms, entries, types, borrowed []*Topic
	for _, a := range m.Areas {
		for _, t := range a.Topics {
			last := strings.ToLower(t.Name)
			_, arm, _ := strings.Cut(last, ".")
			switch kept := a.Name == "transcript"; {
			case wanted == strings.ToLower(t.ID()):
				paths = append(paths, t)
			case kept && (wanted == last || wanted == arm):
				entries = append(entries, t)
			case wanted == last:
				names = append(names, t)
			case wanted == arm:
				arms = append(arms, t)
			}
			for _, e := range t.Entries {
				switch {
				case e.Definition.Name() == word, strings.ToLower(e.Go) == wanted && e.goFile == a.Name+"_gen.go":
					types = append(types, t)
				case strings.ToLower(e.Go) == wanted:
					borrowed = append(borrowed, t)
				}
			}
		}
	}
	types, borrowed = slices.Compact(types), slices.Compact(borrowed)
	for _, found := range [][]*Topic{paths, names, arms, types, borrowed, entries} {
		if len(found) > 0 && wanted != "" {
			return found[0], found[1:]
		}
	}
	return nil, nil
}

// Members returns the places of all members of a name, in the order of the manual.
func (m *Manual) Members(name string) (places []Place) {
	for _, a := range m.Areas {
		for _, t := range a.Topics {
			for _, e := range t.Entries {
				for i := range e.Members {
					if e.Members[i].Name == name {
						places = append(places, Place{e, &e.Members[i]})
					}
				}
			}
		}
	}
	return places
}

// Words returns all names that Topic and Members know, sorted.
func (m *Manual) Words() []string {
	words := map[string]bool{}
	for _, a := range m.Areas {
		for _, t := range a.Topics {
			words[t.ID()], words[t.Name] = true, true
			if _, arm, ok := strings.Cut(t.Name, "."); ok {
				words[arm] = true
			}
			for _, e := range t.Entries {
				for _, member := range e.Members {
					words[member.Name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(words))
}

// Target returns the anchor and the topic of what a link in a hand-written page names: a topic, or
// a topic, "#" and the key of an entry.
func (m *Manual) Target(link string) (anchor string, t *Topic, err error) {
	name, key, _ := strings.Cut(link, "#")
	t, _ = m.Topic(name)
	if t == nil {
		return "", nil, fmt.Errorf("the manual has nothing named %q", name)
	}
	if key == "" {
		return t.Anchor(), t, nil
	}
	for _, e := range t.Entries {
		if e.Key == key {
			return e.Anchor(), t, nil
		}
	}
	return "", nil, fmt.Errorf("%s has no %q", t.ID(), key)
}
