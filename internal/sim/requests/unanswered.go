package requests

import (
	"path"

	"github.com/ccwire/ccwire/internal/object"
)

// kept is how many hook matchers of the request say, in a form that the CLI takes, what becomes of
// a call whose hook does not answer.
func (i *introduction) kept() (n int) {
	for _, m := range i.request.Object("hooks").List("PreToolUse") {
		if matcher, ok := m.(object.Object); ok && matcher.Text("onFailure") != "continue" && answersItself(matcher.Object("whenUnanswered")) {
			n++
		}
	}
	return n
}

// answersItself reports whether a whenUnanswered has a time and folders that are absolute.
func answersItself(o object.Object) bool {
	if seconds, ok := o.Number("afterSeconds"); !ok || seconds <= 0 || !o.Has("within") {
		return false
	}
	for _, name := range []string{"within", "readsAlsoWithin", "noWritesWithin"} {
		for _, v := range o.List(name) {
			if folder, ok := v.(string); !ok || !path.IsAbs(folder) || path.Clean(folder) != folder {
				return false
			}
		}
	}
	return true
}
