package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/ccwire/ccwire/transport"
)

var quiet = &Options{Logger: peertest.Quiet}

// cli is a CLI in memory that talks to a Handler over two pipes, as it does through a session. It
// belongs into a synctest bubble.
type cli struct {
	testing.TB
	conn, host *transport.Conn
	handler    transport.MCPHandler
	end        context.CancelFunc // ends the session
	out        chan string        // the JSON-RPC messages that the server sent by itself
	refuse     error              // how the next ones are answered
}

// newCLI starts a handler as a session does. Both ends are closed at the end of the test.
func newCLI(t testing.TB, h *Handler) *cli {
	t.Helper()
	hostIn, cliOut := io.Pipe()
	cliIn, hostOut := io.Pipe()
	c := &cli{TB: t, out: make(chan string, 100)}
	c.host = transport.NewConn(hostIn, hostOut, &transport.ConnOptions{Logger: quiet.Logger,
		Answer: func(ctx context.Context, r wire.Request) (codec.Appender, error) {
			reply, err := c.handler.HandleMCP(ctx, r.(*wire.MCPMessageRequest).Message)
			if err == nil && reply == nil {
				reply = codec.Raw(`{}`)
			}
			return &wire.MCPMessageResponse{MCPResponse: reply}, err
		}})
	c.conn = transport.NewConn(cliIn, cliOut, &transport.ConnOptions{Logger: quiet.Logger,
		Answer: func(_ context.Context, r wire.Request) (codec.Appender, error) {
			c.out <- r.(*wire.MCPMessageRequest).Message.String()
			return nil, c.refuse
		}})
	ctx, cancel := context.WithCancel(context.Background())
	c.end = cancel
	c.handler = h.ConnectMCP(ctx, func(ctx context.Context, message codec.Raw) error {
		client := wire.Client{Caller: c.host}
		return client.MCPMessage(ctx, &wire.MCPMessageRequest{ServerName: "srv", Message: message})
	})
	t.Cleanup(func() {
		cancel()
		c.host.Close()
		c.conn.Close()
		synctest.Wait()
	})
	return c
}

// send sends a JSON-RPC message and returns what came back for it.
func (c *cli) send(ctx context.Context, message string) (string, error) {
	body, err := c.conn.Call(ctx, &wire.MCPMessageRequest{ServerName: "srv", Message: codec.Raw(message)})
	return codec.Raw(body).Find("/mcp_response").String(), err
}

// say sends a JSON-RPC message that must get a reply, and returns it.
func (c *cli) say(message string) string {
	c.Helper()
	reply, err := c.send(c.Context(), message)
	if err != nil {
		c.Errorf("%s: %v", message, err)
	}
	return reply
}

// begin sends a JSON-RPC message; the reply comes later. An error comes as text, too.
func (c *cli) begin(ctx context.Context, message string) <-chan string {
	done := make(chan string, 1)
	go func() {
		reply, err := c.send(ctx, message)
		if err != nil {
			reply = err.Error()
		}
		done <- reply
	}()
	synctest.Wait()
	return done
}

// shake does the handshake as the CLI does.
func (c *cli) shake() {
	c.Helper()
	if got := c.say(peertest.MCPInitialize); codec.Raw(got).Find("/result/protocolVersion").String() != `"2025-11-25"` {
		c.Errorf("initialize: %s", got)
	}
	if got := c.say(peertest.MCPInitialized); got != `{}` {
		c.Errorf("initialized: %s", got)
	}
}

// next returns the next message that the server sent by itself.
func (c *cli) next() string {
	c.Helper()
	synctest.Wait()
	select {
	case m := <-c.out:
		return m
	default:
		c.Fatal("the server sent nothing")
		return ""
	}
}

// nothing fails if the server sent something by itself.
func (c *cli) nothing() {
	c.Helper()
	synctest.Wait()
	select {
	case m := <-c.out:
		c.Errorf("the server sent %s", m)
	default:
	}
}

// textReply is the reply to a call of a tool.
func textReply(id, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
}

func wantText(t testing.TB, got, want string) {
	t.Helper()
	var a, b any
	if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		t.Fatalf("got %s, want %s", got, want)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// wantError fails if a reply is not an error with that code and a part of that message.
func wantError(t testing.TB, reply string, code, part string) {
	t.Helper()
	message, _ := codec.Raw(reply).Find("/error/message").Text()
	if got := codec.Raw(reply).Find("/error/code").String(); got != code || !strings.Contains(message, part) {
		t.Errorf("got %s, want an error %s with %q", reply, code, part)
	}
}

type tool = func(context.Context, *mcp.CallToolRequest) error

// newServer makes a server with tools that answer with their name, or with their error.
func newServer(opts *mcp.ServerOptions, tools map[string]tool) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	for name, f := range tools {
		mcp.AddTool(server, &mcp.Tool{Name: name}, func(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			if err := f(ctx, r); err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name}}}, nil, nil
		})
	}
	return server
}

func plain(context.Context, *mcp.CallToolRequest) error { return nil }

// untilCancelled returns a tool that runs until its context ends, and a channel that says so.
func untilCancelled() (tool, <-chan error) {
	ended := make(chan error, 10)
	return func(ctx context.Context, _ *mcp.CallToolRequest) error {
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	}, ended
}

// sessions counts the sessions of a server.
func sessions(server *mcp.Server) (n int) {
	synctest.Wait()
	for range server.Sessions() {
		n++
	}
	return n
}

var errRefused = errors.New("no")
