package transport

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestMissingMemberGetsAnErrorReplyThatNamesIt(t *testing.T) {
	tests := []struct{ name, line, member string }{
		{"request", `{"type":"control_request","request_id":"r"}`, "/request"},
		{"subtype", peertest.RequestLine("r", `{}`), "/request/subtype"},
		{"tool_name", peertest.RequestLine("r", `{"subtype":"can_use_tool","input":{}}`), "/request/tool_name"},
		{"input", peertest.RequestLine("r", `{"subtype":"can_use_tool","tool_name":"Bash"}`), "/request/input"},
		{"callback_id", peertest.RequestLine("r", `{"subtype":"hook_callback","input":{"hook_event_name":"Stop","stop_hook_active":false}}`), "/request/callback_id"},
		{"input of a hook", peertest.RequestLine("r", `{"subtype":"hook_callback","callback_id":"c"}`), "/request/input"},
		{"call of a hook", peertest.RequestLine("r", `{"subtype":"hook_callback","callback_id":"c","input":{"hook_event_name":"PreToolUse","tool_name":"Bash"}}`), "/request/input/tool_input"},
		{"message", peertest.RequestLine("r", `{"subtype":"mcp_message","server_name":"s"}`), "/request/message"},
		{"the end", `{"type":"control_request","request_id":"r"`, "found the end of the line"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, p := newPeer(t, nil)
				p.Say(test.line)
				got := p.One()
				r, ok := peertest.Decode(t, got).(*wire.ControlResponse).Response.(*wire.ErrorResponse)
				if !ok || r.RequestID != "r" || !strings.Contains(r.Error, test.member) {
					t.Errorf("sent %s, want an error that names %s", got, test.member)
				}
				only[*UndecodableEvent](t, c.events)
			})
		})
	}
}

