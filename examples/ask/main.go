// Ask sends one prompt to the CLI and prints the text of the answer.
//
//	go run ./examples/ask "What is the capital of France?"
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
	"strings"

	"github.com/ccwire/ccwire/transport"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("ask: ")
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: ask PROMPT")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := ask(ctx, strings.Join(os.Args[1:], " "), &transport.Options{}, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// ask prints the text of the model as it comes.
func ask(ctx context.Context, prompt string, opts *transport.Options, out io.Writer) error {
	opts.Flags.IncludePartialMessages = true
	end := ""
	defer func() { fmt.Fprint(out, end) }()
	for text, err := range transport.Query(ctx, prompt, opts).Text() {
		if err != nil {
			return err
		}
		fmt.Fprint(out, text)
		end = "\n"
	}
	return nil
}
