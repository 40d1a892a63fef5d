package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// peer is the other end of a Conn in a synctest bubble: it writes lines as they are and collects what the Conn writes.
type peer struct {
	testing.TB
	out io.WriteCloser // to the Conn

	mu    sync.Mutex // guards lines and eof
	lines []string   // from the Conn, not looked at yet
	eof   bool       // the Conn closed our input
}

// newPeer makes a Conn and its peer. The Conn is closed at the end of the test.
func newPeer(t testing.TB, opts *ConnOptions) (*Conn, *peer) {
	t.Helper()
	o := ConnOptions{}
	if opts != nil {
		o = *opts
	}
	if o.Logger == nil {
		o.Logger = quiet
	}
	p, r, w := newPipePeer(t)
	c := NewConn(r, w, &o)
	t.Cleanup(func() { c.Close() })
	return c, p
}

var quiet = slog.New(slog.DiscardHandler)

// newPipePeer returns a peer and the two ends of its pipes that a Conn needs.
func newPipePeer(t testing.TB) (*peer, io.ReadCloser, io.WriteCloser) {
	in, w := io.Pipe()
	r, out := io.Pipe()
	p := &peer{TB: t, out: out}
	go p.collect(in) // ends when the Conn closes its writer
	return p, r, w
}

func (p *peer) collect(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		p.mu.Lock()
		if err != nil {
			p.eof = true
			p.mu.Unlock()
			return
		}
		p.lines = append(p.lines, strings.TrimSuffix(line, "\n"))
		p.mu.Unlock()
	}
}

// write sends lines to the Conn.
func (p *peer) write(lines ...string) {
	p.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.out, line+"\n"); err != nil {
			p.Fatalf("write %.100s: %v", line, err)
		}
	}
}

// end closes the Conn's source.
func (p *peer) end() { p.out.Close() }

// sent waits until nothing moves any more and returns what the Conn has sent since the last call.
func (p *peer) sent() []string {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := p.lines
	p.lines = nil
	return lines
}

// one returns the only line that the Conn has sent.
func (p *peer) one() string {
	p.Helper()
	lines := p.sent()
	if len(lines) != 1 {
		p.Fatalf("sent %d lines, want 1: %q", len(lines), lines)
	}
	return lines[0]
}

// nothing fails if the Conn has sent something.
func (p *peer) nothing() {
	p.Helper()
	if lines := p.sent(); len(lines) != 0 {
		p.Fatalf("sent %q, want nothing", lines)
	}
}

func (p *peer) closed() bool {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.eof
}

// requestID returns the id of the only line, which must be a request of the subtype.
func (p *peer) requestID(subtype string) string {
	p.Helper()
	line := p.one()
	f := decode(p, line)
	r, ok := f.(*wire.ControlRequest)
	if !ok || subtypeOf(r.Request) != subtype {
		p.Fatalf("sent %s, want a request %s", line, subtype)
	}
	return r.RequestID
}

func decode(t testing.TB, line string) wire.Frame {
	t.Helper()
	f, err := wire.Decode([]byte(line))
	if err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return f
}

func encode(t testing.TB, f wire.Frame) string {
	t.Helper()
	line, err := wire.Append(nil, f)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func successLine(id, body string) string {
	if body == "" {
		return `{"type":"control_response","response":{"subtype":"success","request_id":` + quote(id) + `}}`
	}
	return `{"type":"control_response","response":{"subtype":"success","request_id":` + quote(id) + `,"response":` + body + `}}`
}

func errorLine(id, message string) string {
	return `{"type":"control_response","response":{"subtype":"error","request_id":` + quote(id) + `,"error":` + quote(message) + `}}`
}

func requestLine(id, request string) string {
	return `{"type":"control_request","request_id":` + quote(id) + `,"request":` + request + `}`
}

func cancelLine(id string) string {
	return `{"type":"control_cancel_request","request_id":` + quote(id) + `}`
}

const (
	keepAliveLine = `{"type":"keep_alive"}`
	interruptBody = `{"subtype":"interrupt"}`
)

// callResult is the end of a call.
type callResult struct {
	body codec.Raw
	err  error
}

// goCall makes a call in a goroutine of its own.
func goCall(ctx context.Context, c wire.Caller, r wire.Request) <-chan callResult {
	done := make(chan callResult, 1)
	go func() {
		body, err := c.Call(ctx, r)
		done <- callResult{body, err}
	}()
	return done
}

// settled returns the end of a call that must be over by now.
func settled(t testing.TB, done <-chan callResult) callResult {
	t.Helper()
	synctest.Wait()
	select {
	case r := <-done:
		return r
	default:
		t.Fatal("the call has not ended")
		panic("unreachable")
	}
}

// open fails if the call has ended.
func stillOpen(t testing.TB, done <-chan callResult) {
	t.Helper()
	synctest.Wait()
	select {
	case r := <-done:
		t.Fatalf("the call has ended: %s, %v", r.body, r.err)
	default:
	}
}

// drain returns the events until now.
func drain(l *lane[Event]) []Event {
	synctest.Wait()
	var events []Event
	for {
		e, lost, ok, _ := l.poll()
		if lost > 0 {
			e, ok = &EventsLostEvent{lost}, true
		}
		if !ok {
			return events
		}
		events = append(events, e)
	}
}

// only returns the only event until now, which must be of a type.
func only[E Event](t testing.TB, l *lane[Event]) E {
	t.Helper()
	events := drain(l)
	if len(events) != 1 {
		t.Fatalf("%d events, want 1: %+v", len(events), events)
	}
	e, ok := events[0].(E)
	if !ok {
		t.Fatalf("event is a %T: %+v", events[0], events[0])
	}
	return e
}
