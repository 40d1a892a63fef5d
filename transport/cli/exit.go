package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/ccwire/ccwire/internal/tail"
)

// maxQuotedStderr is how much of stderr an ExitError's message shows. The field has more.
const maxQuotedStderr = 2 << 10

// ExitError says how a process ended. As an error it is an end that was not expected, with code 0
// too: a call that waited for an answer never gets it.
type ExitError struct {
	Command string // the base name of the executable
	Code    int    // the exit code; -1 if a signal ended it
	Signal  string // the signal that ended it, such as "killed"; empty if none did
	Stderr  string // the end of stderr, see [Process.Stderr]

	Stop StopReport // what was done to end it, and how long that took

	wait error // why nothing is known: somebody else took the exit status
}

func newExitError(command string, state *os.ProcessState, waitErr error, stderr string) *ExitError {
	e := &ExitError{Command: command, Code: -1, Stderr: stderr}
	if state == nil {
		e.wait = waitErr
		return e
	}
	e.Code = state.ExitCode()
	e.Signal = signalOf(state)
	return e
}

// Success reports whether the process ended by itself with code 0.
func (e *ExitError) Success() bool { return e.Code == 0 }

func (e *ExitError) Error() string {
	var b strings.Builder
	switch {
	case e.wait != nil:
		fmt.Fprintf(&b, "%s is gone, its exit status is unknown: %v", e.Command, e.wait)
	case e.Signal != "":
		fmt.Fprintf(&b, "%s was ended by a signal: %s", e.Command, e.Signal)
	default:
		fmt.Fprintf(&b, "%s exited with code %d", e.Command, e.Code)
	}
	if text := strings.TrimSpace(e.Stderr); text != "" {
		fmt.Fprintf(&b, "; stderr ends with:\n%s", tail.Lines(text, maxQuotedStderr))
	}
	return b.String()
}

// Unwrap returns why the exit status is unknown, nil if it is known.
func (e *ExitError) Unwrap() error { return e.wait }
