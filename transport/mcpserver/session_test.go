package mcpserver

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// scriptedEnv makes this test binary a CLI, the one that it names.
const scriptedEnv = "CCWIRE_TEST_SCRIPTED_CLI"

func TestMain(m *testing.M) {
	switch os.Getenv(scriptedEnv) {
	case "scripted":
		scriptedCLI()
	case "hasty":
		hastyCLI()
	default:
		os.Exit(m.Run())
	}
}

// scriptedCLI answers initialize after an MCP handshake, as CLIs from 2.0.77 on do, and a prompt by
// a call of the tool that it names. What comes back is the text of a user message.
func scriptedCLI() {
	var conn *transport.Conn
	started := make(chan struct{})
	say := func(message string) string {
		body, err := conn.Call(context.Background(), &wire.MCPMessageRequest{ServerName: "srv", Message: codec.Raw(message)})
		if err != nil {
			return err.Error()
		}
		return codec.Find(body, "/mcp_response").String()
	}
	conn = transport.NewConn(os.Stdin, os.Stdout, &transport.ConnOptions{Answer: func(_ context.Context, r wire.Request) (codec.Appender, error) {
		<-started
		if _, ok := r.(*wire.InitializeRequest); ok {
			for _, message := range []string{initialize, confirmed, listTools} {
				say(message)
			}
		}
		return nil, nil
	}})
	close(started)
	for frame, err := range conn.Messages() {
		prompt, ok := frame.(*wire.User)
		if err != nil || !ok {
			continue
		}
		text := say(callTool(`2`, *prompt.Message.Content.Text))
		prompt.Message.Content.Text = &text
		conn.Send(context.Background(), prompt)
	}
}

// hastyCLI answers initialize, and in the same write it calls the tool "slow" some times and
// cancels each call at once. When all calls are answered it sends a user message.
func hastyCLI() {
	const calls = 15 // two messages each, below the limit of requests at once
	request := func(id, message string) string {
		return `{"type":"control_request","request_id":"` + id + `","request":{"subtype":"mcp_message","server_name":"srv","message":` + message + "}}\n"
	}
	answered := 0
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		line := lines.Bytes()
		if id := codec.Find(line, "/request_id"); id != nil {
			out := `{"type":"control_response","response":{"subtype":"success","request_id":` + id.String() + `,"response":{}}}` + "\n"
			for i := range calls {
				id := strconv.Itoa(i)
				out += request("call"+id, callTool(id, "slow")) + request("cancel"+id, cancelCall(id))
			}
			os.Stdout.WriteString(out)
		}
		if codec.Find(line, "/response/response/mcp_response/id") != nil {
			if answered++; answered == calls {
				os.Stdout.WriteString(`{"type":"user","message":{"role":"user","content":"all answered"},"parent_tool_use_id":null,"session_id":""}` + "\n")
			}
		}
	}
}

// open starts a session with one of the CLIs above, which is closed at the end of the test.
func open(t *testing.T, cli string, h *Handler) *transport.Session {
	t.Helper()
	s, err := transport.Open(t.Context(), &transport.Options{
		CLI: os.Args[0], Env: append(os.Environ(), scriptedEnv+"="+cli), SkipVersionCheck: true, Logger: quiet.Logger,
		MCPServers: map[string]transport.MCPHandler{"srv": h},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestCancellationRightBehindItsCallIsNotLost(t *testing.T) {
	slow, _ := untilCancelled()
	h := New(newServer(nil, map[string]tool{"slow": slow}), quiet)
	s := open(t, "hasty", h)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := s.Receive(ctx); err != nil {
		t.Errorf("a cancelled call is not answered: %v", err)
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
	s := open(t, "scripted", h)
	ask := func(tool string) string {
		t.Helper()
		if err := s.Prompt(t.Context(), tool); err != nil {
			t.Fatal(err)
		}
		f, err := s.Receive(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return *f.(*wire.User).Message.Content.Text
	}
	wantText(t, ask("work"), textReply(`2`, "work"))
	wantError(t, ask("bad"), "-32603", "boom")
	wantText(t, ask("work"), textReply(`2`, "work"))

	if err := s.Prompt(t.Context(), "slow"); err != nil {
		t.Fatal(err)
	}
	<-begun
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-ended
	h.Close()
	if n := len(h.live); n > 0 {
		t.Errorf("%d connections are left", n)
	}
}
