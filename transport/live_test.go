//go:build live

package transport_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/transport"
)

func TestLiveInitialize(t *testing.T) {
	l := openLive(t, nil, says())
	r := l.Initialized()
	if l.State() != transport.Running || r == nil || len(r.Commands) == 0 || l.Version().IsZero() {
		t.Errorf("state %v, version %v, answer %+v", l.State(), l.Version(), r)
	}
	if mode := r.CurrentPermissionMode; mode != nil && *mode != wire.PermissionModeDefault {
		t.Errorf("permission mode = %s", *mode)
	}
	if err := l.CloseInput(l.ctx); err != nil {
		t.Error(err)
	}
	<-l.Done()
	var last transport.Event
	for e := range l.Events() {
		last = e
	}
	if _, ok := last.(*transport.CompletedEvent); !ok {
		t.Errorf("last event = %+v", last)
	}
}

func TestLiveTextTurn(t *testing.T) {
	l := openLive(t, nil, says("Hello."))
	l.say("hi")
	if got := l.success(); got != "Hello." {
		t.Errorf("result = %q", got)
	}
}

func TestLiveTwoTurns(t *testing.T) {
	l := openLive(t, nil, says("One.", "Two."))
	for _, want := range []string{"One.", "Two."} {
		l.say("next")
		if got := l.success(); got != want {
			t.Errorf("result = %q", got)
		}
	}
}

func TestLivePermission(t *testing.T) {
	tests := []struct {
		name   string
		answer func(r *wire.CanUseToolRequest) wire.PermissionResult
		file   string // what is in the file afterwards
		told   string // part of what the model is told of a failure
	}{
		{"allow", func(*wire.CanUseToolRequest) wire.PermissionResult { return &wire.PermissionAllow{} }, "text", ""},
		{"deny", func(r *wire.CanUseToolRequest) wire.PermissionResult { return r.Deny("not today") }, "", "not today"},
		{"modified input", func(r *wire.CanUseToolRequest) wire.PermissionResult {
			return &wire.PermissionAllow{UpdatedInput: codec.Raw(strings.Replace(r.Input.String(), `"text"`, `"changed"`, 1))}
		}, "changed", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			asked := make(chan string, 10)
			l := openLive(t, func(o *transport.Options) {
				o.CanUseTool = func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
					asked <- r.ToolName
					return test.answer(r), nil
				}
			}, writes("text", "a.txt"))
			l.say("write")
			if got := l.success(); got != "Done." {
				t.Errorf("result = %q", got)
			}
			if len(asked) != 1 || <-asked != "Write" {
				t.Errorf("asked %d times", len(asked))
			}
			if got := l.file("a.txt"); got != test.file {
				t.Errorf("the file holds %q, want %q", got, test.file)
			}
			if r := l.toolResult("Write"); r.IsError != (test.told != "") || !strings.Contains(r.Text, test.told) {
				t.Errorf("the model was told %+v", r)
			}
		})
	}
}

func TestLivePermissionWithoutACallbackIsDenied(t *testing.T) {
	l := openLive(t, nil, writes("text", "a.txt"))
	l.say("write")
	l.success()
	if got := l.file("a.txt"); got != "" {
		t.Errorf("the file holds %q", got)
	}
}

func TestLiveHookBlocks(t *testing.T) {
	l := openLive(t, func(o *transport.Options) {
		o.CanUseTool = func(context.Context, *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			t.Error("asked for what the hook has denied")
			return nil, nil
		}
		o.Hooks = map[string][]transport.Hook{"PreToolUse": {{Matcher: "Write", Callbacks: []transport.HookFunc{
			func(_ context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
				if in, ok := r.Input.(*wire.PreToolUseInput); !ok || in.ToolName != "Write" {
					t.Errorf("input = %+v", r.Input)
				}
				deny, reason := wire.PreToolUseOutputPermissionDecisionDeny, "the hook says no"
				return &wire.HookOutput{HookSpecificOutput: &wire.PreToolUseOutput{PermissionDecision: &deny, PermissionDecisionReason: &reason}}, nil
			},
		}}}}
	}, writes("text", "a.txt"))
	l.say("write")
	l.success()
	if got := l.file("a.txt"); got != "" {
		t.Errorf("the file holds %q", got)
	}
	if r := l.toolResult("Write"); !r.IsError || !strings.Contains(r.Text, "the hook says no") {
		t.Errorf("the model was told %+v", r)
	}
}

// A hook that fails lets the tool run: the answer of the policy is one that the CLI accepts.
func TestLiveHookFailsOpen(t *testing.T) {
	l := openLive(t, func(o *transport.Options) {
		o.Flags.PermissionMode = string(wire.PermissionModeAcceptEdits)
		o.Hooks = map[string][]transport.Hook{"PreToolUse": {{Callbacks: []transport.HookFunc{
			func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) { panic("boom") },
		}}}}
	}, writes("text", "a.txt"))
	l.say("write")
	l.success()
	if got := l.file("a.txt"); got != "text" {
		t.Errorf("the file holds %q", got)
	}
}

