package broken

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/replay"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// breakages are the ways to break a recording, by name. A breakage that finds nothing to break
// returns its argument.
var breakages = map[string]func([]recording.Entry) []recording.Entry{
	"wrong-id":                 wrongID,
	"missing-id":               missingID,
	"reply-twice":              replyTwice,
	"invalid-json":             invalidJSON,
	"stdout-noise":             stdoutNoise,
	"hook-not-called":          hookNotCalled,
	"permission-after-the-act": permissionAfterTheAct,
	"hang":                     hang,
	"exit-mid-turn":            exitMidTurn,
}

// broken returns a CLI that plays recordings that are broken in the named way.
func broken(t *replay.Target, name string) suite.Target {
	return t.Changed(func(_ *scenario.Scenario, entries []recording.Entry) []recording.Entry {
		return breakages[name](slices.Clone(entries))
	})
}

// line is what the breakages look at.
type line struct {
	Type      string          `json:"type"`
	RequestID json.RawMessage `json:"request_id"`
	Request   struct {
		Subtype string `json:"subtype"`
	} `json:"request"`
	Response struct {
		RequestID json.RawMessage `json:"request_id"`
	} `json:"response"`
}

// find returns the index of the first line of the CLI for which is holds, -1 if there is none.
func find(entries []recording.Entry, is func(*line, string) bool) int {
	return slices.IndexFunc(entries, func(e recording.Entry) bool {
		var l line
		return e.Dir == recording.ToSDK && json.Unmarshal([]byte(e.Line), &l) == nil && is(&l, e.Line)
	})
}

func isReply(l *line, _ string) bool     { return l.Type == "control_response" }
func isAssistant(l *line, _ string) bool { return l.Type == "assistant" }
func isAsk(l *line, _ string) bool {
	return l.Type == "control_request" && l.Request.Subtype == "can_use_tool"
}
func isHook(l *line, _ string) bool {
	return l.Type == "control_request" && l.Request.Subtype == "hook_callback"
}
func isToolResult(l *line, text string) bool {
	return l.Type == "user" && strings.Contains(text, `"tool_result"`)
}

// replyID returns the text of the member request_id in a reply.
func replyID(text string) string {
	var l line
	if json.Unmarshal([]byte(text), &l) != nil {
		return ""
	}
	return `"request_id":` + string(l.Response.RequestID)
}

func wrongID(entries []recording.Entry) []recording.Entry {
	if i := find(entries, isReply); i >= 0 {
		e := &entries[i]
		e.Line = strings.Replace(e.Line, replyID(e.Line), `"request_id":"someone-elses"`, 1)
	}
	return entries
}

func missingID(entries []recording.Entry) []recording.Entry {
	if i := find(entries, isReply); i >= 0 {
		e := &entries[i]
		e.Line = strings.Replace(strings.Replace(e.Line, replyID(e.Line)+",", "", 1), ","+replyID(e.Line), "", 1)
	}
	return entries
}

func replyTwice(entries []recording.Entry) []recording.Entry {
	if i := find(entries, isReply); i >= 0 {
		return slices.Insert(entries, i+1, entries[i])
	}
	return entries
}

func invalidJSON(entries []recording.Entry) []recording.Entry {
	if i := find(entries, isAssistant); i >= 0 {
		entries[i].Line = strings.TrimSuffix(entries[i].Line, "}")
	}
	return entries
}

func stdoutNoise(entries []recording.Entry) []recording.Entry {
	if i := find(entries, isAssistant); i >= 0 {
		return slices.Insert(entries, i, recording.Entry{Dir: recording.ToSDK, Line: "Debugger attached."})
	}
	return entries
}

// hookNotCalled leaves out the first call of a hook and what the SDK answered.
func hookNotCalled(entries []recording.Entry) []recording.Entry {
	i := find(entries, isHook)
	if i < 0 {
		return entries
	}
	var l line
	_ = json.Unmarshal([]byte(entries[i].Line), &l) // find has read it
	answers := func(e recording.Entry) bool {
		var a line
		return e.Dir == recording.ToCLI && json.Unmarshal([]byte(e.Line), &a) == nil &&
			a.Type == "control_response" && string(a.Response.RequestID) == string(l.RequestID)
	}
	entries = slices.Delete(entries, i, i+1)
	return slices.DeleteFunc(entries, answers)
}

// permissionAfterTheAct runs the tool first and asks then.
func permissionAfterTheAct(entries []recording.Entry) []recording.Entry {
	ask, act := find(entries, isAsk), find(entries, isToolResult)
	if ask < 0 || act < ask {
		return entries
	}
	e := entries[act]
	return slices.Insert(slices.Delete(entries, act, act+1), ask, e)
}

func hang(entries []recording.Entry) []recording.Entry {
	if i := find(entries, isAssistant); i >= 0 {
		return append(entries[:i], recording.Entry{Dir: replay.Hang})
	}
	return entries
}

func exitMidTurn(entries []recording.Entry) []recording.Entry {
	if i := find(entries, isAssistant); i >= 0 {
		code := 3
		return append(entries[:i], recording.Entry{Dir: recording.Exit, Code: &code})
	}
	return entries
}
