package differ

import "github.com/ccwire/ccwire/internal/fakeapi"

// sdkServer is an MCP server that runs in the SDK.
func sdkServer(b *builder) {
	if !b.once("srv") {
		return
	}
	if b.one(2) {
		b.init["sdkMcpServers"] = []string{"srv"}
	} else {
		b.arg("--mcp-config", `{"mcpServers":{"srv":{"type":"sdk","name":"srv"}}}`)
	}
	b.rule(`mcp srv%s`, oneOf(b, "", "", "",
		` {"result":{"content":[{"type":"text","text":"it failed"}],"isError":true}}`,
		` {"result":{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}}`,
		` {"result":{"content":[{"type":"text","text":"{\"n\":1}"}],"structuredContent":{"n":1}}}`,
		` {"result":{"content":[{"type":"resource_link","uri":"file:///a.txt","name":"a.txt"}]}}`,
		` {"result":{"content":[{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","text":"inside"}}]}}`,
		` {"result":{"content":[]}}`,
		` {"error":{"code":-32000,"message":"it broke"}}`))
	if b.one(2) {
		b.arg("--allowedTools", "mcp__srv__echo")
	}
	b.say(fakeapi.ToolUse("mcp__srv__echo", `{"text":"ping"}`))
	b.done()
	b.ask()
}

// echoServer is an MCP server on stdio. Its tool echo says pong, its tool fail fails.
const echoServer = `#!/bin/sh
while read -r line; do
	id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
	case $line in
	*'"method":"server/discover"'*)
		id=$(printf '%s' "$line" | sed -n 's/.*"id":\("[^"]*"\).*/\1/p')
		echo '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32601,"message":"Method not found"}}' ;;
	*'"method":"initialize"'*)
		version=$(printf '%s' "$line" | sed -n 's/.*"protocolVersion":"\([^"]*\)".*/\1/p')
		echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"'"$version"'","capabilities":{"tools":{}},"serverInfo":{"name":"local","version":"1.0.0"}}}' ;;
	*'"method":"tools/list"'*)
		echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}},{"name":"fail","description":"Fails.","inputSchema":{"type":"object"}}]}}' ;;
	*'"method":"resources/'*)
		echo '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32601,"message":"Method not found"}}' ;;
	*'"name":"fail"'*)
		echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"isError":true,"content":[{"type":"text","text":"it failed"}]}}' ;;
	*'"method":"tools/call"'*)
		echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"pong"}]}}' ;;
	esac
done
`

// stdioServer is an MCP server that the CLI runs.
func stdioServer(b *builder) {
	if !b.once("local") {
		return
	}
	b.files["echo.sh"] = echoServer
	config := `{"mcpServers":{"local":{"type":"stdio","command":"./echo.sh","args":[]}}}`
	if b.one(5) {
		config = `{"mcpServers":{"local":{"command":"./no-such-program"}}}`
	}
	b.arg("--mcp-config", config)
	// Until the server is there, what the session says of it is a race.
	b.step(`request up {"subtype":"mcp_reconnect","serverName":"local"}`)
	b.reply("up")
	b.say(fakeapi.ToolUse(oneOf(b, "mcp__local__echo", "mcp__local__echo", "mcp__local__fail", "mcp__local__other"), `{}`))
	b.done()
	b.ask()
	if b.one(2) {
		b.request(`{"subtype":"mcp_status"}`)
	}
}
