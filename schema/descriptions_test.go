package schema

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A member is described where it stands. Two are not: a tag, whose one value says it, and a member
// that is one of the shared scalars, such as a session_id, whose description is of the member.
func TestEveryMemberIsDescribed(t *testing.T) {
	for _, d := range Transcripts().Definitions() {
		for i := range d.Properties {
			if p := &d.Properties[i]; p.Description == "" && !p.HasConst && !sharedScalar(p.Node) {
				t.Errorf("%s: the member %s has no description", d.Name(), p.Name)
			}
		}
	}
}

// sharedScalar reports whether a node is a reference to a shared definition of something simple.
func sharedScalar(n *Node) bool {
	if n.Ref == "" || path.Dir(strings.Split(n.Ref, "#")[0]) != "shared" {
		return false
	}
	return !slices.ContainsFunc(Transcripts().Kinds(n), func(kind string) bool { return kind == "object" || kind == "array" })
}

func TestNoDescriptionOnlyRepeatsAName(t *testing.T) {
	for _, d := range Transcripts().Definitions() {
		if name := path.Base(d.File) + " " + d.key(); repeats(d.Description, name) {
			t.Errorf("%s: %q says no more than the name", d.Name(), d.Description)
		}
		for i := range d.Properties {
			if p := &d.Properties[i]; repeats(p.Description, p.Name) {
				t.Errorf("%s: %q says no more than the name of the member %s", d.Name(), p.Description, p.Name)
			}
		}
	}
}

func TestDescriptionsThatOnlyRepeatANameAreSeen(t *testing.T) {
	for _, c := range []struct {
		description, name string
		want              bool
	}{
		{"The session id.", "session_id", true},
		{"Session's ID", "sessionId", true},
		{"The ids of the sessions.", "sessionIds", true},
		{"The list of tools.", "tools", true},
		{"The id of the session that ended.", "session_id", false},
		{"Null without one.", "session_id", false},
		{"", "session_id", false},
	} {
		if got := repeats(c.description, c.name); got != c.want {
			t.Errorf("%q for %s: got %t", c.description, c.name, got)
		}
	}
}

var (
	word  = regexp.MustCompile(`[A-Z]?[a-z0-9]+|[A-Z]+`)
	empty = []string{"the", "a", "an", "of", "its", "their", "this", "is", "for", "in", "list", "value", "name", "s", "json"}
)

// repeats reports whether a description has no word that the name does not have, but for those that
// say nothing.
func repeats(description, name string) bool {
	if description == "" {
		return false
	}
	known := wordsOf(name)
	for _, w := range wordsOf(description) {
		if !slices.Contains(known, w) && !slices.Contains(empty, w) {
			return false
		}
	}
	return true
}

// wordsOf returns the words of a text in lower case and without the s of a plural.
func wordsOf(text string) (list []string) {
	for _, w := range word.FindAllString(text, -1) {
		w = strings.ToLower(w)
		if len(w) > 3 || w == "ids" {
			w = strings.TrimSuffix(w, "s")
		}
		list = append(list, w)
	}
	return list
}
