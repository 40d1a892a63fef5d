package mcpserver

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/peertest"
)

// CLI 1.0.94 repeats the handshake at each turn.
func TestEachInitializeStartsANewServerSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []*mcp.ServerSession
		server := newServer(nil, map[string]tool{"who": func(_ context.Context, r *mcp.CallToolRequest) error {
			seen = append(seen, r.Session)
			return nil
		}})
		c := newCLI(t, New(server, quiet))
		for range 3 {
			c.shake()
			c.say(peertest.MCPListTools)
			wantText(t, c.say(peertest.MCPCallTool(`2`, "who")), textReply(`2`, "who"))
			if n := sessions(server); n != 1 {
				t.Errorf("%d sessions", n)
			}
		}
		if seen[0] == seen[1] || seen[1] == seen[2] {
			t.Error("a session was used twice")
		}
	})
}

// The order is that of CLI 2.0.77 with --mcp-config: the second handshake begins between
// initialized and tools/list of the first.
func TestHandshakesMayOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil, map[string]tool{"greet": plain})
		c := newCLI(t, New(server, quiet))
		for _, message := range []string{peertest.MCPInitialize, peertest.MCPInitialized, peertest.MCPInitialize, peertest.MCPListTools, peertest.MCPInitialized, peertest.MCPListTools} {
			if got := c.say(message); codec.Raw(got).Find("/error") != nil {
				t.Errorf("%s: got %s", message, got)
			}
		}
		wantText(t, c.say(peertest.MCPCallTool(`2`, "greet")), textReply(`2`, "greet"))

		first, second := c.begin(t.Context(), peertest.MCPInitialize), c.begin(t.Context(), peertest.MCPInitialize)
		for _, done := range []<-chan string{first, second} {
			if got := <-done; codec.Raw(got).Find("/result/serverInfo") == nil {
				t.Errorf("initialize: %s", got)
			}
		}
		if n := sessions(server); n != 1 {
			t.Errorf("%d sessions", n)
		}
	})
}

func TestCallsOfTheSessionBeforeAreStillAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		server := newServer(nil, map[string]tool{
			"slow": func(context.Context, *mcp.CallToolRequest) error { <-release; return nil },
			"fast": plain,
		})
		c := newCLI(t, New(server, quiet))
		c.shake()
		slow := c.begin(t.Context(), peertest.MCPCallTool(`2`, "slow"))
		c.shake()
		wantText(t, c.say(peertest.MCPCallTool(`2`, "fast")), textReply(`2`, "fast"))
		if n := sessions(server); n != 2 {
			t.Errorf("%d sessions while a call of the first is open", n)
		}
		close(release)
		wantText(t, <-slow, textReply(`2`, "slow"))
		if n := sessions(server); n != 1 {
			t.Errorf("%d sessions", n)
		}
	})
}

func TestCancellationReachesACallOfTheSessionBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, ended := untilCancelled()
		c := newCLI(t, New(newServer(nil, map[string]tool{"slow": slow}), quiet))
		c.shake()
		reply := c.begin(t.Context(), peertest.MCPCallTool(`2`, "slow"))
		c.shake()
		c.say(peertest.MCPCancelCall(`2`))
		<-ended
		<-reply
	})
}

// A CLI that got a manifest of the tools with initialize skips the handshake and begins with
// tools/call.
func TestCallWithoutAHandshakeIsServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil, map[string]tool{"greet": plain})
		c := newCLI(t, New(server, quiet))
		c.say(peertest.MCPInitialized) // has no meaning yet
		first, second := c.begin(t.Context(), peertest.MCPCallTool(`2`, "greet")), c.begin(t.Context(), peertest.MCPCallTool(`3`, "greet"))
		wantText(t, <-first, textReply(`2`, "greet"))
		wantText(t, <-second, textReply(`3`, "greet"))
		if n := sessions(server); n != 1 {
			t.Errorf("%d sessions", n)
		}
	})
}
