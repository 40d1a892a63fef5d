package laws

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ccwire/ccwire/internal/recording"
)

// Broken is a law that a line breaks.
type Broken struct {
	Law  string `json:"law"`  // its name
	Line int    `json:"line"` // the index of the line, among those of both sides
	Why  string `json:"why"`
}

func (b *Broken) Error() string {
	return fmt.Sprintf("line %d breaks the law %q: %s", b.Line+1, b.Law, b.Why)
}

// Check returns the laws that the session breaks, in the order of its lines. A session that was cut
// short breaks none by that.
func Check(lines []recording.Line) []Broken {
	s := session{
		uuids: map[string]int{}, tools: map[string]*tool{}, streams: map[string]*stream{}, asked: map[string]bool{},
		asks: map[string]bool{}, state: state{modes: map[string]string{}},
	}
	for i := range lines {
		s.line = i
		l := &lines[i]
		if l.Dir != recording.ToSDK {
			s.state.told(l)
			continue
		}
		if bytes.ContainsRune(l.Text, '\r') {
			s.broken("framing", "it holds a carriage return")
		}
		var f frame
		if err := json.Unmarshal(l.Text, &f); err != nil {
			s.broken("framing", "it is not a JSON object of the protocol: %v", err)
			continue
		}
		s.take(&f, l.Text)
		s.state.take(&s, &f, l)
		s.accounts.take(&s, &f, l.Text)
	}
	return s.found
}

// frame is what the laws look at.
type frame struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	Session   string          `json:"session_id"`
	UUID      string          `json:"uuid"`
	Parent    *string         `json:"parent_tool_use_id"`
	Replay    bool            `json:"isReplay"`
	RequestID string          `json:"request_id"`
	Message   json.RawMessage `json:"message"`
	Event     json.RawMessage `json:"event"`
	Request   struct {
		Input struct {
			Event   string `json:"hook_event_name"`
			Session string `json:"session_id"`
		} `json:"input"`
		ToolUseID string `json:"tool_use_id"`
	} `json:"request"`
	Deferred struct {
		ID string `json:"id"`
	} `json:"deferred_tool_use"`
	Denials []struct {
		ID string `json:"tool_use_id"`
	} `json:"permission_denials"`
}

// parent is the tool use in whose subagent the line is, "" for the main agent.
func (f *frame) parent() string {
	if f.Parent == nil {
		return ""
	}
	return *f.Parent
}

// session is what is known of a session so far.
type session struct {
	line  int
	found []Broken

	id      string
	reset   bool           // the conversation was cleared, and no line has its new id yet
	uuids   map[string]int // by the line that has it
	tools   map[string]*tool
	streams map[string]*stream // by the tool use in whose subagent they are
	asked   map[string]bool    // by the id of the request
	asks    map[string]bool    // by the tool use: those of a nested subagent have no line of their own
	ended   bool               // the turn has its result
	rounds  int                // of the turn with the model: its prompt, and what the model is told
	said    *string            // the last text of the main agent in the turn, nil if there is none

	state    state
	accounts accounts
}

func (s *session) broken(law, format string, args ...any) {
	s.found = append(s.found, Broken{law, s.line, fmt.Sprintf(format, args...)})
}

func (s *session) take(f *frame, line []byte) {
	s.identity(f)
	switch f.Type {
	case "control_request":
		if s.asked[f.RequestID] {
			s.broken("one request for an id", "the CLI has given out %q before", f.RequestID)
		}
		s.asked[f.RequestID] = true
		s.asks[f.Request.ToolUseID] = true
	case "system":
		if f.Subtype == "init" {
			s.ended, s.said, s.rounds = false, nil, 1
		}
	case "assistant", "user":
		s.message(f)
	case "stream_event":
		s.ofTurn(f)
		var e event
		if err := json.Unmarshal(f.Event, &e); err != nil {
			s.broken("the grammar of stream events", "its event is none: %v", err)
			return
		}
		s.stream(f.parent()).next(s, &e)
	case "result":
		s.result(f)
		s.says(line)
	}
}

// identity checks the ids of a line. Init begins a session, and so does a cleared conversation,
// whose hook is the first to name it, or else the first line after its reset with another id.
func (s *session) identity(f *frame) {
	name := f.Session
	if name == "" {
		name = f.Request.Input.Session
	}
	begins := f.Type == "system" && f.Subtype == "init" || f.Request.Input.Event == "SessionStart"
	switch {
	case name == "":
	case s.id == "" || begins || s.reset && name != s.id:
		s.id, s.reset = name, false
	case name != s.id:
		s.broken("one session id", "it has %q, the session is %q", name, s.id)
	}
	s.reset = s.reset || f.Type == "conversation_reset"
	if f.UUID == "" || f.Replay { // the SDK has given out the uuid of what is replayed
		return
	}
	if first, ok := s.uuids[f.UUID]; ok {
		s.broken("one line for a uuid", "line %d has the uuid %s as well", first+1, f.UUID)
		return
	}
	s.uuids[f.UUID] = s.line
}

// ofTurn checks a line that belongs to a turn of the main agent.
func (s *session) ofTurn(f *frame) {
	if s.ended && f.parent() == "" && !f.Replay {
		s.broken("nothing of a turn after its result", "the turn has its result")
	}
}

func (s *session) result(f *frame) {
	if s.ended {
		s.broken("one result for a turn", "the turn has its result")
	}
	s.ended = true
	for name, t := range s.tools {
		if t.parent != "" || t.results > 0 || name == f.Deferred.ID || t.closed {
			continue
		}
		t.closed = true
		if f.Subtype != "error_max_budget_usd" { // with which a tool is not run
			s.broken("one result for a tool use", "the tool use %q of line %d has none", name, t.line+1)
		}
	}
	for _, d := range f.Denials {
		if s.tools[d.ID] == nil && !s.asks[d.ID] {
			s.broken("denials are those of tool uses", "there is no tool use %q", d.ID)
		}
	}
}
