package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"log"

	"github.com/ccwire/ccwire/transport/cli"
)

// Start the CLI, say one thing, read until it ends.
func ExampleStart() {
	path, err := cli.Find("")
	if err != nil {
		log.Fatal(err) // says where it looked and how to install the CLI
	}
	p, err := cli.Start(cli.Options{
		Path: path,
		Args: []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json", "--permission-mode", "default"},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Stop(context.Background())

	fmt.Fprintln(p.Stdin(), `{"type":"user","message":{"role":"user","content":"hello"}}`)
	p.Stdin().Close() // the CLI finishes the turn, then ends
	lines := bufio.NewReader(p.Stdout())
	for {
		line, err := lines.ReadString('\n')
		fmt.Print(line)
		if err != nil {
			break
		}
	}
	if err := p.Wait(); err != nil {
		log.Fatal(err) // the exit code and the end of stderr
	}
}

// Refuse a CLI that is known to be too old; go on with one that does not say.
func ExampleProbe() {
	version, err := cli.Probe(context.Background(), "claude", nil)
	if err != nil {
		log.Printf("version unknown: %v", err)
	}
	if err := version.Require(cli.FeatureHooks, cli.FeatureMCP); err != nil {
		log.Fatal(err)
	}
}