func TestUndecodableLineWithoutIDIsAnEventAndNothingIsSent(t *testing.T) {
	tests := []struct{ name, line string }{
		{"broken JSON", `{"type":"keep_alive"`},
		{"request with an empty id", peertest.RequestLine("", peertest.InterruptBody)},
		{"request without an id", `{"type":"control_request","request":{"subtype":"interrupt"}}`},
		{"id of another kind", `{"type":"control_request","request_id":5,"request":{"subtype":"interrupt"}}`},
		{"no type", `{}`},
		{"invalid UTF-8", "{\"type\":\"keep_alive\",\"x\":\"\xff\"}"},
		{"half a character", "{\"type\":\"keep_alive\",\"x\":\"\xe2\x82\"}"},
		{"duplicate member", `{"type":"keep_alive","type":"keep_alive"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, p := newPeer(t, &ConnOptions{NoDeviations: true})
				p.Say(test.line)
				e := only[*UndecodableEvent](t, c.events)
				if e.Err == nil || e.Text != test.line {
					t.Errorf("event = %+v", e)
				}
				p.Nothing()
				p.Say(peertest.RequestLine("r", peertest.InterruptBody)) // the next line is not harmed
				p.One()
			})
		})
	}
}

func TestHandlersRunConcurrently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := map[string]chan struct{}{"a": make(chan struct{}), "b": make(chan struct{})}
		_, p := newPeer(t, &ConnOptions{Answer: func(ctx context.Context, r wire.Request) (appender, error) {
			<-release[RequestID(ctx)]
			return nil, nil
		}})
		p.Say(peertest.RequestLine("a", peertest.InterruptBody), peertest.RequestLine("b", peertest.InterruptBody))
		p.Nothing()
		close(release["b"])
		if got := p.One(); got != peertest.SuccessLine("b", "") {
			t.Errorf("sent %s", got)
		}
		close(release["a"])
		if got := p.One(); got != peertest.SuccessLine("a", "") {
			t.Errorf("sent %s", got)
		}
	})
}

func TestRequestsOverTheLimitWaitForTheOthers(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits Limits
		slots  int
	}{
		{"default", Limits{}, 32},
		{"limit", Limits{Inbound: 1}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var running []string
				release := make(chan struct{})
				_, p := newPeer(t, &ConnOptions{Limits: test.limits, Answer: func(ctx context.Context, r wire.Request) (appender, error) {
					running = append(running, RequestID(ctx)) // one after the other: the test lets them start
					<-release
					return nil, nil
				}})
				for i := range test.slots + 3 {
					p.Say(peertest.RequestLine(fmt.Sprintf("r%d", i), peertest.InterruptBody))
					synctest.Wait()
				}
				p.Nothing()
				if len(running) != test.slots {
					t.Errorf("%d run, want %d", len(running), test.slots)
				}
				for i := range 3 {
					release <- struct{}{}
					p.One()
					if got, want := running[len(running)-1], fmt.Sprintf("r%d", test.slots+i); got != want {
						t.Errorf("%s runs, want %s", got, want)
					}
				}
				close(release)
				if lines := p.Sent(); len(lines) != test.slots {
					t.Errorf("sent %d answers", len(lines))
				}
			})
		})
	}
}

func TestRequestsOfOneSubtypeDoNotWaitForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		_, p := newPeer(t, &ConnOptions{Limits: Limits{Inbound: 1}, Answer: func(_ context.Context, r wire.Request) (appender, error) {
			if r.Subtype() == "interrupt" {
				<-release
			}
			return nil, nil
		}})
		p.Say(peertest.RequestLine("a", peertest.InterruptBody), peertest.RequestLine("b", peertest.InterruptBody), peertest.RequestLine("c", `{"subtype":"mcp_status"}`))
		if got := p.One(); got != peertest.SuccessLine("c", "") {
			t.Errorf("sent %s", got)
		}
	})
}

func TestRequestThatWaitsCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c, p := newPeer(t, &ConnOptions{Limits: Limits{Inbound: 1}, Answer: func(context.Context, wire.Request) (appender, error) {
			<-release
			return nil, nil
		}})
		p.Say(peertest.RequestLine("a", peertest.InterruptBody), peertest.RequestLine("b", peertest.InterruptBody), peertest.RequestLine("c", peertest.InterruptBody))
		p.Say(peertest.CancelLine("b"))
		synctest.Wait()
		close(release)
		if lines := p.Sent(); len(lines) != 2 || lines[0] != peertest.SuccessLine("a", "") || lines[1] != peertest.SuccessLine("c", "") {
			t.Errorf("sent %q", lines)
		}
		wantIdle(t, c)
	})
}

// wantIdle fails if something is held for a request from the peer.
func wantIdle(t testing.TB, c *Conn) {
	t.Helper()
	synctest.Wait()
	in := c.inbound
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.open) != 0 || in.held != 0 || in.refused != 0 {
		t.Errorf("%d requests, %d bytes and %d bytes of refusals are left", len(in.open), in.held, in.refused)
	}
	for subtype, q := range in.queues {
		if q.running != 0 || q.waiting.size() != 0 {
			t.Errorf("%s: %d run, %d wait", subtype, q.running, q.waiting.size())
		}
	}
}

// Callbacks that ignore the end of their context keep their slots: a peer that asks and cancels
// again and again does not make goroutines without end.
func TestCallbacksThatIgnoreTheirContextAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int32
		release := make(chan struct{})
		c, p := newPeer(t, &ConnOptions{Answer: func(context.Context, wire.Request) (appender, error) {
			running.Add(1)
			<-release
			return nil, nil
		}})
		for i := range 10_000 {
			p.Say(peertest.RequestLine(fmt.Sprint(i), peertest.InterruptBody), peertest.CancelLine(fmt.Sprint(i)))
		}
		synctest.Wait()
		if n := running.Load(); n != 32 {
			t.Errorf("%d callbacks run", n)
		}
		p.Nothing()
		close(release)
		wantIdle(t, c)
	})
}

func TestRequestsAreRefusedWhenTheirMemoryIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c, p := newPeer(t, &ConnOptions{NoDeviations: true, Limits: Limits{InboundBytes: 100 << 10}, Answer: func(context.Context, wire.Request) (appender, error) {
			<-release
			return nil, nil
		}})
		big := `{"subtype":"interrupt","x":"` + strings.Repeat("x", 200<<10) + `"}`
		p.Say(peertest.RequestLine("big", big)) // one is always taken
		p.Nothing()
		p.Say(peertest.RequestLine("small", peertest.InterruptBody))
		if got := p.One(); !strings.Contains(got, `"request_id":"small","error":"too many requests wait`) {
			t.Errorf("sent %s", got)
		}
		if e := only[*CallbackEvent](t, c.events); e.RequestID != "small" || e.Subtype != "interrupt" {
			t.Errorf("event = %+v", e)
		}
		close(release)
		p.One()
		wantIdle(t, c)
		p.Say(peertest.RequestLine("later", peertest.InterruptBody)) // there is room again
		if got := p.One(); got != peertest.SuccessLine("later", "") {
			t.Errorf("sent %s", got)
		}
	})
}

