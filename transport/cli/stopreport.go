package cli

import (
	"fmt"
	"strings"
	"time"
)

// StopStep is something that [Process.Stop] does to end a process.
type StopStep int

// The steps, in their order. [Process.Kill] is the last one alone.
const (
	StepNone      StopStep = iota
	StepInput              // stdin is closed
	StepInterrupt          // SIGINT, on Windows CTRL_BREAK
	StepTerminate          // SIGTERM, on Windows left out
	StepKill               // SIGKILL, on Windows the end of the job
)

func (s StopStep) String() string {
	switch s {
	case StepNone:
		return "nothing"
	case StepInput:
		return "the end of its input"
	case StepInterrupt:
		return "an interrupt"
	case StepTerminate:
		return "a termination signal"
	case StepKill:
		return "a kill"
	}
	return fmt.Sprintf("StopStep(%d)", int(s))
}

// StepWait is a step and the time from it to the next one, or to the exit.
type StepWait struct {
	Step StopStep
	Wait time.Duration
}

// StopReport has the steps that were taken before the process was gone, in order. It is empty for a
// process that ended without [Process.Stop] and [Process.Kill].
//
// The last step need not be the cause of the end: a process may still be busy with an earlier one.
// The CLI, for one, ends its tools first, which takes up to 2 s.
type StopReport []StepWait

// Last returns the last step, or [StepNone].
func (r StopReport) Last() StopStep {
	if len(r) == 0 {
		return StepNone
	}
	return r[len(r)-1].Step
}

// Took returns the time from the first step to the exit.
func (r StopReport) Took() (sum time.Duration) {
	for _, w := range r {
		sum += w.Wait
	}
	return sum
}

// String says where the time went, such as "ended in 335ms: the end of its input (waited 300ms), an
// interrupt (waited 35ms)".
func (r StopReport) String() string {
	if len(r) == 0 {
		return "ended by itself"
	}
	waits := make([]string, len(r))
	for i, w := range r {
		waits[i] = fmt.Sprintf("%v (waited %v)", w.Step, w.Wait.Round(time.Millisecond))
	}
	return fmt.Sprintf("ended in %v: %s", r.Took().Round(time.Millisecond), strings.Join(waits, ", "))
}
