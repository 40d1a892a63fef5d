package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/internal/object"
)

// toolUse is the member of _meta that names the tool use of a call.
const toolUse = "claudecode/toolUseId"

// tap is a connection that lets the messages of another one be seen. It keeps results as the server
// wrote them, and handles what the server asks itself.
type tap struct {
	mcp.Connection
	server *server
	told   chan struct{} // has an element when the server was told that a call is cancelled

	mu      sync.Mutex // guards the fields below
	methods map[any]string
	results map[string]object.Object // the newest result of each method, of calls by tool use
	calls   map[string]any           // ids of calls by tool use
	uses    map[any]string           // tool uses by id

	cancelled chan struct{} // gets one for each cancellation that was written
}

func newTap(c mcp.Connection, s *server) *tap {
	return &tap{Connection: c, server: s, told: make(chan struct{}, 1), methods: map[any]string{}, results: map[string]object.Object{}, calls: map[string]any{}, uses: map[any]string{}, cancelled: make(chan struct{}, 64)}
}

// Write notes what is asked.
func (t *tap) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.ID.IsValid() {
		var params struct {
			Meta map[string]any `json:"_meta"`
		}
		_ = json.Unmarshal(r.Params, &params) // our own
		t.mu.Lock()
		t.methods[r.ID.Raw()] = r.Method
		if use, ok := params.Meta[toolUse].(string); ok {
			t.calls[use], t.uses[r.ID.Raw()] = r.ID.Raw(), use
		}
		t.mu.Unlock()
	}
	err := t.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Request); ok && r.Method == "notifications/cancelled" {
		select {
		case t.told <- struct{}{}:
		default:
		}
	}
	return err
}

// Read returns what the client of the Go SDK is to see.
func (t *tap) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := t.Connection.Read(ctx)
		if err != nil {
			return nil, err
		}
		switch m := m.(type) {
		case *jsonrpc.Response:
			t.result(m)
		case *jsonrpc.Request:
			if t.server.asked(t, m) {
				continue
			}
		}
		return m, nil
	}
}

// result keeps the result of a call.
func (t *tap) result(r *jsonrpc.Response) {
	v, err := object.Parse(r.Result)
	o, ok := v.(object.Object)
	if err != nil || !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	id := r.ID.Raw()
	if use, ok := t.uses[id]; ok {
		t.results[use] = o
		delete(t.uses, id)
		delete(t.calls, use)
	} else if method, ok := t.methods[id]; ok {
		t.results[method] = o
	}
	delete(t.methods, id)
}

// taken returns the result under a key, and forgets it.
func (t *tap) taken(key string) object.Object {
	t.mu.Lock()
	defer t.mu.Unlock()
	o := t.results[key]
	delete(t.results, key)
	return o
}

// callID returns the id of the call for a tool use that has no result yet.
func (t *tap) callID(use string) (any, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, ok := t.calls[use]
	return id, ok
}

// tapped is a transport whose connection is tapped.
type tapped struct {
	mcp.Transport
	server *server
	tap    *tap // once connected
}

func (t *tapped) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	t.tap = newTap(c, t.server)
	return t.tap, nil
}

// pipe is the connection to a server of the SDK.
type pipe struct {
	host     *Host
	name     string
	manifest object.Object // answers of the handshake that are known, or nil
	in       chan jsonrpc.Message
	ended    chan struct{}
	end      sync.Once
	spoken   chan struct{} // closed when the first request was written
	spoke    sync.Once
}

func newPipe(h *Host, name string, manifest object.Object) *pipe {
	return &pipe{host: h, name: name, manifest: manifest, in: make(chan jsonrpc.Message, 64), ended: make(chan struct{}), spoken: make(chan struct{})}
}

func (p *pipe) Connect(context.Context) (mcp.Connection, error) { return p, nil }
func (p *pipe) SessionID() string                               { return "" }

func (p *pipe) Close() error {
	p.end.Do(func() { close(p.ended) })
	return nil
}

func (p *pipe) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-p.in:
		return m, nil
	case <-p.ended:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// deliver gives the client a message.
