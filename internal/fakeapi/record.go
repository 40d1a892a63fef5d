package fakeapi

import (
	"context"
	"slices"
	"sync"
)

// Limits of what is kept of a request.
const (
	maxText    = 512 // bytes of a text
	maxResults = 64  // tool results
)

// Request is the summary of one request and of what became of it.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"` // without the query
	// From is set for requests to /v1/messages that are valid.
	From Source `json:"from,omitempty"`

	Model    string `json:"model,omitempty"`
	Stream   bool   `json:"stream,omitempty"`
	Messages int    `json:"messages,omitempty"` // how many
	Tools    int    `json:"tools,omitempty"`    // how many
	// Text is the last user text: without system reminders and long blocks, and empty for helper
	// calls and count_tokens.
	Text        string       `json:"text,omitempty"`
	ToolResults []ToolResult `json:"tool_results,omitempty"`

	// Turn is the number of the turn that answers, from 1; 0 if it is not in the script.
	Turn    int     `json:"turn,omitempty"`
	Answer  Answer  `json:"answer"`
	Status  int     `json:"status,omitempty"` // of HTTP; 0 as long as no byte was sent
	Outcome Outcome `json:"outcome"`
}

// ToolResult is a tool result in the last user message.
type ToolResult struct {
	ToolUseID string `json:"tool_use_id"`
	Tool      string `json:"tool,omitempty"` // the tool's name
	IsError   bool   `json:"is_error,omitempty"`
	Text      string `json:"text,omitempty"` // empty when it is long
}

// Outcome is how far the answer to a request has come.
type Outcome string

const (
	// Answering: not finished.
	Answering Outcome = "answering"
	// Stalled: held open by the script's order.
	Stalled Outcome = "stalled"
	// Complete: sent to the end.
	Complete Outcome = "complete"
	// Dropped: the connection was closed by the script's order.
	Dropped Outcome = "dropped"
	// ClientGone: the client closed the connection before the end.
	ClientGone Outcome = "client-gone"
	// ServerClosed: the server closed before the end.
	ServerClosed Outcome = "server-closed"
)

// describe fills in what the call says about itself.
func (r *Request) describe(c *call, private bool) {
	r.Model, r.Stream, r.Messages, r.Tools = c.Model, c.Stream, len(c.Messages), len(c.Tools)
	if private {
		return
	}
	last := c.lastUser()
	r.Text = last.shortText()
	for _, b := range last {
		if b.Type != "tool_result" || len(r.ToolResults) == maxResults {
			continue
		}
		t := ToolResult{ToolUseID: b.ToolUseID, Tool: c.uses[b.ToolUseID].name, IsError: b.IsError}
		if s := withoutReminders(b.Content.text); len(s) <= maxText {
			t.Text = s
		}
		r.ToolResults = append(r.ToolResults, t)
	}
}

// record keeps the requests in the order of their arrival.
type record struct {
	mu       sync.Mutex // guards the fields below
	requests []Request
	changed  chan struct{} // closed and replaced at each change
}

func newRecord() *record { return &record{changed: make(chan struct{})} }

// entry is one request's place in the record.
type entry struct {
	record *record
	index  int
}

func (r *record) add(q Request) entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, q)
	r.noteLocked()
	return entry{r, len(r.requests) - 1}
}

func (e entry) update(f func(*Request)) {
	e.record.mu.Lock()
	defer e.record.mu.Unlock()
	f(&e.record.requests[e.index])
	e.record.noteLocked()
}

func (e entry) outcome(o Outcome) { e.update(func(q *Request) { q.Outcome = o }) }
func (e entry) status(code int)   { e.update(func(q *Request) { q.Status = code }) }

func (r *record) noteLocked() {
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *record) list() []Request {
	list, _ := r.snapshot()
	return list
}

// snapshot returns a copy of the record, and the channel that is closed when it changes.
func (r *record) snapshot() ([]Request, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requests), r.changed
}

// wait returns when cond holds, with an error when ctx or closed ends first.
func (r *record) wait(ctx context.Context, closed <-chan struct{}, cond func([]Request) bool) error {
	for {
		list, changed := r.snapshot()
		if cond(list) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-closed:
			if list, _ := r.snapshot(); cond(list) {
				return nil
			}
			return ErrClosed
		}
	}
}
