package mcpserver

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// guarded holds the servers that have the middleware, as weak.Pointer[mcp.Server].
var guarded sync.Map

// guard adds the middleware to a server, once. The go-sdk does not recover: a panic would end the
// process.
func guard(server *mcp.Server) {
	key := weak.Make(server)
	if _, there := guarded.LoadOrStore(key, nil); there {
		return
	}
	runtime.AddCleanup(server, func(key weak.Pointer[mcp.Server]) { guarded.Delete(key) }, key)
	server.AddReceivingMiddleware(recovering)
}

// recovering turns a panic in one of our connections into an error, and so the end of the goroutine
// by runtime.Goexit.
func recovering(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (result mcp.Result, err error) {
		c, ok := ctx.Value(connectionKey{}).(*connection)
		if !ok {
			return next(ctx, method, r)
		}
		done := make(chan struct{})
		go func() { // ends when the handler returns
			defer close(done)
			err = fmt.Errorf("%w: %s ended its goroutine", &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}, method)
			defer func() {
				if v := recover(); v != nil {
					c.owner.h.log.Error("MCP handler panicked", "method", method, "panic", v, "stack", string(debug.Stack()))
					err = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("%s panicked: %v", method, v)}
				}
			}()
			result, err = next(ctx, method, r)
		}()
		<-done
		return result, err
	}
}
