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
