package fakeapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Match says which requests a turn answers. All members that are set must hold.
type Match struct {
	// Text is a part of the last user text. System reminders are left out of that text, unless it
	// has nothing else.
	Text string `json:"text,omitempty"`
	// Pattern is a regular expression (RE2) that fits in the same text. Its groups can be used in
	// the answer.
	Pattern string `json:"pattern,omitempty"`
	// Prompt is a part of the conversation's first user text, so it holds for all requests of one
	// subagent.
	Prompt string `json:"prompt,omitempty"`
	// Told is a part of anything the model is told: the system prompt, system reminders and tool
	// results too.
	Told string `json:"told,omitempty"`

	// ToolResult is the tool use id, or the name of the tool, of a result in the last user message.
	// The three members after it are about the same result, or without ToolResult about any.
	ToolResult string `json:"tool_result,omitempty"`
	// Input is what the input of the tool has, see [CheckInput].
	Input json.RawMessage `json:"input,omitempty"`
	// Result is a part of the result's text.
	Result string `json:"result,omitempty"`
	// IsError says whether the tool has failed.
	IsError *bool `json:"is_error,omitempty"`

	// Model is a part of the requested model's name.
	Model string `json:"model,omitempty"`
	// From is where the request comes from.
	From Source `json:"from,omitempty"`
	// Nth is which of the requests that fit is answered, from 1; 0 means any.
	Nth int `json:"nth,omitempty"`
}

func (m *Match) validate() error {
	if m == nil {
		return nil
	}
	switch m.From {
	case "", Main, Subagent, Helper:
	default:
		return fmt.Errorf("match from %q; use %q, %q or %q", m.From, Main, Subagent, Helper)
	}
	if m.Nth < 0 {
		return fmt.Errorf("match nth %d; the first is 1", m.Nth)
	}
	if _, err := regexp.Compile(m.Pattern); err != nil {
		return fmt.Errorf("match pattern: %w", err)
	}
	if err := CheckInput(m.Input); err != nil {
		return fmt.Errorf("match input: %w", err)
	}
	return nil
}

// fitting is what a request that fits has told: what answers can repeat.
type fitting struct {
	names, groups []string    // of the pattern
	result        *callBlock  // the tool result that fits; nil for none
	use           callToolUse // its tool use
}

// fits reports whether a request fits, but for Nth. re is the compiled pattern.
func (m *Match) fits(c *call, from Source, re *regexp.Regexp) (f fitting, ok bool) {
	last := c.lastUser().matchText()
	if m.From != "" && m.From != from || !strings.Contains(c.Model, m.Model) || !strings.Contains(last, m.Text) ||
		!strings.Contains(c.firstUser().matchText(), m.Prompt) || m.Told != "" && !c.tells(m.Told) {
		return f, false
	}
	if m.Pattern != "" {
		if f.groups = re.FindStringSubmatch(last); f.groups == nil {
			return f, false
		}
		f.names = re.SubexpNames()
	}
	f.result = c.findResult(m)
	if f.result != nil {
		f.use = c.uses[f.result.ToolUseID]
	}
	return f, f.result != nil || !m.aboutResult()
}

// aboutResult reports whether only requests with a tool result fit.
func (m *Match) aboutResult() bool {
	return m.ToolResult != "" || m.Input != nil || m.Result != "" || m.IsError != nil
}

// findResult returns the last tool result of the last user message that fits, nil if there is none.
func (c *call) findResult(m *Match) (found *callBlock) {
	last := c.lastUser()
	for i := range last {
		b := &last[i]
		use := c.uses[b.ToolUseID]
		if b.Type == "tool_result" && (m.ToolResult == "" || m.ToolResult == b.ToolUseID || m.ToolResult == use.name) &&
			InputFits(m.Input, use.input) && strings.Contains(b.Content.text, m.Result) && (m.IsError == nil || *m.IsError == b.IsError) {
			found = b
		}
	}
	return found
}

// tells reports whether the model is told a text anywhere in the call.
func (c *call) tells(text string) bool {
	if strings.Contains(c.System.text, text) {
		return true
	}
	for _, m := range c.Messages {
		for _, b := range m.Content {
			if m.Role != "assistant" && (strings.Contains(b.Text, text) || strings.Contains(b.Content.text, text)) {
				return true
			}
		}
	}
	return false
}

// CheckInput reports whether want is an object that [InputFits] can compare with the input of a
// tool; nil is one. Members that it has must be equal in the input, objects in it are compared in
// the same way, and {"pattern": "^git "} stands for a text in which the regular expression fits.
func CheckInput(want json.RawMessage) error {
	if want == nil {
		return nil
	}
	var o map[string]any
	if err := json.Unmarshal(want, &o); err != nil || o == nil {
		return errors.New("is not an object")
	}
	return checkPatterns(o)
}

func checkPatterns(v any) error {
	switch v := v.(type) {
	case map[string]any:
		if p, ok := pattern(v); ok {
			_, err := regexp.Compile(p)
			return err
		}
		for _, member := range v {
			if err := checkPatterns(member); err != nil {
				return err
			}
		}
	case []any:
		for _, element := range v {
			if err := checkPatterns(element); err != nil {
				return err
			}
		}
	}
	return nil
}

// pattern returns the regular expression that an object stands for.
func pattern(o map[string]any) (string, bool) {
	p, ok := o["pattern"].(string)
	return p, ok && len(o) == 1
}

// InputFits reports whether the input of a tool has what is wanted, which was checked.
func InputFits(want, input json.RawMessage) bool {
	if want == nil {
		return true
	}
	var w, v any
	return json.Unmarshal(want, &w) == nil && json.Unmarshal(input, &v) == nil && valueFits(w, v)
}

func valueFits(want, v any) bool {
	switch want := want.(type) {
	case map[string]any:
		if text, isText := v.(string); isText {
			p, ok := pattern(want)
			return ok && regexp.MustCompile(p).MatchString(text)
		}
		o, ok := v.(map[string]any)
		for name, member := range want {
			value, has := o[name]
			ok = ok && has && valueFits(member, value)
		}
		return ok
	case []any:
		list, ok := v.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i := range want {
			if !valueFits(want[i], list[i]) {
				return false
			}
		}
		return true
	}
	return want == v
}