// A peer that asks but does not read the answers does not make memory grow.
func TestAnswersThatAreNotReadAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, r, w := peertest.NewDeafPeer(t)
		body := rawBody(`{"x":"` + strings.Repeat("x", 100<<10) + `"}`)
		c := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet, Limits: Limits{InboundBytes: 1 << 20}, Answer: func(context.Context, wire.Request) (appender, error) {
			return body, nil
		}})
		defer c.Close()
		for i := range 100 {
			p.Say(peertest.RequestLine(fmt.Sprint(i), peertest.InterruptBody))
			synctest.Wait()
		}
		c.inbound.mu.Lock()
		held := c.inbound.held
		c.inbound.mu.Unlock()
		if held > 1<<20+200<<10 {
			t.Errorf("%d bytes are held", held)
		}
		p.Resume()
		if lines := p.Sent(); len(lines) != 100 {
			t.Errorf("sent %d answers", len(lines))
		}
		wantIdle(t, c)
	})
}

func TestCancelEndsTheHandlersContextAndNothingIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		c, p := newPeer(t, &ConnOptions{Answer: func(ctx context.Context, r wire.Request) (appender, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return rawBody(`{"late":true}`), nil
		}})
		p.Say(peertest.RequestLine("a", peertest.InterruptBody))
		synctest.Wait()
		p.Say(peertest.CancelLine("a"))
		p.Nothing()
		if err := <-ended; err != context.Canceled {
			t.Errorf("context ended with %v", err)
		}
		if n := len(c.inbound.open); n != 0 {
			t.Errorf("%d requests are left", n)
		}
		p.Say(peertest.CancelLine("a"), peertest.CancelLine("unknown")) // ignored
		p.Nothing()
	})
}

// A cancellation also takes back an answer that waits behind a slow write.
func TestCancelWithdrawsAQueuedAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, r, w := peertest.NewDeafPeer(t)
		c := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet, Answer: func(context.Context, wire.Request) (appender, error) { return nil, nil }})
		defer c.Close()
		for _, id := range []string{"a", "b"} {
			p.Say(peertest.RequestLine(id, peertest.InterruptBody))
			synctest.Wait()
		}
		p.Say(peertest.CancelLine("b"))
		synctest.Wait()
		p.Resume()
		if got := p.One(); got != peertest.SuccessLine("a", "") {
			t.Errorf("sent %s", got)
		}
	})
}

func TestDuplicateRequestIDsAreBothServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		_, p := newPeer(t, &ConnOptions{Answer: func(context.Context, wire.Request) (appender, error) {
			<-release
			return nil, nil
		}})
		p.Say(peertest.RequestLine("a", peertest.InterruptBody), peertest.RequestLine("a", peertest.InterruptBody))
		p.Nothing()
		close(release)
		if lines := p.Sent(); len(lines) != 2 || lines[0] != peertest.SuccessLine("a", "") || lines[1] != lines[0] {
			t.Errorf("sent %q", lines)
		}
	})
}

func TestPeerThatNeverReadsRefusalsEndsTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, requests := io.Pipe()
		_, w := io.Pipe() // nobody reads
		c := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet, Limits: Limits{InboundBytes: 1}, Answer: func(ctx context.Context, _ wire.Request) (appender, error) {
			<-ctx.Done()
			return nil, nil
		}})
		defer c.Close()
		go func() {
			for i := 0; ; i++ {
				if _, err := io.WriteString(requests, peertest.RequestLine(fmt.Sprint(i), peertest.InterruptBody)+"\n"); err != nil {
					return
				}
			}
		}()
		<-c.Done()
		if err := c.Err(); err != ErrBacklog {
			t.Errorf("ended by %v", err)
		}
		requests.Close()
	})
}

func TestHandlerCanCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left *Conn
		left, right := connPair(t, &ConnOptions{Answer: func(ctx context.Context, r wire.Request) (appender, error) {
			body, err := left.Call(ctx, &wire.MCPStatusRequest{})
			return rawBody(body), err
		}}, &ConnOptions{Answer: func(context.Context, wire.Request) (appender, error) { return rawBody(`{"inner":true}`), nil }})
		body, err := right.Call(t.Context(), &wire.InterruptRequest{})
		if err != nil || string(body) != `{"inner":true}` {
			t.Errorf("Call = %s, %v", body, err)
		}
	})
}

// A handler's answer, its cancellation by the peer, and the end of the connection race too: one
// line goes out, or none.
func TestFirstEventEndsTheRequestOfThePeer(t *testing.T) {
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			c, p := newPeer(t, &ConnOptions{Answer: func(ctx context.Context, r wire.Request) (appender, error) {
				select {
				case <-release:
				case <-ctx.Done():
				}
				return nil, nil
			}})
			p.Say(peertest.RequestLine("a", peertest.InterruptBody))
			synctest.Wait()
			go close(release)
			p.Say(peertest.CancelLine("a"))
			lines := p.Sent()
			if len(lines) > 1 {
				t.Errorf("sent %q", lines)
			}
			if n := len(c.inbound.open); n != 0 {
				t.Errorf("%d requests are left", n)
			}
		})
	}
}
