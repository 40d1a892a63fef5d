package laws

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
)

// state is what a session has said of its mode, its tools, its commands and its time.
type state struct {
	modes   map[string]string // those that the SDK asks for, by the id of the request
	mode    string            // that was set last; "" if something else may have changed it since
	tools   []string          // of the last init that are built in; nil if they may have changed since
	listed  []string          // tools of the last init, all of them
	names   []string          // of the commands that were listed since the handshake; nil after the first init
	changed bool              // something may have changed tools or commands since the handshake

	first, last time.Time
}

// quiet are the requests that change nothing.
var quiet = []string{
	"initialize", "interrupt", "mcp_status", "set_permission_mode", "get_context_usage", "get_usage", "get_settings",
}

// told notices what the SDK asks for.
func (t *state) told(l *recording.Line) {
	switch {
	case l.Asks == "set_permission_mode":
		var r struct {
			ID      string `json:"request_id"`
			Request struct {
				Mode string `json:"mode"`
			} `json:"request"`
		}
		if json.Unmarshal(l.Text, &r) == nil {
			t.modes[r.ID] = r.Request.Mode
		}
		t.tools = nil
	case l.Asks != "" && !slices.Contains(quiet, l.Asks), bytes.Contains(l.Text, []byte(`"updatedPermissions"`)),
		bytes.Contains(l.Text, []byte(`"content":"/`)), bytes.Contains(l.Text, []byte(`"text":"/`)):
		t.mode, t.tools, t.changed = "", nil, true
	}
}

// take checks a line of the CLI, and notices what it says.
func (t *state) take(s *session, f *frame, l *recording.Line) {
	t.inTime(s, f, l.Text)
	switch {
	case l.Answers == "set_permission_mode":
		var r struct {
			Response struct {
				ID string `json:"request_id"`
			} `json:"response"`
		}
		if json.Unmarshal(l.Text, &r) == nil {
			t.mode = t.modes[r.Response.ID]
		}
	case l.Answers == "initialize":
		t.changed = false
		t.commands(l.Body)
	case f.Type == "conversation_reset":
		t.mode, t.tools = "", nil
	case f.Type == "system" && f.Subtype == "init":
		t.init(s, l.Text)
	case f.Type == "system" && f.Subtype == "commands_changed" && t.names != nil:
		t.commands(l.Text) // before the first turn
	case f.Type == "system":
		var m struct {
			Mode string `json:"permissionMode"`
		}
		if json.Unmarshal(l.Text, &m) != nil || m.Mode != "" && m.Mode != t.mode {
			t.mode = "" // it has another since
		}
	case f.Type == "assistant" && (bytes.Contains(l.Text, []byte("settings")) || bytes.Contains(l.Text, []byte("PlanMode"))):
		t.mode, t.tools, t.changed = "", nil, true
	}
}

// commands takes note of commands that the CLI lists.
func (t *state) commands(body json.RawMessage) {
	var r struct {
		Commands []struct {
			Name string `json:"name"`
		} `json:"commands"`
	}
	if json.Unmarshal(body, &r) != nil {
		return
	}
	for _, c := range r.Commands {
		t.names = append(t.names, c.Name)
	}
}

// init checks the line that begins a turn.
func (t *state) init(s *session, line []byte) {
	var f struct {
		Mode     string   `json:"permissionMode"`
		Tools    []string `json:"tools"`
		Commands []string `json:"slash_commands"`
	}
	if json.Unmarshal(line, &f) != nil {
		return // the schemas are not kept
	}
	if t.mode != "" && f.Mode != t.mode {
		s.broken("the mode is that which was set", "it is %q, the SDK has set %q", f.Mode, t.mode)
	}
	t.mode = ""
	t.listed = f.Tools
	builtIn := slices.DeleteFunc(slices.Clone(f.Tools), fromServer)
	for _, name := range t.tools {
		if !slices.Contains(builtIn, name) {
			s.broken("tools stay", "%s was there in the turn before", name)
		}
	}
	for _, name := range builtIn {
		if t.tools != nil && !slices.Contains(t.tools, name) {
			s.broken("tools stay", "%s was not there in the turn before", name)
		}
	}
	t.tools = builtIn
	for _, name := range f.Commands {
		if t.names != nil && !t.changed && !fromServer(name) && !slices.Contains(t.names, name) {
			s.broken("commands are those of the handshake", "%q was not there", name)
		}
	}
	t.names = nil
}

// aliases are tools that have another name in their uses than in the list.
var aliases = map[string]string{"Agent": "Task", "Task": "Agent"}

// ran checks a tool that has run: init has told the SDK of it. A list of one is that of a recording
// which keeps a part.
func (t *state) ran(s *session, use *tool) {
	if len(t.listed) < 2 || use.parent != "" || fromServer(use.name) || slices.Contains(t.listed, use.name) || slices.Contains(t.listed, aliases[use.name]) {
		return
	}
	s.broken("a tool that runs was listed", "%s was not among the tools of the turn", use.name)
}

// fromServer reports whether a tool or a command is one of an MCP server, which may come later.
func fromServer(name string) bool { return strings.HasPrefix(name, "mcp__") }

// aDay is longer than any session that a scenario plays.
const aDay = 24 * time.Hour

// inTime checks that a timestamp is near to the others.
func (t *state) inTime(s *session, f *frame, line []byte) {
	var l struct {
		Time string `json:"timestamp"`
	}
	if f.Replay || json.Unmarshal(line, &l) != nil {
		return
	}
	at, err := time.Parse(time.RFC3339, l.Time)
	if err != nil {
		return
	}
	if t.first.IsZero() || at.Before(t.first) {
		t.first = at
	}
	if at.After(t.last) {
		t.last = at
	}
	if t.last.Sub(t.first) > aDay {
		s.broken("timestamps lie inside the session", "%s is more than a day from others", l.Time)
		t.first, t.last = time.Time{}, time.Time{}
	}
}
