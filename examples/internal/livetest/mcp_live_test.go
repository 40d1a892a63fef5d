//go:build live

package livetest

import (
	"context"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serve gives the options a server "srv" with one tool, "work".
func serve(opts *transport.Options, work func(context.Context, *mcp.CallToolRequest) error) (*mcp.Server, *mcpserver.Handler) {
	server := mcp.NewServer(&mcp.Implementation{Name: "srv", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "work"}, func(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "worked"}}}, nil, work(ctx, r)
	})
	h := mcpserver.New(server, nil)
	opts.MCPServers = map[string]transport.MCPServer{"srv": h}
	opts.Flags.AllowedTools = []string{"mcp__srv__work"}
	return server, h
}

func TestLiveMCPServerTalksToTheCLI(t *testing.T) {
	opts, api := Start(t, `{"turns":[{"content":[{"type":"tool_use","name":"mcp__srv__work","input":{}}]},{"text":"Done."}]}`)
	lists := make(chan struct{}, 100)
	var server *mcp.Server
	server, _ = serve(opts, func(ctx context.Context, r *mcp.CallToolRequest) error {
		if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1}); err != nil {
			t.Errorf("NotifyProgress: %v", err)
		}
		if err := r.Session.Ping(ctx, nil); err != nil {
			t.Errorf("Ping: %v", err)
		}
		for len(lists) > 0 {
			<-lists
		}
		mcp.AddTool(server, &mcp.Tool{Name: "late"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
		select {
		case <-lists: // the CLI has looked again
		case <-ctx.Done():
			t.Error("the CLI did not ask for the changed list")
		}
		return nil
	})
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				lists <- struct{}{}
			}
			return next(ctx, method, r)
		}
	})
	if _, err := transport.Query(t.Context(), "work", opts).Result(); err != nil {
		t.Fatal(err)
	}
	if results := ToolResults(api); len(results) != 1 || results[0].Text != "worked" {
		t.Errorf("the model got %+v", results)
	}
}

func TestLiveInterruptEndsTheContextOfTheTool(t *testing.T) {
	opts, _ := Start(t, `{"turns":[{"content":[{"type":"tool_use","name":"mcp__srv__work","input":{}}]}]}`)
	begun, ended := make(chan struct{}), make(chan struct{})
	_, h := serve(opts, func(ctx context.Context, _ *mcp.CallToolRequest) error {
		close(begun)
		<-ctx.Done()
		close(ended)
		return ctx.Err()
	})
	s, err := transport.Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	defer s.Close()
	if err := s.Prompt(t.Context(), "work"); err != nil {
		t.Fatal(err)
	}
	<-begun
	if _, err := s.Client.Interrupt(t.Context(), &wire.InterruptRequest{}); err != nil {
		t.Fatal(err)
	}
	<-ended // before the session ends
}