func TestLiveHookFailsClosed(t *testing.T) {
	l := openLive(t, func(o *transport.Options) {
		o.Flags.PermissionMode = string(wire.PermissionModeAcceptEdits)
		o.Policies.Hooks = transport.FailClosed
		o.Hooks = map[string][]transport.Hook{"PreToolUse": {{Callbacks: []transport.HookFunc{
			func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) { panic("boom") },
		}}}}
	}, writes("text", "a.txt"))
	l.say("write")
	l.result()
	if got := l.file("a.txt"); got != "" {
		t.Errorf("the file holds %q", got)
	}
}

// liveServer is an MCP server with one tool that shouts.
func liveServer(_ context.Context, message codec.Raw) (codec.Raw, error) {
	method, _ := message.Find("/method").Text()
	var result string
	switch method {
	case "initialize":
		result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"live","version":"1"}}`
	case "tools/list":
		result = `{"tools":[{"name":"shout","description":"shouts","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]}`
	case "tools/call":
		text, _ := message.Find("/params/arguments/text").Text()
		if text == "" {
			return nil, errors.New("nothing to shout")
		}
		result = `{"content":[{"type":"text","text":` + quoteJSON(strings.ToUpper(text)) + `}]}`
	default:
		return nil, nil // a notification
	}
	return codec.Raw(`{"jsonrpc":"2.0","id":` + message.Find("/id").String() + `,"result":` + result + `}`), nil
}

func TestLiveMCPToolIsCalled(t *testing.T) {
	for _, test := range []struct {
		name, input, told string
		failed            bool
	}{
		{"result", `{"text":"hello"}`, "HELLO", false},
		{"failure", `{}`, "nothing to shout", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := openLive(t, func(o *transport.Options) {
				o.MCPServers = map[string]transport.MCPServer{"loud": transport.MCPHandlerFunc(liveServer)}
				o.CanUseTool = func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
					return r.Allow(), nil
				}
			}, func(string) []fakeapi.Turn {
				return []fakeapi.Turn{{Content: []fakeapi.Block{fakeapi.ToolUse("mcp__loud__shout", test.input)}}, {Text: "Done."}}
			})
			l.say("shout")
			if got := l.success(); got != "Done." {
				t.Errorf("result = %q", got)
			}
			if r := l.toolResult("mcp__loud__shout"); r.IsError != test.failed || !strings.Contains(r.Text, test.told) {
				t.Errorf("the model was told %+v", r)
			}
			status, err := l.Client.MCPStatus(l.ctx, &wire.MCPStatusRequest{})
			if err != nil || len(status.MCPServers) != 1 || status.MCPServers[0].Status != wire.MCPServerStatusStatusConnected {
				t.Errorf("status = %+v, %v", status, err)
			}
		})
	}
}

func TestLiveInterrupt(t *testing.T) {
	l := openLive(t, nil, func(string) []fakeapi.Turn {
		return []fakeapi.Turn{{Text: "It goes on and on", Cut: &fakeapi.Cut{How: fakeapi.Stall}}}
	})
	l.say("talk")
	stalled := func(requests []fakeapi.Request) bool {
		for _, r := range requests {
			if r.Outcome == fakeapi.Stalled {
				return true
			}
		}
		return false
	}
	if err := l.api.Wait(l.ctx, stalled); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Client.Interrupt(l.ctx, &wire.InterruptRequest{}); err != nil {
		t.Fatal(err)
	}
	if r, ok := l.result().(*wire.ResultError); !ok || r.Subtype != wire.ResultErrorSubtypeErrorDuringExecution {
		t.Errorf("result = %+v", r)
	}
}

// An interrupt withdraws the ask: the callback's context ends.
func TestLiveInterruptCancelsTheAsk(t *testing.T) {
	asked, ended := make(chan struct{}), make(chan error, 1)
	l := openLive(t, func(o *transport.Options) {
		o.CanUseTool = func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			close(asked)
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
	}, writes("text", "a.txt"))
	l.say("write")
	select {
	case <-asked:
	case <-l.ctx.Done():
		t.Fatal("not asked")
	}
	if _, err := l.Client.Interrupt(l.ctx, &wire.InterruptRequest{}); err != nil {
		t.Fatal(err)
	}
	l.result()
	if err := <-ended; err != context.Canceled {
		t.Errorf("context ended with %v", err)
	}
}

