package servers

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/mcp"
)

// Use is what came of the use of a tool.
type Use struct {
	Content     any           // that the model is told
	Result      any           // the member tool_use_result
	Beside      object.Object // what the server said beside it, which only SDKs see
	Note        string        // what the model is told after an error
	Failed      bool
	Interrupted bool // the context has ended
}

// Use uses a tool of a server, or one of those for resources. It reports false for other tools.
func (s *Servers) Use(ctx context.Context, id, name string, input object.Object) (Use, bool) {
	switch name {
	case "ListMcpResourcesTool":
		list, err := s.Resources(ctx, input.Text("server"))
		return asJSON(list, err), true
	case "ReadMcpResourceTool":
		o, err := s.ReadResource(ctx, input.Text("server"), input.Text("uri"))
		return asJSON(o, err), true
	}
	t, ok := s.Tool(name)
	if !ok {
		return Use{}, false
	}
	r, err := s.Call(ctx, t, input, id)
	switch {
	case err != nil && ctx.Err() != nil:
		return Use{Interrupted: true}, true
	case err != nil:
		return failed(err), true
	case r.IsError:
		text := cmp.Or(conversation.Text(r.Content), "Unknown error")
		return Use{Content: text, Result: "Error: " + text, Beside: object.Of("_meta", orAbsent(r.Whole, "_meta")), Note: s.note(t), Failed: true}, true
	}
	return s.returned(t.Server, r), true
}

// note is what the model is told after the first error of a tool whose input it was not told of.
// The CLI has a text of its own there.
func (s *Servers) note(t mcp.Tool) string {
	if !s.Explain(t.Name) {
		return ""
	}
	return fmt.Sprintf("\n\nThe tool was used before the model was told of its input, so here it is: %s\n"+
		"An input that does not fit it is the reason for most errors: look at it, and use the tool once more if that is so. "+
		"Otherwise the server has another reason. ToolSearch with the query \"select:%s\" tells all about the tool.",
		object.Text(t.Spec.Get("inputSchema")), t.Name)
}

func failed(err error) Use {
	return Use{Content: err.Error(), Result: "Error: " + err.Error(), Failed: true}
}

func asJSON(v any, err error) Use {
	if err != nil {
		return failed(err)
	}
	return Use{Content: object.Text(v), Result: v}
}
