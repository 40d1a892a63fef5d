package fakeapi

import (
	"cmp"
	"context"
	"errors"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// ErrClosed is what [Server.Wait] returns when the server closes before the condition holds.
var ErrClosed = errors.New("fakeapi: the server is closed")

// Options say how the API is served. A nil *Options is the zero value.
type Options struct {
	// Addr is where the server listens, such as 127.0.0.1:8080; "" is a free port of the loopback
	// interface. The server asks nobody for a key: at an address that is not of the loopback
	// interface, others can use it too.
	Addr string
}

// Server is a running fake API. Its methods are safe for use by several goroutines.
type Server struct{ server *fakeapi.Server }

// Start plays a script; nil is an empty one. An error in it has its line and column. When ctx ends
// the server closes; call Close in any case.
func Start(ctx context.Context, script []byte, o *Options) (*Server, error) {
	if script == nil {
		script = []byte("{}")
	}
	s, err := fakeapi.ParseScript(script)
	if err != nil {
		return nil, err
	}
	addr := "127.0.0.1:0"
	if o != nil {
		addr = cmp.Or(o.Addr, addr)
	}
	server, err := fakeapi.Listen(ctx, addr, s)
	if err != nil {
		return nil, err
	}
	return &Server{server}, nil
}

// URL is the address for the client's base URL, without a slash at its end.
func (s *Server) URL() string { return s.server.URL() }

// Env returns the environment of a CLI that talks to this server and to nothing else: the base URL,
// a key that is none, and what switches off telemetry and updates. home is its home and holds what
// it keeps, so that nothing of the user's is read or written. Of the environment of this process it
// has only where programs and temporary files are. What a test needs beside it is appended.
func (s *Server) Env(home string) []string { return s.server.Env(home) }

// Requests returns what was asked so far, in the order of arrival.
func (s *Server) Requests() []Request { return summaries(s.server.Requests()) }

// Unused returns the numbers of the turns that were never taken, counted from 1.
func (s *Server) Unused() []int { return s.server.Unused() }

// Wait returns nil as soon as cond holds for the record of requests. It looks at the record now and
// after each change, one look at a time. It returns ctx's error when that ends first, and
// [ErrClosed] when the server closes first.
func (s *Server) Wait(ctx context.Context, cond func([]Request) bool) error {
	err := s.server.Wait(ctx, func(all []fakeapi.Request) bool { return cond(summaries(all)) })
	if errors.Is(err, fakeapi.ErrClosed) {
		return ErrClosed
	}
	return err
}

// Close ends all answers, closes all connections and waits for the server's goroutines. It can be
// called more than once.
func (s *Server) Close() error { return s.server.Close() }

// Request is the summary of one request and of what became of it.
type Request struct {
	Method string
	Path   string // without the query
	// From is where a valid request to /v1/messages comes from: "main", "subagent" or "helper",
	// which is the CLI itself.
	From string

	Model    string
	Stream   bool
	Messages int // how many
	Tools    int // how many
	// Text is the last user text: without system reminders and long blocks, and empty for what the
	// CLI asks for itself.
	Text        string
	ToolResults []ToolResult

	// Turn is the number of the turn that answers, from 1; 0 if it is not in the script.
	Turn int
	// Answer is what decided the answer: "turn"; "default" for a subagent or for the CLI itself;
	// "exhausted" for a conversation that has no turn left; "counted" for count_tokens; "refused"
	// for a request that is not valid; "off-script" for one that is not for the Messages API.
	Answer string
	Status int // of HTTP; 0 as long as no byte was sent
	// Outcome is how far the answer has come: "answering", "stalled" or "dropped" by the script's
	// order, "complete", "client-gone", "server-closed".
	Outcome string
}

// ToolResult is a tool result in the last user message.
type ToolResult struct {
	ToolUseID string
	Tool      string // the tool's name
	IsError   bool
	Text      string // empty when it is long
}

func summaries(all []fakeapi.Request) []Request {
	list := make([]Request, 0, len(all))
	for _, r := range all {
		q := Request{
			Method: r.Method, Path: r.Path, From: string(r.From), Model: r.Model, Stream: r.Stream, Messages: r.Messages, Tools: r.Tools,
			Text: r.Text, Turn: r.Turn, Answer: string(r.Answer), Status: r.Status, Outcome: string(r.Outcome),
		}
		for _, t := range r.ToolResults {
			q.ToolResults = append(q.ToolResults, ToolResult(t))
		}
		list = append(list, q)
	}
	return list
}
