package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/place"
)

// Result is the result of a tool.
type Result struct {
	// Input is what the tool's input must have, see [fakeapi.CheckInput]; nil means anything.
	Input json.RawMessage `json:"input,omitempty"`
	// Times is how many uses of the tool have the result; 0 means all.
	Times int `json:"times,omitempty"`

	// Acts says that the tool acts as well, as it does without a result: what it gives back is not
	// told.
	Acts bool `json:"acts,omitempty"`

	// In Text, Content and Result, {{input}}, {{input.MEMBER}} and {{tool}} stand for what is used.
	Text    string          `json:"text,omitempty"`
	Content json.RawMessage `json:"content,omitempty"` // blocks, in place of Text
	IsError bool            `json:"is_error,omitempty"`
	// Result is the member tool_use_result of the line, Text if it is not set.
	Result json.RawMessage `json:"tool_use_result,omitempty"`
}

// Results are the results of one tool: the first that fits counts. In JSON, one may stand without
// its list.
type Results []Result

// UnmarshalJSON reads a result or a list of them.
func (r *Results) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("[")) {
		return place.Members(data, (*[]Result)(r))
	}
	*r = make(Results, 1)
	return place.Members(data, &(*r)[0])
}

// resultNames are what placeholders can stand for in a result.
var resultNames = append([]string{"input", "tool"}, fakeapi.PlaceNames...)

// check refuses what cannot be a result.
func (r Results) check(fills bool) error {
	for i, one := range r {
		err := one.check(fills)
		if err != nil && len(r) > 1 {
			return fmt.Errorf("result %d: %w", i+1, err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (r *Result) check(fills bool) error {
	switch {
	case r.Text != "" && r.Content != nil:
		return errors.New("has both text and content; use one")
	case r.Times < 0:
		return fmt.Errorf("times %d is negative", r.Times)
	}
	if err := fakeapi.CheckInput(r.Input); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	if !fills {
		return nil
	}
	for _, text := range []string{r.Text, string(r.Content), string(r.Result)} {
		if err := fakeapi.CheckNames(text, resultNames); err != nil {
			return err
		}
	}
	return nil
}

// HasResult reports whether the script has a result for a use of a tool.
func (m *Model) HasResult(tool string, input json.RawMessage) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.findLocked(tool, input) >= 0
}

// HasTool reports whether the script has results for a tool, whatever its input is.
func (m *Model) HasTool(tool string) bool { return len(m.script.Tools[tool]) > 0 }

// Result returns the script's result for a use of a tool, and reports whether there is one.
func (m *Model) Result(tool string, input json.RawMessage) (Result, bool) {
	m.mu.Lock()
	i := m.findLocked(tool, input)
	if i >= 0 {
		m.used[use{tool, i}]++
	}
	m.mu.Unlock()
	if i < 0 {
		return Result{}, false
	}
	if m.Changed != nil {
		m.Changed()
	}
	r := m.script.Tools[tool][i]
	if m.script.Fills() {
		value := func(name string) (string, bool) {
			if name == "tool" {
				return tool, true
			}
			return fakeapi.InputValue(input, name)
		}
		r.Text, r.Content, r.Result = fakeapi.Fill(r.Text, value), fakeapi.FillJSON(r.Content, value), fakeapi.FillJSON(r.Result, value)
	}
	return r, true
}

// use names a result: the tool, and the place in its list.
type use struct {
	tool  string
	place int
}

// findLocked returns the place of the result for a use of a tool, -1 if there is none.
func (m *Model) findLocked(tool string, input json.RawMessage) int {
	for i, r := range m.script.Tools[tool] {
		if (r.Times == 0 || m.used[use{tool, i}] < r.Times) && fakeapi.InputFits(r.Input, input) {
			return i
		}
	}
	return -1
}
