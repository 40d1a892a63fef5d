package sessions

import (
	"errors"
	"fmt"
	"io/fs"
)

// Errors that can be matched with [errors.Is].
var (
	// ErrNotFound means that there is no such session. It is a [fs.ErrNotExist].
	ErrNotFound = fmt.Errorf("there is no such session: %w", fs.ErrNotExist)
	// ErrBadID means that an id is not a UUID.
	ErrBadID = errors.New("the id is not a UUID")
	// ErrEmpty means that a title or a tag has nothing in it that can be shown.
	ErrEmpty = errors.New("nothing is left of the text")
	// ErrNoMessages means that a session has no messages that can be forked.
	ErrNoMessages = errors.New("the session has no messages")
	// ErrNoMessage means that a session has no message with an id.
	ErrNoMessage = errors.New("the session has no such message")
	// ErrBehind means that a [Mirror] is closed, or that its backend has taken too long.
	ErrBehind = errors.New("the backend is too far behind")
)

// A LineError is a line of a transcript that is not an entry.
type LineError struct {
	Path   string
	Offset int64 // where the line begins
	Err    error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%s: the line at byte %d: %v", e.Path, e.Offset, e.Err)
}

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }
