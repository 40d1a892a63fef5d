"""An MCP server in the same process, for Session(servers={"name": server("name", tools)})."""


def server(name, tools):
    """Serves tools: a dict of (description, schema of the input, function that returns a text)."""

    async def answer(message):
        if "id" not in message:
            return {}  # a notification
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        match message:
            case {"method": "initialize", "params": {"protocolVersion": version}}:
                me = {"capabilities": {"tools": {}}, "serverInfo": {"name": name, "version": "1.0.0"}}
                return {**reply, "result": {"protocolVersion": version, **me}}
            case {"method": "ping"}:
                return {**reply, "result": {}}
            case {"method": "tools/list"}:
                listed = [{"name": n, "description": d, "inputSchema": s} for n, (d, s, _) in tools.items()]
                return {**reply, "result": {"tools": listed}}
            case {"method": "tools/call", "params": {"name": tool, **params}} if tool in tools:
                try:
                    text, failed = await tools[tool][2](params.get("arguments", {})), False
                except Exception as e:
                    text, failed = str(e) or repr(e), True
                return {**reply, "result": {"content": [{"type": "text", "text": text}], "isError": failed}}
        return {**reply, "error": {"code": -32601, "message": f"no method {message.get('method')}"}}

    return answer
