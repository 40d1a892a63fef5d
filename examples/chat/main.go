// Chat is a conversation: each line of the input is a prompt, whose answer is printed as it is
// written.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"

	"github.com/ccwire/ccwire/transport"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("chat: ")
	if err := chat(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func chat(ctx context.Context) error {
	session, err := transport.Open(ctx, &transport.Options{Stream: true})
	if err != nil {
		return err
	}
	defer session.Close()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		for text, err := range session.Turn(ctx, lines.Text()).Text() {
			if err != nil {
				return err
			}
			fmt.Print(text)
		}
		fmt.Println()
	}
	return lines.Err()
}
