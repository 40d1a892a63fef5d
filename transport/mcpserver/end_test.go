package mcpserver

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/peertest"
)

// synctest fails if a goroutine is left.
func TestEndOfTheSessionEndsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, ended := untilCancelled()
		asked := make(chan error, 1)
		server := newServer(&mcp.ServerOptions{KeepAlive: time.Minute}, map[string]tool{
			"slow": slow,
			"ask": func(ctx context.Context, r *mcp.CallToolRequest) error {
				asked <- r.Session.Ping(context.Background(), nil)
				return nil
			},
		})
		ctx, end := context.WithCancel(context.Background())
		h := newSession(ctx, New(server, quiet), func(ctx context.Context, _ codec.Raw) error {
			<-ctx.Done() // a CLI that does not read
			return context.Cause(ctx)
		})
		for _, message := range []string{peertest.MCPInitialize, peertest.MCPInitialized} {
			if _, err := h.HandleMCP(ctx, codec.Raw(message)); err != nil {
				t.Fatal(err)
			}
		}
		replies := make(chan error, 2)
		for _, name := range []string{"slow", "ask"} {
			go func() {
				_, err := h.HandleMCP(context.Background(), codec.Raw(peertest.MCPCallTool(`2`, name)))
				replies <- err
			}()
		}
		synctest.Wait()
		end()
		<-ended
		if err := <-asked; err == nil {
			t.Error("a ping was answered by nobody")
		}
		for range 2 {
			if err := <-replies; err != nil && err != errEnded { // nil: the tool's own answer was faster
				t.Errorf("HandleMCP = %v", err)
			}
		}
		if n := sessions(server); n != 0 {
			t.Errorf("%d sessions are left", n)
		}
		if len(h.live)+len(h.calls)+len(h.asked) > 0 {
			t.Errorf("left: %d connections, %d calls, %d questions", len(h.live), len(h.calls), len(h.asked))
		}
		if _, err := h.HandleMCP(context.Background(), codec.Raw(peertest.MCPListTools)); err != errEnded {
			t.Errorf("HandleMCP after the end = %v", err)
		}
	})
}

func TestCloseWaitsForTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		returned := false
		h := New(newServer(nil, map[string]tool{"deaf": func(context.Context, *mcp.CallToolRequest) error {
			<-release
			returned = true
			return nil
		}}), quiet)
		c := newCLI(t, h)
		c.shake()
		reply := c.begin(t.Context(), peertest.MCPCallTool(`2`, "deaf"))
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				h.Close()
				if !returned {
					t.Error("Close returned before the tool did")
				}
			})
		}
		if got := <-reply; !strings.Contains(got, errEnded.Error()) { // the CLI does not wait for it
			t.Errorf("got %s", got)
		}
		close(release)
		wg.Wait()
		h.Close()
		if got := <-c.begin(t.Context(), peertest.MCPInitialize); !strings.Contains(got, errClosed.Error()) {
			t.Errorf("initialize after Close: %s", got)
		}
	})
}

func TestHandlerServesOneSessionAfterAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil, map[string]tool{"greet": plain})
		h := New(server, quiet)
		for range 3 {
			c := newCLI(t, h)
			c.shake()
			wantText(t, c.say(peertest.MCPCallTool(`2`, "greet")), textReply(`2`, "greet"))
			if n := sessions(server); n != 1 {
				t.Errorf("%d sessions", n)
			}
			c.end()
		}
	})
}

func TestServersCanBeSharedBySessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil, map[string]tool{"greet": plain})
		first, second := newCLI(t, New(server, quiet)), newCLI(t, New(server, quiet))
		first.shake()
		second.shake()
		for _, c := range []*cli{first, second} {
			wantText(t, c.say(peertest.MCPCallTool(`2`, "greet")), textReply(`2`, "greet"))
		}
		server.RemoveTools("greet")
		time.Sleep(time.Second)
		first.next()
		second.next()
	})
}

// Each session has its own connection: neither is disturbed by what the other does.
func TestHandlerServesSessionsAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, ended := untilCancelled()
		h := New(newServer(nil, map[string]tool{
			"slow": slow,
			"work": func(ctx context.Context, r *mcp.CallToolRequest) error {
				return r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: 7, Progress: 1})
			},
		}), quiet)
		first := newCLI(t, h)
		first.shake()
		running := first.begin(t.Context(), peertest.MCPCallTool(`2`, "slow"))
		second := newCLI(t, h)
		second.shake()
		wantText(t, first.say(peertest.MCPCallTool(`3`, "work")), textReply(`3`, "work"))
		if got := first.next(); !strings.Contains(got, "notifications/progress") {
			t.Errorf("the server sent %s", got)
		}
		second.nothing()
		second.end()
		synctest.Wait()
		select {
		case err := <-ended:
			t.Errorf("the tool of the first session was ended: %v", err)
		case got := <-running:
			t.Errorf("the tool of the first session has returned %s", got)
		default:
		}
		first.end()
		<-ended
	})
}

// A keep-alive that is not answered makes the go-sdk end the session; a new handshake helps.
func TestSessionThatTheServerEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(&mcp.ServerOptions{KeepAlive: time.Minute}, map[string]tool{"greet": plain})
		c := newCLI(t, New(server, quiet))
		c.shake()
		time.Sleep(2 * time.Minute)
		if got := c.next(); !strings.Contains(got, `"ping"`) {
			t.Errorf("sent %s", got)
		}
		if got := <-c.begin(t.Context(), peertest.MCPCallTool(`2`, "greet")); !strings.Contains(got, errEnded.Error()) {
			t.Errorf("got %s", got)
		}
		c.shake()
		wantText(t, c.say(peertest.MCPCallTool(`2`, "greet")), textReply(`2`, "greet"))
	})
}

func TestConcurrentCallsCancellationsAndHandshakesLeaveNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil, map[string]tool{"work": func(ctx context.Context, r *mcp.CallToolRequest) error {
			r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: 1})
			select {
			case <-time.After(time.Millisecond):
			case <-ctx.Done():
			}
			return nil
		}})
		h := New(server, quiet)
		ctx, end := context.WithCancel(context.Background())
		s := h.ConnectMCP(ctx, func(context.Context, codec.Raw) error { return nil }).(*session)
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for range 50 {
					callCtx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*time.Millisecond/4)
					s.HandleMCP(callCtx, codec.Raw(peertest.MCPCallTool(`2`, "work")))
					cancel()
					if i == 0 {
						s.HandleMCP(context.Background(), codec.Raw(peertest.MCPInitialize))
						s.HandleMCP(context.Background(), codec.Raw(peertest.MCPCancelCall(`2`)))
					}
				}
			})
		}
		wg.Wait()
		end()
		h.Close()
		if n := sessions(server); n != 0 {
			t.Errorf("%d sessions are left", n)
		}
		if len(h.sessions)+len(s.live)+len(s.calls)+len(s.asked) > 0 {
			t.Errorf("left: %d connections, %d calls, %d questions", len(s.live), len(s.calls), len(s.asked))
		}
	})
}
