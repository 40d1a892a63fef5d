package transport

import (
	"context"
	"fmt"
	"io"
	"strings"
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
		{"message", peertest.RequestLine("r", `{"subtype":"mcp_message","server_name":"s"}`), "/request/message"},
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
		{"broken JSON", `{"type":"control_request","request_id":"r"`},
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

func TestRequestsOverTheLimitAreAnsweredAtOnceByThePolicy(t *testing.T) {
	for _, policy := range []struct {
		name     string
		overflow AnswerFunc
		want     string
	}{
		{"policy", func(context.Context, wire.Request) (appender, error) { return rawBody(`{"full":true}`), nil }, peertest.SuccessLine("r32", `{"full":true}`)},
		{"error", nil, peertest.ErrorLine("r32", "too many requests at once (max 32)")},
	} {
		t.Run(policy.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				c, p := newPeer(t, &ConnOptions{Overflow: policy.overflow, Answer: func(ctx context.Context, r wire.Request) (appender, error) {
					<-release
					return nil, nil
				}})
				for i := range 33 {
					p.Say(peertest.RequestLine(fmt.Sprintf("r%d", i), peertest.InterruptBody))
				}
				if got := p.One(); got != policy.want {
					t.Errorf("sent %s\nwant %s", got, policy.want)
				}
				if e := only[*CallbackEvent](t, c.events); e.RequestID != "r32" || e.Subtype != "interrupt" {
					t.Errorf("event = %+v", e)
				}
				close(release)
				if lines := p.Sent(); len(lines) != 32 {
					t.Errorf("sent %d answers", len(lines))
				}
				p.Say(peertest.RequestLine("later", peertest.InterruptBody)) // there is room again
				if got := p.One(); got != peertest.SuccessLine("later", "") {
					t.Errorf("sent %s", got)
				}
			})
		})
	}
}

func TestInboundLimitIsConfigurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		_, p := newPeer(t, &ConnOptions{Limits: Limits{Inbound: 1}, Answer: func(context.Context, wire.Request) (appender, error) {
			<-release
			return nil, nil
		}})
		p.Say(peertest.RequestLine("a", peertest.InterruptBody), peertest.RequestLine("b", peertest.InterruptBody))
		if got := p.One(); got != peertest.ErrorLine("b", "too many requests at once (max 1)") {
			t.Errorf("sent %s", got)
		}
		close(release)
		p.One()
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
		c := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet, Limits: Limits{Inbound: 1}, Answer: func(ctx context.Context, _ wire.Request) (appender, error) {
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
