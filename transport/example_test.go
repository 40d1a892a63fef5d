package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
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
	for _, prompt := range []string{"What is in this folder?", "Which file is the largest?"} {
		for text, err := range s.Turn(ctx, prompt).Text() {
			if err != nil {
				log.Fatal(err) // the API's error, or the exit code and the end of stderr
			}
			fmt.Print(text)
		}
		fmt.Println()
	}
}

// Ask one question and print the answer as it comes.
func ExampleQuery() {
	opts := &transport.Options{Flags: transport.Flags{IncludePartialMessages: true}}
	turn := transport.Query(context.Background(), "What is the capital of France?", opts)
	for text, err := range turn.Text() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(text)
	}
}

// Tell a turn that failed from a session that did.
func ExampleTurnError() {
	result, err := transport.Query(context.Background(), "Hello!", nil).Result()
	var failed *transport.TurnError
	switch {
	case errors.As(err, &failed) && failed.Status == 429:
		log.Fatal("too many requests: ", err)
	case err != nil:
		log.Fatal(err)
	}
	fmt.Println(result.Text())
}

// A session with a CLI that runs already, here one that is a goroutine of this program.
func ExampleOpenConn() {
	ctx := context.Background()
	ours, theirs := net.Pipe()
	cli := transport.NewConn(theirs, theirs, &transport.ConnOptions{
		Answer: func(context.Context, wire.Request) (codec.Appender, error) { return &wire.InitializeResponse{}, nil },
	})
	defer cli.Close()
	go func() { // ends with the connection
		for message := range cli.Messages() {
			if user, ok := message.(*wire.User); ok {
				cli.Send(ctx, &wire.ResultSuccess{Result: "You said: " + *user.Message.Content.Text})
			}
		}
	}()

	s, err := transport.OpenConn(ctx, ours, ours, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	result, err := s.Turn(ctx, "hello").Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
	// Output: You said: hello
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
	if _, err := transport.Query(context.Background(), "Tidy up.", opts).Result(); err != nil {
		log.Fatal(err)
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