func TestLiveSetModel(t *testing.T) {
	l := openLive(t, nil, says("One.", "Two."))
	l.say("first")
	l.success()
	if _, err := l.Client.SetModel(l.ctx, &wire.SetModelRequest{Model: codec.Some("sonnet")}); err != nil {
		t.Fatal(err)
	}
	l.say("second")
	l.success()
	var models []string
	for _, r := range l.api.Requests() {
		if r.Answer == fakeapi.FromTurn {
			models = append(models, r.Model)
		}
	}
	if len(models) != 2 || strings.Contains(models[0], "sonnet") || !strings.Contains(models[1], "sonnet") {
		t.Errorf("models = %q", models)
	}
}

func TestLiveSetPermissionMode(t *testing.T) {
	l := openLive(t, nil, writes("text", "a.txt"))
	r, err := l.Client.SetPermissionMode(l.ctx, &wire.SetPermissionModeRequest{Mode: wire.PermissionModeAcceptEdits})
	if err != nil || r.Mode == nil || *r.Mode != wire.PermissionModeAcceptEdits {
		t.Fatalf("answer = %+v, %v", r, err)
	}
	l.say("write")
	l.success()
	if got := l.file("a.txt"); got != "text" {
		t.Errorf("the file holds %q", got)
	}
	var refusal *transport.CallError
	if _, err := l.Client.SetPermissionMode(l.ctx, &wire.SetPermissionModeRequest{Mode: "no such mode"}); !errors.As(err, &refusal) {
		t.Errorf("an invalid mode = %v", err)
	}
}

func TestLiveRewind(t *testing.T) {
	l := openLive(t, func(o *transport.Options) {
		o.FileCheckpointing = true
		o.Flags.PermissionMode = string(wire.PermissionModeAcceptEdits)
	}, writes("new", "b.txt"))
	uuid, text := "11111111-2222-4333-8444-555555555555", "write"
	user := &wire.User{UUID: &uuid, Message: wire.UserMessage{Role: wire.UserMessageRoleUser, Content: wire.UserMessageContent{Text: &text}}}
	if err := l.Send(l.ctx, user); err != nil {
		t.Fatal(err)
	}
	l.success()
	if got := l.file("b.txt"); got != "new" {
		t.Fatalf("the file holds %q", got)
	}
	r, err := l.Client.RewindFiles(l.ctx, &wire.RewindFilesRequest{UserMessageID: uuid})
	if err != nil || !r.CanRewind {
		t.Fatalf("rewind = %+v, %v", r, err)
	}
	if _, err := os.Stat(filepath.Join(l.dir, "b.txt")); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
	var refusal *transport.CallError
	if _, err := l.Client.RewindFiles(l.ctx, &wire.RewindFilesRequest{UserMessageID: "unknown"}); !errors.As(err, &refusal) {
		t.Errorf("an unknown message = %v", err)
	}
}

func TestLiveUnknownSubtypeIsRefused(t *testing.T) {
	l := openLive(t, nil, says())
	_, err := l.Call(l.ctx, &wire.UnknownRequest{Raw: codec.Raw(`{"subtype":"no_such_request"}`)})
	var refusal *transport.CallError
	if !errors.As(err, &refusal) || refusal.Subtype != "no_such_request" {
		t.Errorf("error = %v", err)
	}
}

func TestLiveCloseDuringATurn(t *testing.T) {
	l := openLive(t, nil, func(string) []fakeapi.Turn {
		return []fakeapi.Turn{{Text: "It goes on", Cut: &fakeapi.Cut{How: fakeapi.Stall}}}
	})
	l.say("talk")
	stalled := func(requests []fakeapi.Request) bool {
		return slices.ContainsFunc(requests, func(r fakeapi.Request) bool { return r.Outcome == fakeapi.Stalled })
	}
	if err := l.api.Wait(l.ctx, stalled); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if exit := l.Exit(); exit == nil || exit.Signal != "" {
		t.Errorf("exit = %v, want one that the interrupt brought about", exit)
	}
	var interrupted bool
	for f := range l.Messages() {
		r, ok := f.(*wire.ResultError)
		interrupted = interrupted || ok && r.Subtype == wire.ResultErrorSubtypeErrorDuringExecution
	}
	if !interrupted {
		t.Error("the turn was not interrupted")
	}
	for e := range l.Events() {
		if e, ok := e.(*transport.StoppedEvent); ok {
			t.Logf("it took %v", e.Took)
		}
	}
}

func TestLiveTurns(t *testing.T) {
	l := openLive(t, func(o *transport.Options) { o.Stream = true }, func(string) []fakeapi.Turn {
		return []fakeapi.Turn{{Text: "One, two, three.", Pace: &fakeapi.Pace{Chunk: 4}}, {Text: "Four."}}
	})
	var pieces []string
	for text, err := range l.Turn(l.ctx, "count").Text() {
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, text)
	}
	if len(pieces) < 4 || strings.Join(pieces, "") != "One, two, three." {
		t.Errorf("the text came as %q", pieces)
	}
	if r, err := l.Turn(l.ctx, "go on").Result(); err != nil || r.Text() != "Four." {
		t.Errorf("result = %v, %v", r, err)
	}
}

