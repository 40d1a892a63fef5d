package brokensdk

import (
	"encoding/json"
	"fmt"

	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// rpc is what the SDK looks at in a JSON-RPC message.
type rpc struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Name            string          `json:"name"`
		Arguments       json.RawMessage `json:"arguments"`
	} `json:"params"`
}

// mcp answers a message for one of the servers in the options.
func (c *client) mcp(r *request, cancelled <-chan struct{}) (map[string]any, error) {
	var server *driver.Server
	for i := range c.options.MCPServers {
		if c.options.MCPServers[i].Name == r.ServerName {
			server = &c.options.MCPServers[i]
		}
	}
	if server == nil {
		return nil, fmt.Errorf("no MCP server %s", r.ServerName)
	}
	var m rpc
	if err := json.Unmarshal(r.Message, &m); err != nil {
		return nil, err
	}
	reply := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	switch m.Method {
	case "initialize":
		reply["result"] = map[string]any{
			"protocolVersion": m.Params.ProtocolVersion, "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": server.Name, "version": "1.0.0"},
		}
	case "tools/list":
		var tools []any
		for _, t := range server.Tools {
			text := map[string]any{"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}}}
			tools = append(tools, map[string]any{"name": t.Name, "description": "A tool.", "inputSchema": text})
		}
		reply["result"] = map[string]any{"tools": tools}
	case "tools/call":
		reply["result"] = c.tool(server, &m, cancelled)
	default:
		if m.ID == nil { // a notification is answered too: the CLI waits for that
			return map[string]any{"mcp_response": map[string]any{}}, nil
		}
		reply["error"] = map[string]any{"code": -32601, "message": "no method " + m.Method}
	}
	return map[string]any{"mcp_response": reply}, nil
}

// tool returns the result of a call, also if the tool panics.
func (c *client) tool(server *driver.Server, m *rpc, cancelled <-chan struct{}) (result map[string]any) {
	text := func(text string, failed bool) map[string]any {
		return map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}, "isError": failed}
	}
	defer func() {
		if r := recover(); r != nil {
			result = text(fmt.Sprint(r), true)
		}
	}()
	var in struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(m.Params.Arguments, &in); err != nil {
		return text(err.Error(), true)
	}
	for i := range server.Tools {
		t := &server.Tools[i]
		if t.Name != m.Params.Name {
			continue
		}
		if !c.call(&t.Behavior, driver.Report{Kind: "mcp_tool", Name: t.Name, Input: m.Params.Arguments}, cancelled) {
			return text("no result", true)
		}
		return text("echo: "+in.Text, false)
	}
	return text("no tool "+m.Params.Name, true)
}
