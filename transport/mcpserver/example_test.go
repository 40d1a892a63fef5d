package mcpserver_test

import (
	"context"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/mcpserver"
)

type numbers struct {
	A int `json:"a"`
	B int `json:"b"`
}

// Give the model a tool that runs in this process.
func ExampleNew() {
	server := mcp.NewServer(&mcp.Implementation{Name: "calc", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "Adds two numbers."},
		func(_ context.Context, _ *mcp.CallToolRequest, n numbers) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(n.A + n.B)}}}, nil, nil
		})
	opts := &transport.Options{
		MCPServers: map[string]transport.MCPServer{"calc": mcpserver.New(server, nil)},
		Flags:      transport.Flags{AllowedTools: []string{"mcp__calc__add"}},
	}
	result, err := transport.Query(context.Background(), "What is 20 + 22?", opts).Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
}
