#!/bin/sh
# An MCP server on stdio. Its tool ask asks the user for a name.
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
		echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"ask","inputSchema":{"type":"object"}}]}}' ;;
	*'"method":"tools/call"'*)
		call=$id
		echo '{"jsonrpc":"2.0","id":900,"method":"elicitation/create","params":{"message":"your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}' ;;
	*'"action":'*)
		echo '{"jsonrpc":"2.0","id":'"$call"',"result":{"content":[{"type":"text","text":"thanks"}]}}' ;;
	esac
done
