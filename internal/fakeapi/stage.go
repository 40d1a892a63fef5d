package fakeapi

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/ccwire/ccwire/internal/clock"
)

// Stage is the model of a script without HTTP, for a client in the same process: it decides which
// turn answers which request and keeps the record, as a [Server] does, and leaves it to the client
// to play the answer. The simulated CLI has one in place of an API. Its methods are safe for use by
// several goroutines.
type Stage struct {
	director *director
	record   *record
	clock    *clock.Clock
}

// NewStage returns a stage for the script. It fails if the script cannot be played.
func NewStage(script Script) (*Stage, error) {
	if err := script.Validate(); err != nil {
		return nil, err
	}
	return &Stage{director: newDirector(script), record: newRecord(), clock: script.clock()}, nil
}

// Ask is what a client asks the model: a request to /v1/messages, as far as a script can look at
// it.
type Ask struct {
	Model    string
	System   string // what the model is told beside the messages
	Messages []AskMessage
	Tools    int    // how many the client offers
	Agent    string // the subagent that asks; "" for the main conversation
	Plain    bool   // the answer is not streamed
}

// AskMessage is one message of a conversation.
type AskMessage struct {
	Role    string
	Content []AskBlock
}

// AskBlock is a content block of one.
type AskBlock struct {
	Type      string
	Text      string          // of a text, or of a tool result
	ID        string          // of a tool use
	Name      string          // of a tool
	Input     json.RawMessage // of a tool use
	ToolUseID string          // of a tool result
	IsError   bool
}

// Scene is the answer to one request. The client plays it, error, pace and cut of the turn
// included, and says by Status and Outcome how that went.
type Scene struct {
	Turn    *Turn  // what is to be played
	Number  int    // of the turn in the script, from 1; 0 if it is not in the script
	Key     string // stands for the answer in all its ids
	From    Source
	Answer  Answer
	Message Message // the turn's, with its ids, usage and stop reason; not for a turn that is an error

	fill  func(*Turn) *Turn
	model string // that was asked for
	entry entry
}

// Ask decides which turn answers a request, takes that turn, and records the request.
func (s *Stage) Ask(q *Ask) *Scene {
	c := q.call()
	h := http.Header{}
	if q.Agent != "" {
		h.Set(agentHeader, q.Agent)
	}
	cue := s.director.cue(c, h)
	r := Request{Method: http.MethodPost, Path: "/v1/messages", Outcome: Answering}
	r.describe(c, cue.from == Helper)
	r.From, r.Turn, r.Answer = cue.from, cue.number, cue.answer
	return &Scene{Turn: cue.turn, Number: cue.number, Key: cue.key, From: cue.from, Answer: cue.answer, Message: cue.msg, fill: cue.fill, model: q.Model, entry: s.record.add(r)}
}

// Say puts another turn in place of the scene's, for a client that has an answer of its own where
// the script has none.
func (s *Scene) Say(t *Turn) {
	s.Turn = s.fill(t)
	s.Message = newMessage(s.Turn, s.Key, s.model)
}

// Status records that the answer has begun, with an HTTP status.
func (s *Scene) Status(code int) { s.entry.status(code) }

// Outcome records how far the answer has come.
func (s *Scene) Outcome(o Outcome) { s.entry.outcome(o) }

// ErrorBody returns the type and the text of the turn's error, as the API sends them. The turn must
// have one.
func (s *Scene) ErrorBody() (kind, text string) {
	b := s.Turn.Error.body(s.Key)
	return b.Error.Type, b.Error.Message
}

// ErrorJSON returns the turn's error, which it must have, as the API sends it.
func (s *Scene) ErrorJSON() []byte {
	data, _ := json.Marshal(s.Turn.Error.body(s.Key)) // made of texts
	return data
}

// Clock is the one that pauses are taken by.
func (s *Stage) Clock() *clock.Clock { return s.clock }

// Requests returns what was asked so far.
func (s *Stage) Requests() []Request { return s.record.list() }

// Unused returns the numbers of the turns that were never taken, counted from 1.
func (s *Stage) Unused() []int { return s.director.unused() }

// CountTokens is the script's answer to count_tokens.
func (s *Stage) CountTokens() int { return s.director.script.countTokens() }

// Wait returns nil as soon as cond holds for the record of requests, and ctx's error when that ends
// first.
func (s *Stage) Wait(ctx context.Context, cond func([]Request) bool) error {
	return s.record.wait(ctx, nil, cond)
}

func (q *Ask) call() *call {
	c := &call{Model: q.Model, Stream: !q.Plain, System: callResults{q.System}, uses: make(map[string]callToolUse), Tools: make([]callTool, q.Tools)}
	for _, m := range q.Messages {
		content := make(callContent, 0, len(m.Content))
		for _, b := range m.Content {
			block := callBlock{Type: b.Type, Text: b.Text, ID: b.ID, Name: b.Name, ToolUseID: b.ToolUseID, IsError: b.IsError}
			if b.Type == "tool_result" {
				block.Text, block.Content.text = "", b.Text
			}
			if b.Type == "tool_use" {
				c.uses[b.ID] = callToolUse{b.Name, b.Input}
			}
			content = append(content, block)
		}
		c.Messages = append(c.Messages, callMessage{m.Role, content})
	}
	c.Messages = slices.Clip(c.Messages)
	c.digest = c.sum()
	return c
}
