package peertest

// JSON-RPC messages that a CLI sends to an MCP server.
const (
	MCPInitialize  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"claude-code","version":"1"}}}`
	MCPInitialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	MCPListTools   = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
)

// MCPCallTool calls a tool without arguments.
func MCPCallTool(id, tool string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":{},"_meta":{"progressToken":7}}}`
}

// MCPCancelCall cancels the call of a tool.
func MCPCancelCall(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"interrupted"}}`
}

// MCPRequest is the body of a control request that carries a message for the server "srv".
func MCPRequest(message string) string {
	return `{"subtype":"mcp_message","server_name":"srv","message":` + message + `}`
}
