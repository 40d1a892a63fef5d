package laws

import (
	"encoding/json"
	"fmt"
	"strings"
)

// tool is a tool use.
type tool struct {
	line    int
	name    string
	parent  string
	results int
	closed  bool // a turn has ended without its result
}

// block is a block of a message.
type block struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	Name      string `json:"name"`
	ToolUseID string `json:"tool_use_id"`
	IsError   bool   `json:"is_error"`
	Text      string `json:"text"`
	Thinking  string `json:"thinking"`
}

// message checks the tool uses and results of an assistant or user line.
func (s *session) message(f *frame) {
	s.ofTurn(f)
	if f.Type == "user" && f.parent() == "" && !f.Replay {
		s.rounds++
	}
	var m struct {
		ID      string  `json:"id"`
		Content []block `json:"content"`
	}
	if json.Unmarshal(f.Message, &m) != nil {
		return // a text
	}
	for _, b := range m.Content {
		if f.Type == "assistant" {
			s.stream(f.parent()).made(s, m.ID, &b)
			if b.Type == "text" && f.parent() == "" {
				s.said = &b.Text
			}
		}
		switch {
		case f.Type == "assistant" && b.Type == "tool_use":
			if s.tools[b.ID] != nil {
				s.broken("one tool use for an id", "line %d has the tool use %q as well", s.tools[b.ID].line+1, b.ID)
				continue
			}
			s.tools[b.ID] = &tool{line: s.line, name: b.Name, parent: f.parent()}
		case f.Type == "user" && b.Type == "tool_result" && !f.Replay:
			s.toolResult(f, &b)
		}
	}
}

func (s *session) toolResult(f *frame, b *block) {
	name := b.ToolUseID
	t := s.tools[name]
	switch {
	case t == nil:
		s.broken("one tool use for a result", "there is no tool use %q", name)
		return
	case t.results > 0:
		s.broken("one result for a tool use", "the tool use %q has one", name)
	case t.parent != f.parent():
		s.broken("a result is where its tool use is", "the tool use %q has the parent %q, its result %q", name, t.parent, f.parent())
	}
	t.results++
	if !b.IsError {
		s.state.ran(s, t)
	}
}

// says checks that the result of a turn is what the model said last.
func (s *session) says(line []byte) {
	var r struct {
		Subtype string          `json:"subtype"`
		Reason  string          `json:"terminal_reason"`
		IsError bool            `json:"is_error"`
		Result  string          `json:"result"`
		Output  json.RawMessage `json:"structured_output"`
		Turns   *int            `json:"num_turns"`
	}
	known := json.Unmarshal(line, &r) == nil
	if known && r.Reason == "completed" && r.Turns != nil && *r.Turns != s.rounds {
		s.broken("turns are counted", "num_turns is %d, there were %d", *r.Turns, s.rounds)
	}
	completed := known && r.Subtype == "success" && r.Reason == "completed" && !r.IsError && r.Output == nil
	if completed && s.said != nil && r.Result != "" && r.Result != *s.said {
		s.broken("the result is what was said last", "it is %s, the last text %s", cut(r.Result), cut(*s.said))
	}
	s.said = nil
}

// cut quotes the start of a text, and says how long it is.
func cut(text string) string {
	const limit = 60
	if len(text) <= limit {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("%q… (%d bytes)", strings.ToValidUTF8(text[:limit], ""), len(text))
}
