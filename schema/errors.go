package schema

import (
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/codec"
)

// An Error says why a document does not fit its definition.
type Error struct {
	Violations []Violation // at least one and at most [MaxDeviations], sorted by path
}

// A Violation is a deviation that a keyword of the schemas forbids. The open form reports kind
// [codec.Invalid] only; the closed form has those of the lint as well.
type Violation struct {
	codec.Deviation
	Keyword string `json:"keyword"` // its file and JSON pointer, such as "hook/matcher.json#/required"
}

// String returns the violation as one line for people.
func (v Violation) String() string { return fmt.Sprintf("%s (%s)", v.Deviation, v.Keyword) }

func (e *Error) Error() string {
	var b strings.Builder
	for i, v := range e.Violations {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(v.String())
	}
	return b.String()
}
