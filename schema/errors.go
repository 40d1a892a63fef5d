package schema

import (
	"fmt"
	"strings"
)

// An Error says why a document does not fit its definition.
type Error struct {
	Problems []Problem // at least one and at most [MaxProblems], sorted by Instance
}

// A Problem is one thing that is wrong with a document.
type Problem struct {
	Instance string // JSON pointer of the value at fault; of the member itself if it is missing
	Schema   string // file and JSON pointer of the keyword that failed, such as "hook/matcher.json#/required"
	Reason   string // what is wrong, in words
}

func (p Problem) String() string {
	at := p.Instance
	if at == "" {
		at = "the document"
	}
	return fmt.Sprintf("%s: %s (%s)", at, p.Reason, p.Schema)
}

func (e *Error) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// An InputError says why a text cannot be looked at as a document at all.
type InputError struct {
	Offset int    // of the first byte at fault
	Limit  int    // the limit that is exceeded, 0 if it is something else
	Reason string // what is wrong, in words
}

func (e *InputError) Error() string { return fmt.Sprintf("input at byte %d: %s", e.Offset, e.Reason) }
