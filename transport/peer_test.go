package transport

import (
	"context"
	"io"
	"os"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestMain(m *testing.M) { peertest.Main(m) }

// newPeer makes a Conn and its peer. The Conn is closed at the end of the test.
func newPeer(t testing.TB, opts *ConnOptions) (*Conn, *peertest.Peer) {
	t.Helper()
	o := ConnOptions{}
	if opts != nil {
		o = *opts
	}
	if o.Logger == nil {
		o.Logger = peertest.Quiet
	}
	p, r, w := peertest.NewPeer(t)
	c := NewConn(r, w, &o)
	t.Cleanup(func() { c.Close() })
	return c, p
}

type appender = codec.Appender

// rawBody is the body of an answer as text.
type rawBody string

func (b rawBody) AppendJSON(dst []byte) ([]byte, error) { return append(dst, b...), nil }

// connPair returns the two ends of one connection.
func connPair(t testing.TB, left, right *ConnOptions) (*Conn, *Conn) {
	t.Helper()
	r1, w1 := io.Pipe()
	r2, w2 := io.Pipe()
	for _, o := range []*ConnOptions{left, right} {
		if o.Logger == nil {
			o.Logger = peertest.Quiet
		}
	}
	a, b := NewConn(r1, w2, left), NewConn(r2, w1, right)
	t.Cleanup(func() {
		a.Close()
		b.Close()
	})
	return a, b
}

// osPair is connPair over pipes of the operating system. It checks that nothing is left of them.
func osPair(t testing.TB, left, right *ConnOptions) (*Conn, *Conn) {
	t.Helper()
	peertest.NeedProcesses(t)
	peertest.CheckLeaks(t)
	r1, w1 := osPipe(t)
	r2, w2 := osPipe(t)
	left.Logger, right.Logger = peertest.Quiet, peertest.Quiet
	a, b := NewConn(r1, w2, left), NewConn(r2, w1, right)
	t.Cleanup(func() {
		a.Close()
		b.Close()
	})
	return a, b
}

func osPipe(t testing.TB) (*os.File, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

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
