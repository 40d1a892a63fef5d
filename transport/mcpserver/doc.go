// Package mcpserver hosts servers of github.com/modelcontextprotocol/go-sdk in a
// [transport.Session], in the process of the caller.
//
//	server := mcp.NewServer(&mcp.Implementation{Name: "calc", Version: "1.0.0"}, nil)
//	mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "adds two numbers"}, add)
//	session, err := transport.Open(ctx, &transport.Options{
//		MCPServers: map[string]transport.MCPServer{"calc": mcpserver.New(server, nil)},
//	})
//
// The model then knows the tool as mcp__calc__add. Only users of this package depend on the go-sdk.
//
// # Sessions
//
// Any number of sessions can have the same [Handler], at the same time too. Each of them has
// sessions of the server of its own: what a tool sends goes to the CLI that called it, and the end
// of one session ends the tools of that one alone.
//
// # Messages
//
// The server gets the CLI's messages in the order of the wire, and serves requests concurrently, as
// the go-sdk does. A request is answered with the server's response. What the server sends by
// itself, such as progress, log messages, changes of the tool list, pings and elicitations, goes to
// the CLI; the call that sends it returns when the CLI has acknowledged it, so that progress never
// comes after the result. The CLI's answer to a request from the server comes back to the caller of
// that request. If the CLI does not take a message, the call that sends it returns an error and the
// server goes on.
//
// # Cancellation
//
// The context of a tool ends with a notifications/cancelled from the CLI, with the control request
// that carried the call, and with the session.
//
// # Handshakes
//
// Each initialize starts a new session of the server, because some CLIs do the handshake twice, or
// again at every turn, with ids that start from 0 again. Calls of the session before are still
// answered; it ends with the last of them. Two handshakes may also overlap: a request whose id is
// in use is served all the same. A first message other than initialize is served too: a CLI that
// was given a manifest of the tools begins with a call.
//
// # Panics
//
// [New] adds a middleware to the server that turns a panic of a tool, or of a middleware added
// earlier, into an error with the code -32603. It does nothing in sessions of other transports.
//
// # End
//
// When the session ends, the contexts of all tools end, and no goroutine is left but those of tools
// that have not returned. [Handler.Close] waits for these.
package mcpserver