func (p *pipe) deliver(m jsonrpc.Message) {
	select {
	case p.in <- m:
	case <-p.ended:
	}
}

// wireID returns the id that the CLI uses: it counts from 0, the Go SDK from 1.
func wireID(id any) any {
	if n, ok := id.(int64); ok {
		return float64(n - 1)
	}
	return id
}

// errNoAnswer is the end of a handshake whose notification was not acknowledged.
var errNoAnswer = errors.New("the SDK's answer has no response")

func (p *pipe) Write(ctx context.Context, m jsonrpc.Message) error {
	switch m := m.(type) {
	case *jsonrpc.Request:
		if !m.ID.IsValid() {
			return p.notify(ctx, m)
		}
		p.request(m)
	case *jsonrpc.Response:
		id := m.ID.Raw()
		if n, ok := id.(int64); ok {
			id = float64(n)
		}
		if m.Error != nil {
			p.host.Send(p.name, object.Of("jsonrpc", "2.0", "id", id, "error", object.Of("code", -32601, "message", "Method not found")))
			return nil
		}
		result, _ := object.Parse(m.Result) // the Go SDK wrote it
		p.host.Send(p.name, object.Of("result", result, "jsonrpc", "2.0", "id", id))
	}
	return nil
}

// params returns the params of a request as the CLI writes them, [object.Absent] if they are empty.
func (p *pipe) params(r *jsonrpc.Request) any {
	v, _ := object.Parse(r.Params)
	o, _ := v.(object.Object)
	switch r.Method {
	case "initialize":
		o = object.Of("protocolVersion", o.Get("protocolVersion"), "capabilities", o.Get("capabilities"), "clientInfo", ordered(o.Object("clientInfo")))
	case "tools/call":
		o = object.Of("name", o.Get("name"), "arguments", o.Get("arguments"),
			"_meta", object.Of(toolUse, o.Object("_meta").Get(toolUse), "progressToken", object.If(!p.host.Terse, wireID(r.ID.Raw()))))
	}
	return object.If(len(o) > 0, o)
}

// ordered returns the client's description of itself, with its members in the order of the CLI.
func ordered(o object.Object) object.Object {
	return append(o.Without("version"), object.Member{Name: "version", Value: o.Get("version")})
}

func (p *pipe) notify(ctx context.Context, r *jsonrpc.Request) error {
	if r.Method == "notifications/cancelled" || r.Method == "notifications/initialized" && p.manifest != nil {
		return nil // the call has told it: see server.cancel
	}
	answer, err := p.host.Send(p.name, object.Of("jsonrpc", "2.0", "method", r.Method, "params", p.params(r)))(ctx)
	if err == nil && !answer.Present {
		err = errNoAnswer
	}
	return err
}

func (p *pipe) request(r *jsonrpc.Request) {
	member := map[string]string{"initialize": "initializeResult", "tools/list": "toolsListResult"}[r.Method]
	if known, ok := p.manifest.Lookup(member); ok {
		p.manifest = p.manifest.Without(member) // once: tools may change
		p.deliver(&jsonrpc.Response{ID: r.ID, Result: object.Append(nil, known)})
		return
	}
	wait := p.host.Send(p.name, object.Of("method", r.Method, "params", p.params(r), "jsonrpc", "2.0", "id", wireID(r.ID.Raw())))
	p.spoke.Do(func() { close(p.spoken) })
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // ends with the answer or the connection
		defer cancel()
		answer, err := wait(ctx)
		if err != nil {
			p.deliver(&jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}})
			return
		}
		body, _ := answer.Body.(object.Object)
		reply := body.Object("mcp_response")
		if id := reply.Get("id"); id != wireID(r.ID.Raw()) {
			return // nothing waits for it
		}
		if e := reply.Object("error"); e != nil {
			code, _ := e.Number("code")
			p.deliver(&jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: int64(code), Message: e.Text("message")}})
			return
		}
		p.deliver(&jsonrpc.Response{ID: r.ID, Result: object.Append(nil, reply.Get("result"))})
	}()
	go func() {
		select {
		case <-p.ended:
			cancel()
		case <-ctx.Done():
		}
	}()
}
