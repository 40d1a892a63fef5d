package hooks_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/shell"
	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, text string) any {
	t.Helper()
	v, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// host answers callbacks by their id, as it was told to; without an answer it waits.
type host struct {
	answers map[string]any // a value, or an error

	mu   sync.Mutex // guards the fields below
	sent []string
}

func (h *host) Send(ctx context.Context, request object.Object) func() (any, error) {
	id := request.Text("callback_id")
	h.mu.Lock()
	h.sent = append(h.sent, id)
	h.mu.Unlock()
	return func() (any, error) {
		switch v := h.answers[id].(type) {
		case nil:
			<-ctx.Done()
			return nil, ctx.Err()
		case error:
			return nil, v
		default:
			return v, nil
		}
	}
}

func (h *host) Began(*hooks.Hook, string)                { h.note("began") }
func (h *host) Goes(*hooks.Hook, string, string, string) { h.note("goes") }
func (h *host) Ended(*hooks.Hook, string, shell.Outcome) { h.note("ended") }

func (h *host) note(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sent = append(h.sent, text)
}

func TestMatchersFitAsInTheCLI(t *testing.T) {
	list, err := hooks.ReadInitialize(parse(t, `{"NoSuchEvent":[{"hookCallbackIds":["no"]}],"PreToolUse":[
		{"matcher":null,"hookCallbackIds":["null"]},{"matcher":"","hookCallbackIds":["empty"]},{"matcher":"*","hookCallbackIds":["star"]},
		{"hookCallbackIds":["none","two"]},{"matcher":"Edit|Read","hookCallbackIds":["alternatives"]},{"matcher":"Rea","hookCallbackIds":["no"]},
		{"matcher":"^Re.d$","hookCallbackIds":["expression"]},{"matcher":"^W.*","hookCallbackIds":["no"]},{"matcher":"(","hookCallbackIds":["no"]}],
		"PostToolUse":[{"hookCallbackIds":["no"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range hooks.Match(list, "PreToolUse", "Read") {
		got = append(got, h.Callback)
	}
	if diff := cmp.Diff([]string{"null", "empty", "star", "none", "two", "alternatives", "expression"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNotAMatcherIsRefused(t *testing.T) {
	for _, text := range []string{`"all"`, `{"Stop":{}}`, `{"Stop":[5]}`, `{"Stop":[{"matcher":"x"}]}`, `{"Stop":[{"matcher":5,"hookCallbackIds":[]}]}`, `{"Stop":[{"hookCallbackIds":[5]}]}`} {
		if _, err := hooks.ReadInitialize(parse(t, text)); !errors.Is(err, hooks.ErrMatchers) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if list, err := hooks.ReadInitialize(nil); list != nil || err != nil {
		t.Error("null is refused")
	}
}

func TestOutputsAreReadByTheirEvent(t *testing.T) {
	for _, tt := range []struct {
		event, text string
		want        error
	}{
		{"PreToolUse", `{}`, nil},
		{"PreToolUse", `{"continue_":false,"async_":true}`, nil},
		{"PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`, nil},
		{"PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"perhaps"}}`, hooks.ErrOutput},
		{"PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":5}}`, hooks.ErrOutput},
		{"PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x"}}`, hooks.ErrEvent},
		{"PreToolUse", `{"hookSpecificOutput":{}}`, hooks.ErrOutput},
		{"PermissionRequest", `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`, nil},
		{"PermissionRequest", `{"hookSpecificOutput":{"hookEventName":"PermissionRequest"}}`, hooks.ErrOutput},
		{"Elicitation", `{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"maybe"}}`, hooks.ErrOutput},
		{"Stop", `{"decision":"perhaps"}`, hooks.ErrOutput},
		{"Stop", `{"continue":"no"}`, hooks.ErrOutput},
		{"Stop", `"yes"`, hooks.ErrOutput},
		{"Stop", `null`, hooks.ErrOutput},
	} {
		if _, err := hooks.ReadOutput(tt.event, parse(t, tt.text)); !errors.Is(err, tt.want) {
			t.Errorf("%s %s: %v", tt.event, tt.text, err)
		}
	}
}

