package transcript_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/sim/transcript"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// keep returns what is kept of an answer and a reminder, and what the SDK is told of it.
func keep(t *testing.T, o transcript.Options) (file, mirror string) {
	t.Helper()
	var told bytes.Buffer
	w := output.New(&told)
	out := output.NewSession(w, release.Newest())
	out.SetID("1")
	kept := transcript.New(out, workspace.New(t.TempDir(), nil, t.TempDir()), o)
	main := kept.Main()
	main.Ask(transcript.Request{Model: "m", Effort: "high"})
	main.Say(transcript.Said{Kind: "assistant", ID: "a", Message: object.Of("id", "x", "model", "m", "content", []any{object.Of("type", "text", "text", "Hi.")},
		"stop_reason", nil, "usage", object.Of("output_tokens", 1), "context_management", nil)})
	main.Attach(transcript.Reminder("Hurry.", "date"))
	if _, err := os.Stat(kept.Path()); err == nil {
		t.Error("an answer is kept before it is complete")
	}
	main.Answered("end_turn", object.Of("output_tokens", 5))
	kept.Restart()
	w.Close()
	data, err := os.ReadFile(kept.Path())
	if err != nil {
		t.Fatal(err)
	}
	return string(data), told.String()
}

func TestAnAnswerIsKeptAsItHasEnded(t *testing.T) {
	file, mirror := keep(t, transcript.Options{})
	for _, want := range []string{`"stop_reason":"end_turn"`, `"usage":{"output_tokens":5}`, `"stop_details":null`, `"effort":"high"`, `"apiBlockIndex":0`} {
		if !strings.Contains(file, want) {
			t.Errorf("%s is not in %s", want, file)
		}
	}
	if strings.Contains(file, "context_management") {
		t.Errorf("context_management is in %s", file)
	}
	if mirror != "" {
		t.Errorf("the SDK is told %s", mirror)
	}
}

func TestOnlyTheMirrorShowsAttachments(t *testing.T) {
	if file, _ := keep(t, transcript.Options{}); strings.Contains(file, `"attachment"`) {
		t.Errorf("without a mirror there is %s", file)
	}
	if _, mirror := keep(t, transcript.Options{Mirror: true}); !strings.Contains(mirror, `"attachment":{"type":"date"}`) {
		t.Errorf("the mirror is %s", mirror)
	}
}

func TestWhatTheModelSaysToAServersToolIsKeptAsSaidToIt(t *testing.T) {
	w := output.New(&bytes.Buffer{})
	out := output.NewSession(w, release.Newest())
	out.SetID("1")
	kept := transcript.New(out, workspace.New(t.TempDir(), nil, t.TempDir()), transcript.Options{})
	main := kept.Main()
	say := func(id string, block object.Object) {
		main.Ask(transcript.Request{Model: "m"})
		main.Say(transcript.Said{Kind: "assistant", ID: id, Message: object.Of("id", id, "model", "m", "content", []any{block})})
		main.Answered("end_turn", object.Of("output_tokens", 5))
	}
	say("a", object.Of("type", "tool_use", "id", "u", "name", "mcp__srv__echo"))
	main.Say(transcript.Said{Kind: "user", ID: "r", Message: object.Of("role", "user", "content", []any{object.Of("type", "tool_result", "tool_use_id", "u", "content", "pong")})})
	say("b", object.Of("type", "text", "text", "Done."))
	say("c", object.Of("type", "text", "text", "More."))
	kept.Restart()
	w.Close()
	data, err := os.ReadFile(kept.Path())
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		id := line[strings.Index(line, `"uuid":"`)+len(`"uuid":"`):][:1]
		if got, want := strings.Contains(line, `"attributionMcpServer":"srv","attributionMcpTool":"echo"`), id == "b"; got != want {
			t.Errorf("said to the tool: %t, want %t, in %s", got, want, line)
		}
		if got, want := strings.Contains(line, `"mcpCallNotReadOnly":"no_hint"`), id == "r"; got != want {
			t.Errorf("the call is noted: %t, want %t, in %s", got, want, line)
		}
	}
}