// The CLI begins a turn by itself when an agent in the background is done. Its result is not that
// of the next prompt.
func TestLiveTurnAfterABackgroundAgent(t *testing.T) {
	agent := &fakeapi.Match{From: fakeapi.Subagent, Prompt: "the small job"}
	l := openLive(t, nil, func(string) []fakeapi.Turn {
		return []fakeapi.Turn{
			{Content: []fakeapi.Block{fakeapi.ToolUse("Task", `{"description":"small job","prompt":"the small job","subagent_type":"general-purpose","run_in_background":true}`)}},
			{Match: agent, Text: "Sub done."},
			{Match: &fakeapi.Match{Text: "and now"}, Text: "Two."},
			{Text: "Started."},
			{Text: "Finished."},
		}
	})
	if r, err := l.Turn(l.ctx, "let another do it").Result(); err != nil || r.Text() != "Started." {
		t.Fatalf("result = %v, %v", r, err)
	}
	finished := func(requests []fakeapi.Request) bool {
		return slices.ContainsFunc(requests, func(r fakeapi.Request) bool { return r.Turn == 5 }) // "Finished."
	}
	if err := l.api.Wait(l.ctx, finished); err != nil {
		t.Fatal(err)
	}
	if r, err := l.Turn(l.ctx, "and now?").Result(); err != nil || r.Text() != "Two." {
		t.Errorf("result = %q, %v", r.Text(), err)
	}
}

// Turns end also where the model is not asked: a command of the CLI, a prompt that a hook blocks.
func TestLiveTurnsWithoutTheModelEnd(t *testing.T) {
	block, reason := wire.HookOutputDecisionBlock, "not today"
	l := openLive(t, func(o *transport.Options) {
		o.Hooks = map[string][]transport.Hook{"UserPromptSubmit": {{Callbacks: []transport.HookFunc{
			func(_ context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
				if in, ok := r.Input.(*wire.UserPromptSubmitInput); ok && in.Prompt == "blocked" {
					return &wire.HookOutput{Decision: &block, Reason: &reason}, nil
				}
				return &wire.HookOutput{}, nil
			},
		}}}}
	}, says("One.", "Two."))
	for _, prompt := range []string{"hello", "/cost", "blocked", "hello again", "blocked", "/no-such-command"} {
		r, err := l.Turn(l.ctx, prompt).Result()
		if r == nil {
			t.Fatalf("%s: %v", prompt, err)
		}
	}
}

func TestLiveQuery(t *testing.T) {
	for _, prompt := range []string{"hi", "--help", "-- \"quotes\"\nand lines"} {
		o, api := liveOptions(t, says("Hello."))
		ctx, cancel := context.WithTimeout(t.Context(), livePatience)
		result, err := transport.Query(ctx, prompt, o).Result()
		if err != nil {
			t.Fatal(err)
		}
		got := result.Text()
		cancel()
		asked := false
		for _, r := range api.Requests() {
			asked = asked || strings.Contains(r.Text, prompt)
		}
		if got != "Hello." || !asked {
			t.Errorf("%.40q: result = %q, the model was asked: %v", prompt, got, asked)
		}
	}
}

func TestLiveQueryWithALongPrompt(t *testing.T) {
	o, _ := liveOptions(t, func(string) []fakeapi.Turn {
		return []fakeapi.Turn{{Match: &fakeapi.Match{Text: "the end of it"}, Text: "Read."}}
	})
	ctx, cancel := context.WithTimeout(t.Context(), livePatience)
	defer cancel()
	r, err := transport.Query(ctx, strings.Repeat("word ", 40_000)+"the end of it", o).Result()
	if err != nil || r.Text() != "Read." {
		t.Errorf("result = %v, %v", r, err)
	}
}

func TestLiveQueryWithCallbacks(t *testing.T) {
	o, _ := liveOptions(t, writes("text", "a.txt"))
	o.CanUseTool = func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
		return r.Allow(), nil
	}
	ctx, cancel := context.WithTimeout(t.Context(), livePatience)
	defer cancel()
	if _, err := transport.Query(ctx, "write", o).Result(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(o.Dir, "a.txt")); err != nil || string(text) != "text" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

func TestLiveUserFlagThatTheCLIRefuses(t *testing.T) {
	o, _ := liveOptions(t, says())
	o.Args = []string{"--no-such-flag"}
	_, err := transport.Open(t.Context(), o)
	var exit *transport.InitExitError
	if !errors.As(err, &exit) || !strings.Contains(err.Error(), "--no-such-flag") {
		t.Errorf("Open = %v", err)
	}
}
