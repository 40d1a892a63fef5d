package fakeapi

import (
	"encoding/json"
	"os"

	"github.com/ccwire/ccwire/internal/clock"
	"github.com/ccwire/ccwire/internal/place"
)

// Script is what the model says in one session. The zero Script answers every request by default.
type Script struct {
	// Schema is where the JSON Schema of scripts is, for editors. It has no meaning here.
	Schema string `json:"$schema,omitempty"`

	Turns []Turn `json:"turns,omitempty"`

	// Default answers the main conversation when no turn is left; nil says "done".
	Default *Turn `json:"default,omitempty"`

	// CountTokens is the answer to count_tokens; 0 means 10.
	CountTokens int `json:"count_tokens,omitempty"`

	// NoHelpers says that a request without tools belongs to the conversation and takes turns, for
	// an old CLI that runs without any tool: it does not mark what is of the conversation.
	NoHelpers bool `json:"no_helpers,omitempty"`

	// VirtualTime says that pauses take no time.
	VirtualTime bool `json:"virtual_time,omitempty"`

	// Templates says whether {{name}} in what the model says stands for something of the request;
	// nil means yes.
	Templates *bool `json:"templates,omitempty"`
}

// Turn is one answer of the model: a message (Text or Content), or an error, or a message that is
// cut short.
type Turn struct {
	// Match ties the turn to the requests that fit it; nil means the main conversation, in order.
	Match *Match `json:"match,omitempty"`
	// Times is how many requests the turn answers: 0 means one, -1 every one that comes.
	Times int `json:"times,omitempty"`
	// Retries says that the turn also answers the retries of a request that it answered: those in
	// which the conversation is the same.
	Retries bool `json:"retries,omitempty"`

	// Text is short for a Content of one text block. In it, in the texts of Content and in the
	// message of Error, {{name}} stands for something of the request; fill.go lists the names.
	Text    string  `json:"text,omitempty"`
	Content []Block `json:"content,omitzero"`
	// StopReason is "tool_use" by default when a tool_use block is in the content, else "end_turn".
	StopReason   string `json:"stop_reason,omitempty"`
	StopSequence string `json:"stop_sequence,omitempty"`
	// Usage replaces members of the default usage and adds to it.
	Usage Usage `json:"usage,omitempty"`
	// Cost is what the simulated CLI takes the message to cost, in dollars; nil means what the
	// usage costs by the model. The real CLI always reckons by itself.
	Cost *float64 `json:"cost_usd,omitempty"`
	// Model is the message's model; "" means the one that was asked for.
	Model string `json:"model,omitempty"`

	// Error answers with an HTTP error, unless Cut puts it into the stream.
	Error *Error `json:"error,omitempty"`
	// Header is added to the answer's HTTP header.
	Header map[string]string `json:"header,omitempty"`
	Pace   *Pace             `json:"pace,omitempty"`
	Cut    *Cut              `json:"cut,omitempty"`
}

// Usage holds members of a message's usage object.
type Usage map[string]json.RawMessage

// Error is an error of the API.
type Error struct {
	// Status is the HTTP status. It is not used for an error inside a stream.
	Status int `json:"status,omitempty"`
	// Type is the error's type; "" means the API's type for the status.
	Type    string `json:"type,omitempty"`
	Message string `json:"message,omitempty"`
	// RetryAfter is the retry-after header, in seconds.
	RetryAfter *int `json:"retry_after,omitempty"`
}

// Pace says how fast an answer comes.
type Pace struct {
	// Before is the time before the first byte.
	Before Duration `json:"before,omitempty"`
	// Chunk is how many characters one delta carries; 0 means all of a block in one.
	Chunk int `json:"chunk,omitempty"`
	// Every is the time between one delta and the next.
	Every Duration `json:"every,omitempty"`
}

// Cut ends an answer before its end.
type Cut struct {
	// How is [Stall], [Drop] or [Fail].
	How CutKind `json:"how"`
	// After is the number of events that are sent before; 0 leaves out the HTTP header too, except
	// for Fail. Nil means all events of the content but the last block's stop. When the answer has
	// fewer events the cut is at its end. An answer that is not streamed counts as one event.
	After *int `json:"after,omitempty"`
}

// CutKind is a way to end an answer before its end.
type CutKind string

const (
	// Stall sends nothing more and holds the connection open, until the client goes or the server
	// closes.
	Stall CutKind = "stall"
	// Drop closes the connection.
	Drop CutKind = "drop"
	// Fail sends the turn's Error as an event of the stream and ends it.
	Fail CutKind = "error"
)

// clock is the one that pauses are taken by.
func (s Script) clock() *clock.Clock {
	if s.VirtualTime {
		return clock.Virtual()
	}
	return nil
}

// countTokens is the answer to count_tokens.
func (s Script) countTokens() int {
	if s.CountTokens == 0 {
		return 10
	}
	return s.CountTokens
}

// ParseScript reads a script from JSON and checks it. A member that it does not know is an error.
// Errors have the line and the column.
func ParseScript(data []byte) (Script, error) { return parseScript("script", data) }

// LoadScript is ParseScript for a script in a file. Errors have its name.
func LoadScript(name string) (Script, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return Script{}, err
	}
	return parseScript(name, data)
}

func parseScript(name string, data []byte) (Script, error) {
	var s struct {
		Script
		simulated
	}
	if err := place.Decode(name, data, &s); err != nil {
		return Script{}, err
	}
	if err := s.ValidateText(name, data); err != nil {
		return Script{}, err
	}
	return s.Script, nil
}

// simulated has the members of scripts that are for the simulated CLI alone, and mean nothing here:
// one script serves both.
type simulated struct {
	Tools         json.RawMessage `json:"tools"`
	Faults        json.RawMessage `json:"faults"`
	ToolsAnywhere json.RawMessage `json:"tools_anywhere"`
	CLIVersion    json.RawMessage `json:"cli_version"`
	Recorded      json.RawMessage `json:"recorded"`
	Strict        json.RawMessage `json:"strict"`
}
