// Ask sends one prompt to the CLI and prints the answer as it is written.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
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
	opts := &transport.Options{Stream: true}
	for text, err := range transport.Query(context.Background(), strings.Join(os.Args[1:], " "), opts).Text() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(text)
	}
	fmt.Println()
}
