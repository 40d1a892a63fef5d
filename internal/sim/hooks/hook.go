package hooks

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// Events are the events that have hooks.
var Events = []string{
	"PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionDenied", "PermissionRequest", "Notification",
	"UserPromptSubmit", "UserPromptExpansion", "SessionStart", "SessionEnd", "Setup", "Stop", "StopFailure", "SubagentStart", "SubagentStop",
	"PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch", "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation",
	"ElicitationResult", "ConfigChange", "InstructionsLoaded", "WorktreeCreate", "WorktreeRemove", "CwdChanged", "FileChanged",
	"DirectoryAdded", "MessageDisplay",
}

// Hook is one hook.
type Hook struct {
	Event   string
	Matcher string // "" for everything
	// Callback is the id of an SDK's callback. If it is "", the hook is a Command.
	Callback string
	Command  string
	Timeout  time.Duration // 0 for that of the event
	Block    bool          // a failure counts as a block
	Plugin   string        // of a command: the plugin that it comes from
	Root     string        // the plugin's folder
	Foreign  bool          // the model cannot have written the command
}

// timeout is how long the hook may take.
func (h *Hook) timeout() time.Duration {
	switch {
	case h.Timeout > 0:
		return h.Timeout
	case h.Event == "UserPromptSubmit":
		return 30 * time.Second
	case h.Callback == "":
		return time.Minute
	}
	return 10 * time.Minute
}

// name is what messages call the hook.
func (h *Hook) name() string {
	if h.Callback != "" {
		return "callback"
	}
	return h.expanded()
}

func (h *Hook) expanded() string {
	return strings.ReplaceAll(h.Command, "${CLAUDE_PLUGIN_ROOT}", h.Root)
}

// ErrMatchers says that the hooks of an initialize request are not hooks.
var ErrMatchers = errors.New("hooks must map hook events to arrays of matchers carrying hookCallbackIds arrays and string matchers")

// ReadInitialize reads the member hooks of an initialize request. Events that are not known are
// left out.
func ReadInitialize(v any) (list []Hook, err error) {
	if v == nil {
		return nil, nil
	}
	events, ok := v.(object.Object)
	if !ok {
		return nil, ErrMatchers
	}
	for _, m := range events {
		if m.Value == nil {
			continue
		}
		matchers, ok := m.Value.([]any)
		if !ok {
			return nil, ErrMatchers
		}
		for _, v := range matchers {
			hooks, ok := readMatcher(m.Name, v)
			if !ok {
				return nil, ErrMatchers
			}
			list = append(list, hooks...)
		}
	}
	return list, nil
}

func readMatcher(event string, v any) (list []Hook, ok bool) {
	o, ok := v.(object.Object)
	if !ok {
		return nil, false
	}
	ids, ok := o.Get("hookCallbackIds").([]any)
	if _, isText := o.Get("matcher").(string); !ok || !isText && o.Get("matcher") != nil {
		return nil, false
	}
	for _, id := range ids {
		text, ok := id.(string)
		if !ok {
			return nil, false
		}
		if slices.Contains(Events, event) {
			list = append(list, Hook{Event: event, Matcher: o.Text("matcher"), Callback: text, Timeout: seconds(o), Block: o.Text("onFailure") == "block"})
		}
	}
	return list, true
}

func seconds(o object.Object) time.Duration {
	n, _ := o.Number("timeout")
	return time.Duration(min(max(n, 0), 1e6) * float64(time.Second))
}

// ReadSettings reads the member hooks of a settings file, or of the hooks.json of a plugin. What is
// not a hook is left out.
func ReadSettings(hooks object.Object) (list []Hook) {
	for _, m := range hooks {
		matchers, _ := m.Value.([]any)
		if !slices.Contains(Events, m.Name) {
			continue
		}
		for _, v := range matchers {
			matcher, _ := v.(object.Object)
			for _, h := range matcher.List("hooks") {
				o, _ := h.(object.Object)
				if o.Text("type") == "command" && o.Text("command") != "" {
					list = append(list, Hook{Event: m.Name, Matcher: matcher.Text("matcher"), Command: o.Text("command"), Timeout: seconds(o)})
				}
			}
		}
	}
	return list
}

// Match returns the hooks that an event calls. Name is what matchers are about: the tool, the
// source, the trigger.
func Match(list []Hook, event, name string) (out []Hook) {
	for _, h := range list {
		if h.Event == event && (fits(h.Matcher, name) || fits(h.Matcher, OwnName(name))) {
			out = append(out, h)
		}
	}
	return out
}

// OwnName is what the CLI itself calls a tool that the model may call otherwise: so hooks know it.
func OwnName(tool string) string {
	if tool == "Task" {
		return "Agent"
	}
	return tool
}

var words = regexp.MustCompile(`^[A-Za-z0-9_|, ]+$`)

// fits reports whether a matcher fits a name: words are compared as a whole, anything else is an
// expression.
func fits(matcher, name string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if words.MatchString(matcher) {
		return slices.ContainsFunc(strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' }),
			func(word string) bool { return strings.TrimSpace(word) == name })
	}
	expression, err := regexp.Compile(matcher)
	return err == nil && expression.MatchString(name)
}
