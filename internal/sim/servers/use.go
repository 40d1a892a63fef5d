package servers

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Use is what came of the use of a tool.
type Use struct {
	Content     any // that the model is told
	Result      any // the member tool_use_result
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
		text := conversation.Text(r.Content)
		return Use{Content: text + errorNote, Result: "Error: " + text, Failed: true}, true
	}
	content := s.content(t.Server, r.Content)
	return Use{Content: content, Result: content}, true
}

// errorNote is what the model is told after the error of a server's tool. The CLI has a longer text
// of its own there.
var errorNote = "\n\n" + strings.Repeat("The tool of the MCP server has returned this text as an error. ", 6)

func failed(err error) Use {
	return Use{Content: err.Error(), Result: "Error: " + err.Error(), Failed: true}
}

func asJSON(v any, err error) Use {
	if err != nil {
		return failed(err)
	}
	return Use{Content: object.Text(v), Result: v}
}

// content makes blocks of the API of the content of a result.
func (s *Servers) content(server string, content []any) []any {
	out := []any{}
	for _, v := range content {
		b, _ := v.(object.Object)
		switch b.Text("type") {
		case "image":
			out = append(out, object.Of("type", "image", "source",
				object.Of("type", "base64", "media_type", b.Get("mimeType"), "data", b.Get("data"))))
			if path := s.keepImage(server, b); path != "" {
				out = append(out, object.Of("type", "text", "text", "[Image: source: "+path+"]"))
			}
		case "resource":
			if text, ok := b.Object("resource").Lookup("text"); ok {
				out = append(out, object.Of("type", "text", "text", fmt.Sprintf("[Resource from %s at %s] %v", server, b.Object("resource").Text("uri"), text)))
			}
		case "text":
			out = append(out, object.Of("type", "text", "text", b.Get("text")))
		default:
			out = append(out, object.Of("type", "text", "text", object.Text(b)))
		}
	}
	return out
}

// keepImage writes an image to a file of the session, and returns its path.
func (s *Servers) keepImage(server string, b object.Object) string {
	data, err := base64.StdEncoding.DecodeString(b.Text("data"))
	if err != nil {
		return ""
	}
	_, kind, _ := strings.Cut(b.Text("mimeType"), "/")
	if kind == "" || strings.ContainsAny(kind, `/\.`) {
		kind = "bin"
	}
	name := fmt.Sprintf("mcp-%s-blob-%d-%s.%s", workspace.Flat(server), s.Start.UnixMilli(), ids.UUID()[:6], kind)
	path := filepath.Join(s.Folder(), "tool-results", name)
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, data, 0o600) != nil {
		return ""
	}
	return path
}
