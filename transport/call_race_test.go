package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// The four ways in which a call can end. Each starts something that happens at a given moment.
var callEnds = []struct {
	name string
	is   func(callResult) bool
	arm  func(*raced, time.Duration)
}{
	{"response", func(r callResult) bool { return r.err == nil && string(r.body) == `{"won":true}` },
		func(r *raced, at time.Duration) {
			r.after(at, func() { r.peer.Raw(peertest.SuccessLine(r.id, `{"won":true}`) + "\n") }) // fails after the exit
		}},
	{"timeout", func(r callResult) bool { var e *TimeoutError; return errors.As(r.err, &e) },
		func(*raced, time.Duration) {}}, // armed by the options
	{"cancel", func(r callResult) bool { return errors.Is(r.err, context.Canceled) },
		func(r *raced, at time.Duration) { r.after(at, r.cancel) }},
	{"exit", func(r callResult) bool { return errors.Is(r.err, ErrPeerClosed) },
		func(r *raced, at time.Duration) { r.after(at, r.peer.End) }},
}

// raced is a call and what races to end it.
type raced struct {
	peer   *peertest.Peer
	id     string
	cancel context.CancelFunc
}

func (r *raced) after(d time.Duration, f func()) {
	go func() {
		time.Sleep(d)
		f()
	}()
}

func TestFirstEventEndsTheCall(t *testing.T) {
	const moment = time.Second
	for i, first := range callEnds {
		for j, second := range callEnds {
			if i == j {
				continue
			}
			t.Run(first.name+" before "+second.name, func(t *testing.T) {
				r := race(t, first.name, first.arm, moment, second.name, second.arm, moment+1)
				if !first.is(r) {
					t.Errorf("ended by %s, %v", r.body, r.err)
				}
			})
			if i > j {
				continue
			}
			t.Run(first.name+" and "+second.name+" at once", func(t *testing.T) {
				for range 50 {
					r := race(t, first.name, first.arm, moment, second.name, second.arm, moment)
					if first.is(r) == second.is(r) {
						t.Errorf("ended by %s, %v", r.body, r.err)
					}
				}
			})
		}
	}
}

// race runs one call that two things end and checks that it ends once and leaves nothing behind.
func race(t *testing.T, name1 string, arm1 func(*raced, time.Duration), at1 time.Duration, name2 string, arm2 func(*raced, time.Duration), at2 time.Duration) (result callResult) {
	t.Helper()
	timeout := time.Duration(-1)
	switch "timeout" {
	case name1:
		timeout = at1
	case name2:
		timeout = at2
	}
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{Timeouts: CallTimeouts{Other: timeout}})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := goCall(ctx, c, &wire.MCPStatusRequest{})
		r := &raced{peer: p, id: p.RequestID("mcp_status"), cancel: cancel}
		arm1(r, at1)
		arm2(r, at2)
		result = <-done
		time.Sleep(time.Minute)
		if n := c.pending.size(); n != 0 {
			t.Errorf("%d calls are left", n)
		}
		cancelled := len(p.Sent())
		answered := result.err == nil
		if answered && cancelled != 0 || cancelled > 1 {
			t.Errorf("%d cancellations sent", cancelled)
		}
		select {
		case r := <-done:
			t.Errorf("ended twice: %v", r)
		default:
		}
	})
	return result
}

func TestConcurrentCallsAndCancellationsLeaveNothing(t *testing.T) {
	peertest.CheckLeaks(t)
	ours, theirs := connPair(t, &ConnOptions{Limits: Limits{Pending: -1}}, &ConnOptions{
		Limits: Limits{Inbound: -1},
		Answer: func(ctx context.Context, r wire.Request) (appender, error) {
			return rawBody(`{"ok":true}`), nil
		},
	})
	errs := make(chan error, 400)
	for i := range 400 {
		go func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if i%4 == 0 {
				go cancel()
			}
			_, err := ours.Call(ctx, &wire.MCPStatusRequest{})
			if err != nil && (i%4 != 0 || !errors.Is(err, context.Canceled)) {
				errs <- fmt.Errorf("call %d: %w", i, err)
				return
			}
			errs <- nil
		}()
	}
	for range 400 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := ours.pending.size(); n != 0 {
		t.Errorf("%d calls are left", n)
	}
	ours.Close()
	theirs.Close()
}

// The end of the connection names the calls that it fails, also those that are just beginning. The
// race detector sees if they share memory with it.
func TestCallsBeginWhileTheConnectionEnds(t *testing.T) {
	for range 200 {
		r, w := io.Pipe()
		c := NewConn(r, io.Discard, &ConnOptions{Logger: peertest.Quiet})
		results := make(chan error, 4)
		for range cap(results) {
			go func() {
				_, err := c.Call(t.Context(), &wire.InterruptRequest{})
				results <- err
			}()
		}
		w.Close()
		for range cap(results) {
			if err := <-results; !errors.Is(err, ErrPeerClosed) {
				t.Error(err)
			}
		}
		c.Close()
	}
}
