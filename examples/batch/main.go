// Batch answers each line of the input, four at once, for one dollar at most.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/ccwire/ccwire/transport/batch"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("batch: ")
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	prompts := strings.Split(strings.TrimSpace(string(input)), "\n")
	failed := false
	for r := range batch.Run(context.Background(), prompts, &batch.Options{Budget: 1, InOrder: true}) {
		if r.Err != nil {
			log.Printf("%s: %v", r.Prompt, r.Err)
			failed = true
			continue
		}
		fmt.Printf("%s: %s\n", r.Prompt, r.Text())
	}
	if failed {
		os.Exit(1)
	}
}
