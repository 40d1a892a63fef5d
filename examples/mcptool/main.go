// Mcptool gives the model a tool that runs in this process: an MCP server written with the Go SDK
// for MCP.
//
//	go run ./examples/mcptool "What is 123456789 * 987654321? Use the tool."
//
// The CLI comes from CLAUDE_CLI or PATH and must be logged in, or ANTHROPIC_API_KEY must be set. If
// the turn fails, the reason goes to stderr and the exit code is 1.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"math/big"
	"os"
	"os/signal"
	"strings"

	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("mcptool: ")
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: mcptool PROMPT")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, strings.Join(os.Args[1:], " "), &transport.Options{}, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run prints the result of a prompt for which the model has the tool.
func run(ctx context.Context, prompt string, opts *transport.Options, out io.Writer) error {
	opts.MCPServers = map[string]transport.MCPServer{"calc": mcpserver.New(newServer(), nil)}
	opts.Flags.AllowedTools = []string{"mcp__calc__multiply"} // so that the CLI does not ask
	result, err := transport.Query(ctx, prompt, opts).Result()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, result.Text())
	return nil
}

// factors is the input of the tool. Its JSON Schema is made from the struct.
type factors struct {
	A string `json:"a" jsonschema:"a decimal integer of any length"`
	B string `json:"b" jsonschema:"a decimal integer of any length"`
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "calc", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "multiply", Description: "Multiplies two integers exactly."}, multiply)
	return server
}

func multiply(_ context.Context, _ *mcp.CallToolRequest, in factors) (*mcp.CallToolResult, any, error) {
	a, ok := new(big.Int).SetString(in.A, 10)
	if !ok {
		return nil, nil, fmt.Errorf("%q is not an integer", in.A) // the model gets it as the tool's result
	}
	b, ok := new(big.Int).SetString(in.B, 10)
	if !ok {
		return nil, nil, fmt.Errorf("%q is not an integer", in.B)
	}
	product := a.Mul(a, b).String()
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: product}}}, nil, nil
}
