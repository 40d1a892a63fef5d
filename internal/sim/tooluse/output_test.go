package tooluse

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

func TestTheModelIsShownTheBeginningOfALongOutput(t *testing.T) {
	lines := strings.Repeat("123456789\n", 300)
	want := "<persisted-output>\nOutput too large (2.9KB). Full output saved to: /x/y.txt\n\nPreview (first 2KB):\n" +
		strings.TrimSuffix(lines[:2000], "\n") + "\n...\n</persisted-output>"
	if got := persisted("/x/y.txt", len(lines), lines); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	one := strings.Repeat("x", 3000)
	if got := persisted("/x/y.txt", len(one), one); !strings.Contains(got, "\n"+one[:2000]+"\n...\n") {
		t.Errorf("a line that is longer than the preview is cut at another place: %q", got)
	}
}

func TestALongErrorLosesItsMiddle(t *testing.T) {
	text := strings.Repeat("a", 6000) + strings.Repeat("b", 6000)
	r := turn.Result{Block: object.Of("content", text, "is_error", true), Detail: "Error: " + text}
	shortenError(&r)
	want := text[:5000] + "\n\n... [2000 characters truncated] ...\n\n" + text[7000:]
	if r.Block.Text("content") != want || r.Detail != "Error: "+want {
		t.Errorf("got %q and %q", r.Block.Text("content"), r.Detail)
	}
}

func TestAHookChangesAnOutputThatHasTheFormOfTheTool(t *testing.T) {
	for _, test := range []struct{ name, tool, output, content string }{
		{"a tool of a server takes anything", "mcp__s__t", `{"updatedToolOutput":"new"}`, "new"},
		{"by its older name too", "mcp__s__t", `{"updatedMCPToolOutput":"new"}`, "new"},
		{"the newer name goes first", "mcp__s__t", `{"updatedToolOutput":"new","updatedMCPToolOutput":"no"}`, "new"},
		{"Bash takes its own form", "Bash", `{"updatedToolOutput":{"stdout":"new","stderr":"","interrupted":false,"isImage":false}}`, "new"},
		{"Bash takes no text", "Bash", `{"updatedToolOutput":"no"}`, "old"},
		{"Bash takes no part of its form", "Bash", `{"updatedToolOutput":{"stdout":"no"}}`, "old"},
		{"Bash is not a server's", "Bash", `{"updatedMCPToolOutput":"no"}`, "old"},
		{"Read", "Read", `{"updatedToolOutput":{"type":"text","file":{"filePath":"x","content":"new","numLines":1,"startLine":1,"totalLines":1}}}`, "1\tnew"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, err := object.Parse([]byte(test.output))
			if err != nil {
				t.Fatal(err)
			}
			r := turn.Result{Block: object.Of("content", "old"), Detail: "old"}
			changeOutput(&turn.Use{Name: test.tool}, &r, v.(object.Object))
			if got := r.Block.Text("content"); got != test.content {
				t.Errorf("the model is told %q, want %q", got, test.content)
			}
		})
	}
}
