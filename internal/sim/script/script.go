package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ccwire/ccwire/conformance/fakeapi"
)

// Script is what the model says in one session.
type Script struct {
	fakeapi.Script
	// Default answers the main conversation when no turn is left; nil repeats the user's last text.
	Default *fakeapi.Turn `json:"default,omitempty"`
	// Tools are the results of tools that are not acted out, by name.
	Tools map[string]Result `json:"tools,omitempty"`
	// Faults are names of faults, NAME or NAME@WHERE.
	Faults []string `json:"faults,omitempty"`
	// ToolsAnywhere says that tools may leave the working directory.
	ToolsAnywhere bool `json:"tools_anywhere,omitempty"`
}

// Result is the result of a tool.
type Result struct {
	Text    string          `json:"text,omitempty"`
	Content json.RawMessage `json:"content,omitempty"` // blocks, in place of Text
	IsError bool            `json:"is_error,omitempty"`
	// Result is the member tool_use_result of the line, Text if it is not set.
	Result json.RawMessage `json:"tool_use_result,omitempty"`
}

// Error says where a script cannot be played.
type Error struct {
	Name         string // of the file
	Line, Column int    // from 1; 0 if the place is not known
	Err          error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.Name, e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Parse reads a script. Name is that of the file, for errors.
func Parse(name string, data []byte) (*Script, error) {
	fail := func(offset int64, err error) error {
		offset = min(max(offset, 0), int64(len(data)))
		before := data[:offset]
		return &Error{name, 1 + bytes.Count(before, []byte("\n")), int(offset) - bytes.LastIndexByte(before, '\n'), err}
	}
	var s Script
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			return nil, fail(syntax.Offset-1, err)
		case errors.As(err, &kind):
			return nil, fail(kind.Offset-1, err)
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil, fail(int64(len(data)), errors.New("the text ends before the script does"))
		}
		if member, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return nil, fail(int64(bytes.Index(data, []byte(member))), fmt.Errorf("unknown member %s", member))
		}
		return nil, &Error{Name: name, Err: err}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fail(d.InputOffset(), errors.New("more text after the script"))
	}
	if turn, err := s.firstBad(); err != nil {
		return nil, fail(turnOffset(data, turn), err)
	}
	if s.Default != nil {
		if err := (fakeapi.Script{Turns: []fakeapi.Turn{*s.Default}}).Validate(); err != nil {
			return nil, fail(int64(bytes.Index(data, []byte(`"default"`))), err)
		}
	}
	return &s, nil
}

// firstBad returns the first turn that cannot be played, and why.
func (s *Script) firstBad() (int, error) {
	err := s.Script.Validate()
	if err == nil {
		return 0, nil
	}
	for i := range s.Turns {
		if (fakeapi.Script{Turns: s.Turns[i : i+1]}).Validate() != nil {
			return i, err
		}
	}
	return 0, err
}

// turnOffset returns where a turn begins in the text of a script.
func turnOffset(data []byte, turn int) int64 {
	d := json.NewDecoder(bytes.NewReader(data))
	depth, n := 0, -1
	inTurns := false
	for {
		t, err := d.Token()
		if err != nil {
			return 0
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
			if inTurns && depth == 3 {
				if n++; n == turn {
					return d.InputOffset() - 1
				}
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		case "turns":
			inTurns = inTurns || depth == 1
		}
	}
}

// ErrorAt returns an error at the first place of a script that has a text.
func ErrorAt(name string, data []byte, text string, err error) error {
	at := max(bytes.Index(data, []byte(text)), 0)
	before := data[:at]
	return &Error{name, 1 + bytes.Count(before, []byte("\n")), at - bytes.LastIndexByte(before, '\n'), err}
}
