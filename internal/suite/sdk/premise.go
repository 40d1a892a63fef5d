package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// premise says why a verdict means nothing, "" if it means something, and what is wrong with the
// driver if that is why. It is called with the lock of the board when the session is over; err is
// why the scenario does not hold.
func (p *play) premise(err error) (open, fault string) {
	because := ""
	if err != nil {
		because = "; " + err.Error()
	}
	switch {
	case p.board.problem != nil:
		return p.board.problem.Error(), p.board.problem.Error()
	case !p.board.startedLocked() && !p.refused():
		fault = fmt.Sprintf("the %s never started the CLI that it was given", p.subject.what())
		if p.subject.Spawn {
			fault += ": it is the claude in its PATH, and its path is in CCWIRE_CLAUDE"
		}
		return fault + because, fault
	}
	var step *stepError
	switch f := p.missing(); {
	case errors.As(err, &step) && step.step.Given:
		return fmt.Sprintf("it supposes %s, which did not happen%s", short(step.step.Source), because), ""
	case step != nil && p.endedInput(step.step.op):
		return "the SDK closed the CLI's input after its prompt, and nothing was registered that a CLI could ask for" + because, ""
	case f != "" && (err == nil || f == p.scenario.Faults[0]): // after the first, a failure keeps others from happening
		return fmt.Sprintf("the fault %s did not happen%s", short(f), because), ""
	case err == nil:
		return "", ""
	}
	return p.unmet(because), ""
}

// endedInput reports whether an answer of the SDK is missing because it sends one prompt and closes
// the input before it is asked, as it may if it has no callbacks. It is called with the lock of the
// board.
func (p *play) endedInput(op any) bool {
	w, ok := op.(wire)
	if !ok || !w.fromSDK || !strings.Contains(w.pattern.String(), `"control_response"`) || !p.subject.Spawn && slices.Contains(p.subject.Features, "session") {
		return false
	}
	if slices.ContainsFunc(p.sent, func(c driver.Command) bool { return c.Options != nil && c.Options.Calls() }) {
		return false
	}
	closed := slices.IndexFunc(p.board.lines, func(e logged) bool { return e.Dir == journal.EOF })
	return closed >= 0 && slices.ContainsFunc(p.board.lines[closed:], func(e logged) bool {
		return e.Dir == journal.ToSDK && lineOf(&e).Type == "control_request"
	})
}

// missing returns the first fault that has not happened, "" if there is none. It is called with the
// lock of the board.
func (p *play) missing() string {
	for _, f := range p.scenario.Faults {
		if !slices.ContainsFunc(p.board.lines, func(e logged) bool { return e.Dir == journal.Fault && e.Line == f }) {
			return f
		}
	}
	return ""
}

// unmet says which step that the scenario supposes did not happen, from the one that failed on.
func (p *play) unmet(because string) string {
	vars := maps.Clone(p.vars)
	for _, step := range p.scenario.Steps[p.at:] {
		if step.Given && !(p.subject.Spawn && step.ofDriver()) && !p.happened(&step, vars) {
			return fmt.Sprintf("it supposes %s, which did not happen%s", short(step.Source), because)
		}
	}
	return ""
}

// happened reports whether a step that waits for something would have found it.
func (p *play) happened(step *Step, vars scenario.Vars) bool {
	line := func(match func(e *logged) bool) bool {
		return slices.ContainsFunc(p.board.lines, func(e logged) bool { return match(&e) })
	}
	switch op := step.op.(type) {
	case wire:
		return line(func(e *logged) bool { return e.Dir == op.dir() && op.pattern.Match([]byte(e.Line), vars) == nil })
	case api:
		return slices.ContainsFunc(p.board.reports, func(r reported) bool { return op.pattern.Match(r.text, vars) == nil })
	case header:
		return line(func(e *logged) bool {
			text, _ := json.Marshal(&e.Entry) // it was JSON
			return e.Dir == journal.Header && op.pattern.Match(text, vars) == nil
		})
	case faults:
		return p.missing() == ""
	case eof:
		return line(func(e *logged) bool { return e.Dir == journal.EOF })
	case exit:
		return line(func(e *logged) bool { return e.Dir == journal.Exit && (op.any || e.Code != nil && *e.Code == op.code) })
	}
	return true
}

// refused reports whether a command ended with an error: some SDKs start a CLI later than they
// refuse what it would be asked for.
func (p *play) refused() bool {
	return slices.ContainsFunc(p.board.reports, func(r reported) bool {
		return r.Report.Report == driver.Error && r.ID > 0 && r.ID <= len(p.sent)
	})
}

// short cuts a text to what a sentence can bear.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 120 {
		return text[:120] + "…"
	}
	return text
}