// judge runs callbacks with these answers.
func judge(t *testing.T, event, name string, answers ...string) hooks.Verdict {
	t.Helper()
	h := &host{answers: map[string]any{}}
	var list []hooks.Hook
	for i, text := range answers {
		id := string(rune('a' + i))
		hook := hooks.Hook{Event: event, Callback: id, Timeout: time.Minute}
		switch text {
		case "silent":
			hook.Timeout = time.Millisecond
		case "fails":
			h.answers[id] = errors.New("broken")
		case "fails and blocks":
			h.answers[id] = errors.New("broken")
			hook.Block = true
		case "gone":
			h.answers[id] = hooks.ErrClosed
		default:
			h.answers[id] = parse(t, text)
		}
		list = append(list, hook)
	}
	return hooks.Judge(event, name, hooks.Run(t.Context(), list, &hooks.Call{Event: event, Name: name}, h))
}

func TestOneVerdictIsMadeOfAllAnswers(t *testing.T) {
	allow := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"a":1}}}`
	ask := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"look twice"}}`
	deny := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"house rule"}}`
	deferred := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer"}}`
	for _, tt := range []struct {
		name    string
		answers []string
		want    hooks.Verdict
	}{
		{"nothing", []string{`{}`}, hooks.Verdict{}},
		{"deny beats allow", []string{allow, deny}, hooks.Verdict{Decision: "deny", Reason: "PreToolUse:Write hook error: house rule", Said: "house rule", Input: object.Of("a", 1.0)}},
		{"ask beats allow", []string{ask, allow}, hooks.Verdict{Decision: "ask", Reason: "look twice", Input: object.Of("a", 1.0)}},
		{"defer beats ask", []string{deferred, ask}, hooks.Verdict{Decision: "defer"}},
		{"block is deny", []string{`{"decision":"block","reason":"old rule"}`}, hooks.Verdict{Decision: "deny", Reason: "PreToolUse:Write hook error: old rule", Said: "old rule", Blocks: []string{"old rule"}}},
		{"approve is allow", []string{`{"decision":"approve"}`}, hooks.Verdict{Decision: "allow"}},
		{"async is nothing", []string{`{"async":true,"decision":"block"}`}, hooks.Verdict{}},
		{"stop", []string{`{"continue":false,"stopReason":"enough"}`}, hooks.Verdict{Stop: true, StopReason: "enough"}},
		{"texts", []string{`{"systemMessage":"watch out","hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"more"}}`},
			hooks.Verdict{Contexts: []string{"more"}, Messages: []string{"PreToolUse:Write says: watch out"}}},
		{"the SDK is gone", []string{"gone"}, hooks.Verdict{Closed: true}},
		{"another event", []string{`{"hookSpecificOutput":{"hookEventName":"Stop"}}`}, hooks.Verdict{Unexpected: &hooks.EventError{Event: "PreToolUse", Output: object.Of("hookSpecificOutput", object.Of("hookEventName", "Stop"))}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := judge(t, "PreToolUse", "Write", tt.answers...)
			got.Specific = nil
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAHookThatFailsBlocksOnlyIfItShould(t *testing.T) {
	v := judge(t, "PreToolUse", "Write", "fails", `"yes"`)
	if len(v.Failures) != 2 || v.Decision != "" {
		t.Errorf("got %+v", v)
	}
	const want = "PreToolUse:Write hook error: [callback]: failed; blocking because onFailure is \"block\"\n" +
		"Hook callback a failed: the SDK host replied with an error or an invalid answer."
	if v := judge(t, "PreToolUse", "Write", "fails and blocks"); v.Decision != "deny" || v.Reason != want {
		t.Errorf("got %s: %s", v.Decision, v.Reason)
	}
}

func TestAHookThatIsSilentTimesOut(t *testing.T) {
	if v := judge(t, "PreToolUse", "Write", "silent"); v.TimedOut == nil {
		t.Errorf("got %+v", v)
	}
}

func TestHooksEndWithTheirTurn(t *testing.T) {
	interrupted := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupted)
	v := hooks.Judge("Stop", "", hooks.Run(ctx, []hooks.Hook{{Event: "Stop", Callback: "x"}}, &hooks.Call{Event: "Stop"}, &host{}))
	if v.Aborted != interrupted || v.TimedOut != nil {
		t.Errorf("got %+v", v)
	}
}

func TestCallbacksAreSentInOrderAndAtOnce(t *testing.T) {
	h := &host{answers: map[string]any{"a": object.Object{}, "b": object.Object{}, "c": object.Object{}}}
	hooks.Run(t.Context(), []hooks.Hook{{Callback: "a"}, {Callback: "b"}, {Callback: "c"}}, &hooks.Call{}, h)
	if got := strings.Join(h.sent, ""); got != "abc" {
		t.Errorf("sent %s", got)
	}
}

func TestCommandsAnswerByTheirExitAndOutput(t *testing.T) {
	for _, tt := range []struct {
		name, event, command string
		want                 hooks.Verdict
	}{
		{"nothing", "PreToolUse", "echo checked", hooks.Verdict{}},
		{"exit 2 blocks", "PreToolUse", "echo not-this >&2; exit 2",
			hooks.Verdict{Decision: "deny", Reason: "PreToolUse:Bash hook error: [echo not-this >&2; exit 2]: not-this\n",
				Bare: "not-this", Blocks: []string{"[echo not-this >&2; exit 2]: not-this\n"}}},
		{"another code does not", "PreToolUse", "exit 1", hooks.Verdict{Failed: true}},
		{"JSON", "PreToolUse", `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'`,
			hooks.Verdict{Decision: "ask"}},
		{"its input", "PreToolUse", `grep -q '"tool_name":"Bash"' || exit 2`, hooks.Verdict{}},
		{"a text for the model", "UserPromptSubmit", "echo more", hooks.Verdict{Contexts: []string{"more"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := hooks.ReadSettings(object.Of(tt.event, []any{object.Of("matcher", "Bash", "hooks", []any{object.Of("type", "command", "command", tt.command)})}))
			h := &host{}
			c := &hooks.Call{Event: tt.event, Name: "Bash", Input: object.Of("tool_name", "Bash"), Dir: t.TempDir()}
			c.Fence = fence.New(fence.Options{Dir: c.Dir, Env: os.Environ(), Open: true})
			defer c.Fence.Close()
			got := hooks.Judge(tt.event, "Bash", hooks.Run(t.Context(), hooks.Match(list, tt.event, "Bash"), c, h))
			got.Specific = nil
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if strings.Join(h.sent, " ") != "began ended" {
				t.Errorf("told %v", h.sent)
			}
		})
	}
}

func TestInputsHaveTheMembersOfTheirEvent(t *testing.T) {
	s := hooks.Session{ID: "s", Transcript: "t", Dir: "d", Prompt: "p", Mode: "default", Effort: "medium"}
	for event, want := range map[string]string{
		"PreToolUse":       `{"session_id":"s","transcript_path":"t","cwd":"d","prompt_id":"p","permission_mode":"default","effort":{"level":"medium"},"hook_event_name":"PreToolUse","x":1}`,
		"UserPromptSubmit": `{"session_id":"s","transcript_path":"t","cwd":"d","prompt_id":"p","permission_mode":"default","hook_event_name":"UserPromptSubmit","x":1}`,
		"StopFailure":      `{"session_id":"s","transcript_path":"t","cwd":"d","prompt_id":"p","effort":{"level":"medium"},"hook_event_name":"StopFailure","x":1}`,
		"PreCompact":       `{"session_id":"s","transcript_path":"t","cwd":"d","prompt_id":"p","hook_event_name":"PreCompact","x":1}`,
	} {
		if got := object.Text(s.Input(event, "x", 1)); got != want {
			t.Errorf("got %s", got)
		}
	}
}
