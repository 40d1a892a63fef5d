package scenario

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// Variation says that something that the CLI writes differs from run to run, so that a session may
// differ from its recording there.
type Variation struct {
	// Kind is the type of the line and its subtypes: "result/success"; or [KindAPI].
	Kind string
	// Path is the JSON pointer of a member of it; "*" stands for any one name or index. If it is
	// empty, lines of the kind may be missing, more, or elsewhere.
	Path   string
	Reason string
}

// KindAPI is the kind of what the model is asked.
const KindAPI = "api"

// parseVariation reads "KIND # reason" or "KIND PATH # reason".
func parseVariation(text string) (Variation, error) {
	what, reason, _ := strings.Cut(text, "#")
	v := Variation{Reason: strings.TrimSpace(reason)}
	words := strings.Fields(what)
	if len(words) == 2 {
		v.Path = words[1]
	}
	_, err := path.Match(v.Path, "")
	switch {
	case len(words) == 0 || len(words) > 2 || v.Path != "" && (v.Path[0] != '/' || err != nil):
		return v, errors.New("want KIND # reason, or KIND /PATH # reason")
	case v.Reason == "":
		return v, errors.New("it needs a reason, after #")
	}
	v.Kind = words[0]
	return v, nil
}

// LineVaries reports whether lines of a kind may be missing, more, or elsewhere.
func LineVaries(list []Variation, kind string) bool {
	return slices.ContainsFunc(list, func(v Variation) bool { return v.Kind == kind && v.Path == "" })
}

// MemberVaries reports whether the member at a path of a line of a kind may differ.
func MemberVaries(list []Variation, kind, pointer string) bool {
	return slices.ContainsFunc(list, func(v Variation) bool {
		ok, _ := path.Match(v.Path, pointer) // the pattern was checked
		return v.Kind == kind && v.Path != "" && ok
	})
}
