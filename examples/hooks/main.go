// Hooks blocks dangerous shell commands before they run.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
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
	opts := &transport.Options{Hooks: map[string][]transport.Hook{"PreToolUse": {{Matcher: "Bash", Callbacks: []transport.HookFunc{guard}}}}}
	opts.Policies.Hooks = transport.FailClosed // a guard that fails must not let anything pass
	result, err := transport.Query(context.Background(), strings.Join(os.Args[1:], " "), opts).Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
}

// dangerous is an example, not a filter to rely on: there are many ways to write a command.
var dangerous = regexp.MustCompile(`\brm\s+-\w*[rf]|\bmkfs\b|\bdd\b.*\bof=/dev/`)

func guard(_ context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	input := r.Input.(*wire.PreToolUseInput)
	bash, ok := input.TypedInput().(*wire.BashInput)
	if !ok || dangerous.MatchString(bash.Command) {
		return input.Deny("this command is not allowed here"), nil
	}
	fmt.Println("passed:", bash.Command)
	return &wire.HookOutput{}, nil // the usual rules apply
}
