package hooks

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/ccwire/ccwire/internal/object"
)

// Verdict is what all answers to an event say together.
type Verdict struct {
	// Decision is "deny", "defer", "ask", "allow" or "": the strictest counts.
	Decision string
	Reason   string
	// Said is the reason of a "deny" as the hook wrote it; "" if it wrote none, or is a command, of
	// which Bare is what it wrote.
	Said, Bare string
	// Blocks are the reasons of all hooks that block.
	Blocks []string
	// Input replaces the input of the tool; nil to leave it.
	Input object.Object
	// Answer is the decision of a PermissionRequest hook, nil for none.
	Answer object.Object
	// Specific is the last hookSpecificOutput, nil for none.
	Specific object.Object

	Stop       bool // the turn ends
	StopReason string
	Contexts   []string // that the model is told
	Messages   []string // that the user is told
	Watch      []string // files whose changes the hooks want to see

	Failures   []*Failure
	TimedOut   *Hook       // a callback that did not answer
	Late       bool        // a command did not end in its time
	Failed     bool        // a command has ended with an error that stops nothing
	Unexpected *EventError // an output for another event; nil for none
	Closed     bool        // the SDK is gone
	Aborted    error       // the end of the context
}

// ranks are the decisions, the strictest last.
var ranks = map[string]int{"allow": 1, "ask": 2, "defer": 3, "deny": 4}

// Judge makes one verdict of the answers to an event about a name.
func Judge(event, name string, answers []Answer) (v Verdict) {
	for i := range answers {
		a := &answers[i]
		var failure *Failure
		switch {
		case a.Err == nil:
			v.take(event, name, a)
		case errors.As(a.Err, &failure):
			v.Failures = append(v.Failures, failure)
			if a.Hook.Block {
				reason := fmt.Sprintf("%s hook error: [%s]: failed; blocking because onFailure is \"block\"\n%s", title(event, name), a.Hook.name(), failure)
				v.decide("deny", reason)
				v.Blocks = append(v.Blocks, reason)
			}
		case errors.Is(a.Err, ErrTimeout) && a.Hook.Callback == "":
			v.Late = true
		case errors.Is(a.Err, ErrTimeout):
			v.TimedOut = a.Hook
		case errors.As(a.Err, &v.Unexpected):
		case errors.Is(a.Err, ErrClosed):
			v.Closed = true
		default:
			v.Aborted = a.Err
		}
	}
	return v
}

// title is what messages call an event about a name.
func title(event, name string) string {
	if name == "" {
		return event
	}
	return event + ":" + name
}

func (v *Verdict) decide(decision, reason string) {
	if ranks[decision] > ranks[v.Decision] {
		v.Decision, v.Reason = decision, reason
	}
}

// take adds the output of a hook.
func (v *Verdict) take(event, name string, a *Answer) {
	o := &a.Output
	if o.Async {
		return
	}
	v.Failed = v.Failed || o.Failed
	if o.Stop {
		v.Stop, v.StopReason = true, o.StopReason
	}
	if o.SystemMessage != "" {
		v.Messages = append(v.Messages, title(event, name)+" says: "+o.SystemMessage)
	}
	command := a.Hook.Callback == ""
	switch o.Decision {
	case "block":
		v.deny(event, name, o.Reason, command)
		v.Blocks = append(v.Blocks, cmp.Or(o.Reason, "Blocked by hook"))
		v.Bare = cmp.Or(v.Bare, o.Bare)
	case "approve":
		v.decide("allow", o.Reason)
	}
	s := o.Specific
	if s == nil {
		return
	}
	v.Specific = s
	if text := s.Text("additionalContext"); text != "" {
		v.Contexts = append(v.Contexts, text)
	}
	for _, path := range s.List("watchPaths") {
		if path, ok := path.(string); ok {
			v.Watch = append(v.Watch, path)
		}
	}
	switch d := s.Text("permissionDecision"); d {
	case "":
	case "deny":
		v.deny(event, name, s.Text("permissionDecisionReason"), false)
	default:
		v.decide(d, s.Text("permissionDecisionReason"))
	}
	if in := s.Object("updatedInput"); in != nil {
		v.Input = in
	}
	if d := s.Object("decision"); d != nil && (v.Answer == nil || d.Text("behavior") == "deny") {
		v.Answer = d
	}
}

// deny notes that a hook stops something.
func (v *Verdict) deny(event, name, reason string, command bool) {
	if ranks[v.Decision] >= ranks["deny"] {
		return
	}
	if !command {
		v.Said = reason
	}
	if event == "PreToolUse" {
		reason = title(event, name) + " hook error: " + cmp.Or(reason, "Blocked by hook")
	}
	v.decide("deny", reason)
}
