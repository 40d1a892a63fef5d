// An MCP server in the same process: new Session({ servers: { name: server("name", tools) } }).
import type { Dict, Server } from "./sdk.js";

export type Tool = { description: string; inputSchema: Dict; call: (input: Dict, signal: AbortSignal) => Promise<string> };

// server serves tools, by their names.
export function server(name: string, tools: Record<string, Tool>): Server {
  return async ({ id, method, params }, signal) => {
    if (id === undefined) return {}; // a notification
    const reply = { jsonrpc: "2.0", id };
    switch (method) {
      case "initialize": {
        const serverInfo = { name, version: "1.0.0" };
        return { ...reply, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } };
      }
      case "ping":
        return { ...reply, result: {} };
      case "tools/list":
        return { ...reply, result: { tools: Object.entries(tools).map(([name, { call, ...tool }]) => ({ name, ...tool })) } };
      case "tools/call":
        if (!Object.hasOwn(tools, params.name)) break;
        try {
          const text = await tools[params.name].call(params.arguments ?? {}, signal);
          return { ...reply, result: { content: [{ type: "text", text }], isError: false } };
        } catch (e) {
          return { ...reply, result: { content: [{ type: "text", text: String((e as Error)?.message ?? e) }], isError: true } };
        }
    }
    return { ...reply, error: { code: -32601, message: `no method ${method}` } };
  };
}
