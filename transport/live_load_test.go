//go:build live

package transport_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/transport"
)

// The CLI asks the guards of all tools of a turn at once. Each of them decides, however many there
// are and however long they take.
func TestLiveGuardIsAskedForEveryTool(t *testing.T) {
	const (
		tools  = 40
		secret = "the secret of the file"
	)
	block, reason := wire.HookOutputDecisionBlock, "no"
	l := openLive(t, func(o *transport.Options) {
		o.Hooks = map[string][]transport.Hook{"PreToolUse": {{Callbacks: []transport.HookFunc{
			func(ctx context.Context, _ *wire.HookCallbackRequest) (*wire.HookOutput, error) {
				select {
				case <-time.After(3 * time.Second): // what is asked, not what is awaited
				case <-ctx.Done():
				}
				return &wire.HookOutput{Decision: &block, Reason: &reason}, nil
			},
		}}}}
	}, func(dir string) []fakeapi.Turn {
		var reads []fakeapi.Block
		for i := range tools {
			name := filepath.Join(dir, fmt.Sprintf("file%d.txt", i))
			if err := os.WriteFile(name, []byte(secret), 0o600); err != nil {
				t.Fatal(err)
			}
			reads = append(reads, fakeapi.ToolUse("Read", `{"file_path":`+quoteJSON(name)+`}`))
		}
		return []fakeapi.Turn{{Content: reads}, {Text: "Done."}}
	})
	l.say("read the files")
	l.success()
	results := 0
	for _, r := range l.api.Requests() {
		for _, result := range r.ToolResults {
			results++
			if strings.Contains(result.Text, secret) {
				t.Errorf("the model was told the text of a file")
			}
		}
	}
	if results < tools {
		t.Errorf("the model was told %d results of %d tools", results, tools)
	}
}

// A program that does not read its messages loses none of them: they wait in memory and on the
// disk, and the CLI works on.
func TestLiveUnreadMessagesAreKept(t *testing.T) {
	text := strings.Repeat("many words ", 20_000)
	l := openLive(t, func(o *transport.Options) {
		o.Flags.IncludePartialMessages = true
		o.Limits.MessageBytes = 1 << 20
	}, says(text))
	l.say("tell me")
	for len(l.api.Requests()) == 0 || l.State() != transport.Running {
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := l.Client.MCPStatus(l.ctx, &wire.MCPStatusRequest{}); err != nil { // control traffic flows
		t.Error(err)
	}
	l.wantText(text)
}

// While the pipe is held the CLI keeps what it says in its own memory, and works on.
func TestLiveCLIWorksOnWhileItsPipeIsHeld(t *testing.T) {
	text := strings.Repeat("many words ", 20_000)
	l := openLive(t, func(o *transport.Options) {
		o.Flags.IncludePartialMessages = true
		o.WhenFull = transport.Hold
		o.Limits.MessageBytes = 64 << 10
	}, func(dir string) []fakeapi.Turn {
		input := `{"file_path":` + quoteJSON(filepath.Join(dir, "made.txt")) + `,"content":"x"}`
		return []fakeapi.Turn{{Content: []fakeapi.Block{{"type": []byte(`"text"`), "text": []byte(quoteJSON(text))}, fakeapi.ToolUse("Write", input)}}, {Text: "Done."}}
	})
	l.say("tell me")
	for len(l.api.Requests()) < 2 { // the second one has the result of the tool
		if l.ctx.Err() != nil {
			t.Fatal("the CLI waits for its reader")
		}
		time.Sleep(10 * time.Millisecond)
	}
	l.wantText(text + "\n\nDone.")
}

// wantText reads up to the end of the turn and compares what the model said.
func (l *live) wantText(want string) {
	l.Helper()
	var stream transport.TextStream
	var got strings.Builder
	for {
		f, err := l.Receive(l.ctx)
		if err != nil {
			l.Fatal(err)
		}
		got.WriteString(stream.Next(f))
		if _, ok := f.(*wire.ResultSuccess); ok {
			break
		}
	}
	if got.String() != want {
		l.Errorf("the model said %d bytes, want %d", got.Len(), len(want))
	}
}
