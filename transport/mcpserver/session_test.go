package mcpserver

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/ccwire/ccwire/transport"
)

func TestMain(m *testing.M) { peertest.Main(m) }

// open starts a session with a scripted CLI, which is closed at the end of the test.
func open(t *testing.T, h *Handler) *transport.Session {
	t.Helper()
	c := peertest.NewChild(t, "cli")
	s, err := transport.Open(t.Context(), &transport.Options{
		CLI: c.Path, Env: append(c.Env, peertest.InitEnv+"=mcp"), CleanEnv: true, SkipVersionCheck: true, Logger: peertest.Quiet,
		MCPServers: map[string]transport.MCPServer{"srv": h},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// nextReply returns the next reply of the server that the CLI got, null for one without an id.
func nextReply(t *testing.T, s *transport.Session) codec.Raw {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), peertest.Patience)
	defer cancel()
	f, err := s.Receive(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return codec.Raw(*f.(*wire.KeepAlive).StartupMark).Find("/response/response/mcp_response")
}

func TestCancellationRightBehindItsCallIsNotLost(t *testing.T) {
	const calls = 15 // two messages each, below the limit of requests at once
	slow, _ := untilCancelled()
	h := New(newServer(nil, map[string]tool{"slow": slow}), quiet)
	s := open(t, h)
	var lines strings.Builder // that the CLI writes at once
	for i := range calls {
		id := strconv.Itoa(i)
		lines.WriteString(peertest.RequestLine("call"+id, peertest.MCPRequest(peertest.MCPCallTool(id, "slow"))) + "\n")
		lines.WriteString(peertest.RequestLine("cancel"+id, peertest.MCPRequest(peertest.MCPCancelCall(id))) + "\n")
	}
	if err := s.Prompt(t.Context(), "raw "+lines.String()); err != nil {
		t.Fatal(err)
	}
	for answered := 0; answered < calls; {
		if codec.Raw(nextReply(t, s)).Find("/id") != nil {
			answered++
		}
	}
}

func TestServerInASession(t *testing.T) {
	slow, ended := untilCancelled()
	begun := make(chan struct{})
	h := New(newServer(nil, map[string]tool{
		"slow": func(ctx context.Context, r *mcp.CallToolRequest) error {
			close(begun)
			return slow(ctx, r)
		},
		"work": func(ctx context.Context, r *mcp.CallToolRequest) error {
			return r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: 7, Progress: 1})
		},
		"bad": func(context.Context, *mcp.CallToolRequest) error { panic("boom") },
	}), quiet)
	s := open(t, h)
	call := func(tool string) {
		t.Helper()
		if err := s.Prompt(t.Context(), "ask "+peertest.MCPRequest(peertest.MCPCallTool(`2`, tool))); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(tool string) string {
		t.Helper()
		call(tool)
		return nextReply(t, s).String()
	}
	wantText(t, ask("work"), textReply(`2`, "work"))
	wantError(t, ask("bad"), "-32603", "boom")
	wantText(t, ask("work"), textReply(`2`, "work"))

	call("slow")
	<-begun
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-ended
	h.Close()
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.sessions); n > 0 {
		t.Errorf("%d sessions are left", n)
	}
}
