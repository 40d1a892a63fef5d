// Package mcp is the simulated CLI's side of MCP: the servers of a session, how they are doing, and
// the calls of their tools.
//
// A server is of the SDK, whose messages pass through the session's own pipes as control requests
// (mcp_message), or a program (stdio), or behind a URL (http, sse; on loopback only). All of them
// are served by the client of the MCP Go SDK. What that client writes to a server of the SDK is
// made to look as the CLI writes it: JSON-RPC ids from 0, no params where there are none.
//
// A [Set] has the servers of a session. What it needs of the session is a [Host].
package mcp
