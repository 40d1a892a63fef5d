// Mcptool gives the model a tool that runs in this process.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
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
	server := mcp.NewServer(&mcp.Implementation{Name: "calc", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "multiply", Description: "Multiplies two integers."}, multiply)
	opts := &transport.Options{MCPServers: map[string]transport.MCPServer{"calc": mcpserver.New(server, nil)}}
	opts.Flags.AllowedTools = []string{"mcp__calc__multiply"} // so that the CLI does not ask
	result, err := transport.Query(context.Background(), strings.Join(os.Args[1:], " "), opts).Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
}

// factors is the input of the tool. Its JSON Schema is made from the struct.
type factors struct {
	A int64 `json:"a"`
	B int64 `json:"b"`
}

func multiply(_ context.Context, _ *mcp.CallToolRequest, in factors) (*mcp.CallToolResult, map[string]int64, error) {
	return nil, map[string]int64{"product": in.A * in.B}, nil // an error would go to the model, as the tool's result
}
