package mcpserver

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestToolIsListedAndCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCLI(t, New(newServer(nil, map[string]tool{"greet": plain}), quiet))
		c.shake()
		if got := c.say(peertest.MCPListTools); !strings.Contains(got, `"name":"greet"`) {
			t.Errorf("tools/list: %s", got)
		}
		for _, id := range []string{`2`, `"two"`, `0`} {
			wantText(t, c.say(peertest.MCPCallTool(id, "greet")), textReply(id, "greet"))
		}
		wantError(t, c.say(`{"jsonrpc":"2.0","id":3,"method":"no/such"}`), "-32601", "no/such")
		c.nothing()
	})
}

func TestCallsRunConcurrently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c := newCLI(t, New(newServer(nil, map[string]tool{
			"slow": func(context.Context, *mcp.CallToolRequest) error { <-release; return nil },
			"fast": plain,
		}), quiet))
		c.shake()
		var waiting []<-chan string
		for _, id := range []string{`2`, `3`, `4`} {
			waiting = append(waiting, c.begin(t.Context(), peertest.MCPCallTool(id, "slow")))
		}
		wantText(t, c.say(peertest.MCPCallTool(`5`, "fast")), textReply(`5`, "fast"))
		close(release)
		for i, id := range []string{`2`, `3`, `4`} {
			wantText(t, <-waiting[i], textReply(id, "slow"))
		}
	})
}

func TestCancelledNotificationEndsTheContextOfItsTool(t *testing.T) {
	for _, id := range []string{`2`, `"two"`} {
		t.Run(id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				slow, ended := untilCancelled()
				c := newCLI(t, New(newServer(nil, map[string]tool{"slow": slow}), quiet))
				c.shake()
				cancelled, other := c.begin(t.Context(), peertest.MCPCallTool(id, "slow")), c.begin(t.Context(), peertest.MCPCallTool(`9`, "slow"))
				if got := c.say(peertest.MCPCancelCall(id)); got != `{}` {
					t.Errorf("cancelled: %s", got)
				}
				<-ended
				if got := <-cancelled; codec.Raw(got).Find("/id").String() != id {
					t.Errorf("the cancelled call got %s", got)
				}
				synctest.Wait()
				if len(ended)+len(other) > 0 {
					t.Error("the other call ended, too")
				}
				c.say(peertest.MCPCancelCall(`9`))
				<-other
				c.say(peertest.MCPCancelCall(`9`)) // too late
			})
		})
	}
}

func TestWithdrawnControlRequestEndsTheContextOfItsTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, ended := untilCancelled()
		c := newCLI(t, New(newServer(nil, map[string]tool{"slow": slow, "fast": plain}), quiet))
		c.shake()
		ctx, cancel := context.WithCancel(t.Context())
		c.begin(ctx, peertest.MCPCallTool(`2`, "slow"))
		cancel()
		<-ended
		wantText(t, c.say(peertest.MCPCallTool(`2`, "fast")), textReply(`2`, "fast")) // the id is free again
	})
}

// A tool that does not look at its context keeps its id, which the CLI may use again.
func TestIDInUseIsServedAllTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		slow, ended := untilCancelled()
		c := newCLI(t, New(newServer(nil, map[string]tool{
			"deaf": func(context.Context, *mcp.CallToolRequest) error { <-release; return nil },
			"slow": slow, "fast": plain,
		}), quiet))
		c.shake()
		deaf := c.begin(t.Context(), peertest.MCPCallTool(`2`, "deaf"))
		slowReply := c.begin(t.Context(), peertest.MCPCallTool(`2`, "slow"))
		wantText(t, c.say(peertest.MCPCallTool(`2`, "fast")), textReply(`2`, "fast"))
		c.say(peertest.MCPCancelCall(`2`)) // means the newest
		<-ended
		if got := <-slowReply; codec.Raw(got).Find("/id").String() != `2` {
			t.Errorf("the cancelled call got %s", got)
		}
		close(release)
		wantText(t, <-deaf, textReply(`2`, "deaf"))
	})
}

func TestPanicOfAToolIsAnInternalError(t *testing.T) {
	for name, test := range map[string]struct {
		tool tool
		part string
	}{
		"panic":  {func(context.Context, *mcp.CallToolRequest) error { panic("boom") }, "boom"},
		"goexit": {func(context.Context, *mcp.CallToolRequest) error { runtime.Goexit(); return nil }, "ended its goroutine"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := newServer(nil, map[string]tool{"bad": test.tool, "good": plain})
				New(server, quiet) // a second handler of the same server changes nothing
				c := newCLI(t, New(server, quiet))
				c.shake()
				wantError(t, c.say(peertest.MCPCallTool(`2`, "bad")), "-32603", test.part)
				wantText(t, c.say(peertest.MCPCallTool(`3`, "good")), textReply(`3`, "good"))
			})
		})
	}
}

func TestGuardLeavesOtherTransportsAlone(t *testing.T) {
	called := false
	handler := recovering(func(context.Context, string, mcp.Request) (mcp.Result, error) {
		called = true
		panic("boom")
	})
	defer func() {
		if recover() == nil || !called {
			t.Error("a panic outside our connections was recovered")
		}
	}()
	handler(t.Context(), "tools/call", nil)
}

func TestUndecodableMessageIsAnError(t *testing.T) {
	h := New(newServer(nil, nil), quiet).ConnectMCP(t.Context(), nil)
	for _, message := range []string{`{}`, `[]`, `{"id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`} {
		if reply, err := h.HandleMCP(t.Context(), codec.Raw(message)); err == nil {
			t.Errorf("%s: got %s", message, reply)
		}
	}
}

func TestToolErrorIsAResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCLI(t, New(newServer(nil, map[string]tool{
			"bad": func(context.Context, *mcp.CallToolRequest) error { return errRefused },
		}), quiet))
		c.shake()
		if got := c.say(peertest.MCPCallTool(`2`, "bad")); !strings.Contains(got, `"isError":true`) {
			t.Errorf("got %s", got)
		}
	})
}
