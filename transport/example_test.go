package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

// A session whose model may use the tools of MCP servers and, of the others, those that need no
// permission.
func ExampleOpen() {
	ctx := context.Background()
	s, err := transport.Open(ctx, &transport.Options{
		CanUseTool: func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			if strings.HasPrefix(r.ToolName, "mcp__") {
				return r.Allow(), nil
			}
			return r.Deny("this program only looks"), nil
		},
	})
	if err != nil {
		log.Fatal(err) // says what to do: install, update, or what the CLI wrote
	}
	defer s.Close()
	if err := s.Prompt(ctx, "What is in this folder?"); err != nil {
		log.Fatal(err)
	}
	for message, err := range s.Messages() {
		var dropped *transport.DroppedError
		if errors.As(err, &dropped) {
			continue // this program was too slow
		}
		if err != nil {
			log.Fatal(err) // the exit code and the end of stderr
		}
		switch m := message.(type) {
		case *wire.Assistant:
			fmt.Println(len(m.Message.Content), "blocks")
		case *wire.ResultSuccess:
			fmt.Println(m.Result)
			return
		}
	}
}

// A hook that keeps the model out of a folder.
func ExampleHook() {
	deny, reason := wire.PreToolUseOutputPermissionDecisionDeny, "secrets stay secret"
	opts := &transport.Options{Hooks: map[string][]transport.Hook{
		"PreToolUse": {{
			Matcher: "Read|Write|Edit",
			Callbacks: []transport.HookFunc{func(_ context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
				in, ok := r.Input.(*wire.PreToolUseInput)
				if !ok {
					return &wire.HookOutput{}, nil
				}
				if path, _ := codec.Raw(in.ToolInput).Find("/file_path").Text(); !strings.Contains(path, "/secrets/") {
					return &wire.HookOutput{}, nil
				}
				return &wire.HookOutput{HookSpecificOutput: &wire.PreToolUseOutput{PermissionDecision: &deny, PermissionDecisionReason: &reason}}, nil
			}},
		}},
	}}
	for _, err := range transport.Query(context.Background(), "Tidy up.", opts) {
		if err != nil {
			log.Fatal(err)
		}
	}
}

// Both ends of a connection in one process.
func ExampleConn() {
	r1, w1 := io.Pipe()
	r2, w2 := io.Pipe()
	cli := transport.NewConn(r1, w2, &transport.ConnOptions{
		Answer: func(_ context.Context, r wire.Request) (codec.Appender, error) {
			if r, ok := r.(*wire.SetModelRequest); ok {
				return &wire.SetModelResponse{Model: r.Model.Value + "-1"}, nil
			}
			return nil, transport.ErrUnsupported
		},
	})
	defer cli.Close()
	sdk := transport.NewConn(r2, w1, nil)
	defer sdk.Close()

	client := wire.Client{Caller: sdk}
	answer, err := client.SetModel(context.Background(), &wire.SetModelRequest{Model: codec.Some("sonnet")})
	fmt.Println(answer.Model, err)
	_, err = client.MCPStatus(context.Background(), &wire.MCPStatusRequest{})
	fmt.Println(err)
	// Output:
	// sonnet-1 <nil>
	// mcp_status: unsupported control request subtype: mcp_status (unsupported_request)
}
