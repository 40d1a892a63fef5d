package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// Output is what a hook answers.
type Output struct {
	Async         bool
	Stop          bool // continue is false
	StopReason    string
	SystemMessage string
	Decision      string // "approve", "block" or ""
	Reason        string
	Bare          string        // the reason of a command as it wrote it
	Failed        bool          // a command has ended with an error that stops nothing
	Specific      object.Object // hookSpecificOutput
}

// Errors of [ReadOutput].
var (
	ErrOutput = errors.New("not an output of a hook")
	ErrEvent  = errors.New("the output is for another event")
)

// EventError is an output that is for another event. It is an [ErrEvent].
type EventError struct {
	Event  string // that was called
	Output object.Object
}

func (e *EventError) Error() string {
	var shown bytes.Buffer
	_ = json.Indent(&shown, object.Append(nil, e.Output), "", "  ") // it was JSON
	return fmt.Sprintf("The hook's output is for the event '%s' but the event is '%s'. It was: %s", e.Output.Object("hookSpecificOutput").Text("hookEventName"), e.Event, &shown)
}

func (e *EventError) Unwrap() error { return ErrEvent }

// ReadOutput reads the answer of a hook to an event. Members that are not known are ignored.
func ReadOutput(event string, v any) (Output, error) {
	o, ok := v.(object.Object)
	if !ok {
		return Output{}, ErrOutput
	}
	for name, is := range map[string]func(any) bool{
		"continue": isBool, "suppressOutput": isBool, "async": isBool, "stopReason": isText, "systemMessage": isText, "reason": isText,
		"decision":           func(v any) bool { return v == "approve" || v == "block" },
		"hookSpecificOutput": func(v any) bool { _, ok := v.(object.Object); return ok },
	} {
		if value, ok := o.Lookup(name); ok && !is(value) {
			return Output{}, fmt.Errorf("%w: %s", ErrOutput, name)
		}
	}
	out := Output{
		Async: o.Bool("async"), Stop: o.Get("continue") == false, StopReason: o.Text("stopReason"), SystemMessage: o.Text("systemMessage"),
		Decision: o.Text("decision"), Reason: o.Text("reason"), Specific: o.Object("hookSpecificOutput"),
	}
	if out.Async || out.Specific == nil {
		return out, nil
	}
	if !slices.Contains(Events, out.Specific.Text("hookEventName")) || !validSpecific(out.Specific) {
		return Output{}, fmt.Errorf("%w: hookSpecificOutput", ErrOutput)
	}
	if out.Specific.Text("hookEventName") != event {
		return Output{}, &EventError{event, o}
	}
	return out, nil
}

func isBool(v any) bool { _, ok := v.(bool); return ok }
func isText(v any) bool { _, ok := v.(string); return ok }

func validSpecific(o object.Object) bool {
	one := func(member string, list ...any) bool { return !o.Has(member) || slices.Contains(list, o.Get(member)) }
	text := func(member string) bool { return !o.Has(member) || isText(o.Get(member)) }
	isObject := func(member string) bool { return !o.Has(member) || o.Object(member) != nil }
	switch o.Text("hookEventName") {
	case "PreToolUse":
		return one("permissionDecision", "allow", "deny", "ask", "defer") && text("permissionDecisionReason") && text("additionalContext") && isObject("updatedInput")
	case "PermissionRequest":
		d := o.Object("decision")
		return d != nil && (d.Text("behavior") == "allow" && (!d.Has("updatedInput") || d.Object("updatedInput") != nil) || d.Text("behavior") == "deny")
	case "Elicitation", "ElicitationResult":
		return one("action", "accept", "decline", "cancel")
	}
	return text("additionalContext")
}
