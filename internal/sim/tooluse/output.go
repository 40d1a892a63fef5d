package tooluse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

const (
	// maxError is how long the text of an error may be.
	maxError = 10_000
	// maxOutput is how long what a tool returns may be, unless the tool has its own limit.
	maxOutput = 50_000
	// maxPreview is how much the model is shown of what is longer.
	maxPreview = 2000
)

// limits are the tools that have their own limit; 0 is none.
var limits = map[string]int{"Bash": 30_000, "Grep": 20_000, "Read": 0}

// shortenError cuts the middle out of the text of an error that is too long.
func shortenError(r *turn.Result) {
	text, ok := r.Block.Get("content").(string)
	if units := utf16.Encode([]rune(text)); ok && r.Block.Bool("is_error") && len(units) > maxError {
		text = fmt.Sprintf("%s\n\n... [%d characters truncated] ...\n\n%s", string(utf16.Decode(units[:maxError/2])), len(units)-maxError,
			string(utf16.Decode(units[len(units)-maxError/2:])))
		r.Block = r.Block.With("content", text)
		r.Detail = "Error: " + text
	}
}

// changeOutput puts what hooks have for the output of a tool in its place. Of a tool that is not an
// MCP server's it must have the form of the tool's own.
func changeOutput(u *turn.Use, r *turn.Result, specific object.Object) {
	if r.Block.Bool("is_error") {
		return
	}
	output := specific.Get("updatedToolOutput")
	if strings.HasPrefix(u.Name, "mcp__") {
		if output == nil {
			output = specific.Get("updatedMCPToolOutput")
		}
		if output != nil {
			r.Block, r.Detail = r.Block.With("content", output), output
		}
		return
	}
	if use, ok := output.(object.Object); ok {
		if content, ok := tools.Render(u.Name, use); ok {
			r.Block, r.Detail = r.Block.With("content", content), use
		}
	}
}

// complete makes of what a tool returned what is written: an empty output is said, a long one is
// kept in a file.
func (b *Box) complete(u *turn.Use, r *turn.Result) {
	if len(r.Beside) > 0 {
		r.Detail = append(object.Of("content", r.Detail), r.Beside...)
	}
	content := r.Block.Get("content")
	if r.Block.Bool("is_error") {
		if text, ok := content.(string); ok && r.Note != "" {
			r.Block = r.Block.With("content", text+r.Note)
		}
		return
	}
	text, size, ending := content, 0, "txt"
	switch c := content.(type) {
	case string:
		size = length(c)
	case []any:
		for _, v := range c {
			block, _ := v.(object.Object)
			if block.Text("type") != "text" {
				return
			}
			size += length(block.Text("text"))
		}
		text, ending = tools.Indent(c), "json"
	default:
		return
	}
	limit, own := limits[u.Name]
	if !own {
		limit = maxOutput
	}
	switch {
	case size == 0:
		r.Block = r.Block.With("content", "("+u.Name+" completed with no output)")
	case limit > 0 && size > limit:
		whole, _ := text.(string)
		path := b.keep(u.ID+"."+ending, whole)
		r.Block = r.Block.With("content", persisted(path, length(whole), whole))
	}
}

// length is how long a text is in the CLI's own count.
func length(text string) (n int) {
	for _, c := range text {
		n += utf16.RuneLen(c)
	}
	return n
}

// keep writes what a tool returned to a file of the session, and returns its path.
func (b *Box) keep(name, text string) string {
	path := filepath.Join(b.Transcript.Folder(), "tool-results", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
		os.WriteFile(path, []byte(text), 0o600) // a path that nothing is at is as good as the text
	}
	return path
}

// persisted is what the model is told of an output that is kept in a file.
func persisted(path string, size int, text string) string {
	more := ""
	if units := utf16.Encode([]rune(text)); len(units) > maxPreview {
		text, more = string(utf16.Decode(units[:maxPreview])), "..."
		if i := strings.LastIndexByte(text, '\n'); i > maxPreview/2 {
			text = text[:i]
		}
	}
	return fmt.Sprintf("<persisted-output>\nOutput too large (%s). Full output saved to: %s\n\nPreview (first 2KB):\n%s\n%s\n</persisted-output>", amount(size), path, text, more)
}

// amount is a number of bytes for people.
func amount(n int) string {
	text, unit := fmt.Sprintf("%.1f", float64(n)/1024), "KB"
	if n >= 1<<20 {
		text, unit = fmt.Sprintf("%.1f", float64(n)/(1<<20)), "MB"
	}
	return strings.TrimSuffix(text, ".0") + unit
}
