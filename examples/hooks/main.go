// Hooks runs a prompt with two hooks: one blocks dangerous shell commands before they run, one logs
// each tool that has run.
//
//	go run ./examples/hooks "How many files are here? Then delete them all."
//
// The CLI comes from CLAUDE_CLI or PATH and must be logged in, or ANTHROPIC_API_KEY must be set. If
// the turn fails, the reason goes to stderr and the exit code is 1.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("hooks: ")
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: hooks PROMPT")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, strings.Join(os.Args[1:], " "), &transport.Options{}, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run prints what the hooks do, and the result.
func run(ctx context.Context, prompt string, opts *transport.Options, out io.Writer) error {
	logger := log.New(out, "", 0)
	opts.Hooks = map[string][]transport.Hook{
		wire.HookEventPreToolUse:  {{Matcher: "Bash", Callbacks: []transport.HookFunc{blockDangerous(logger)}}},
		wire.HookEventPostToolUse: {{Callbacks: []transport.HookFunc{logUse(logger)}}},
	}
	opts.Policies.Hooks = transport.FailClosed // a guard that fails must not let anything pass
	result, err := transport.Query(ctx, prompt, opts).Result()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, result.Text())
	return nil
}

// dangerous is an example, not a filter to rely on: there are many ways to write a command.
var dangerous = regexp.MustCompile(`\brm\s+-\w*[rf]|\bmkfs\b|\bdd\b.*\bof=/dev/`)

func blockDangerous(logger *log.Logger) transport.HookFunc {
	return func(_ context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
		input, ok := r.Input.(*wire.PreToolUseInput)
		if !ok {
			return nil, fmt.Errorf("unexpected input %T", r.Input)
		}
		bash, ok := input.TypedInput().(*wire.BashInput)
		if !ok {
			return nil, fmt.Errorf("unexpected input of %s", input.ToolName)
		}
		if !dangerous.MatchString(bash.Command) {
			return &wire.HookOutput{}, nil // the usual rules apply
		}
		logger.Printf("blocked: %s", bash.Command)
		return &wire.HookOutput{HookSpecificOutput: &wire.PreToolUseOutput{
			PermissionDecision:       wire.Ptr(wire.PreToolUseOutputPermissionDecisionDeny),
			PermissionDecisionReason: wire.Ptr("this command is not allowed here"),
		}}, nil
	}
}

func logUse(logger *log.Logger) transport.HookFunc {
	return func(_ context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
		if input, ok := r.Input.(*wire.PostToolUseInput); ok {
			logger.Printf("used: %s %s", input.ToolName, input.ToolInput)
		}
		return &wire.HookOutput{}, nil
	}
}
