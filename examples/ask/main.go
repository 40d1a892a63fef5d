// Ask sends one prompt to the CLI and prints the text of the answer.
//
//	go run ./examples/ask "What is the capital of France?"
//
// The CLI comes from CLAUDE_CLI or PATH and must be logged in, or ANTHROPIC_API_KEY must be set.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: ask PROMPT")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := ask(ctx, strings.Join(os.Args[1:], " "), nil, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// ask prints each text of the model's as soon as it is complete.
func ask(ctx context.Context, prompt string, opts *transport.Options, out io.Writer) error {
	for message, err := range transport.Query(ctx, prompt, opts) {
		if err != nil {
			return err
		}
		assistant, ok := message.(*wire.Assistant)
		if !ok {
			continue
		}
		for _, block := range assistant.Message.Content {
			if text, ok := block.(*wire.TextBlock); ok {
				fmt.Fprintln(out, text.Text)
			}
		}
	}
	return nil
}
