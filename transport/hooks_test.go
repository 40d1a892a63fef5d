package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

const goOnBody = `{"continue":true}`

func hookNothing(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	return &wire.HookOutput{}, nil
}

func preToolUse(callbacks ...HookFunc) map[string][]Hook {
	return map[string][]Hook{"PreToolUse": {{Callbacks: callbacks}}}
}

func TestInitializeRegistersHooks(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		want string // the request
	}{
		{"none", Options{}, `{"subtype":"initialize"}`},
		{"one", Options{Hooks: preToolUse(hookNothing)},
			`{"subtype":"initialize","hooks":{"PreToolUse":[{"matcher":null,"hookCallbackIds":["hook_0"],"timeout":65}]}}`},
		{"several callbacks, matchers and events", Options{Hooks: map[string][]Hook{
			"Stop":       {{Callbacks: []HookFunc{hookNothing}, Timeout: 90 * time.Second}},
			"PreToolUse": {{Matcher: "Write|Edit", Callbacks: []HookFunc{hookNothing, hookNothing}, Timeout: 1500 * time.Millisecond}, {Callbacks: []HookFunc{hookNothing}, Timeout: -1}},
		}}, `{"subtype":"initialize","hooks":{"PreToolUse":[{"matcher":"Write|Edit","hookCallbackIds":["hook_0","hook_1"],"timeout":7},` +
			`{"matcher":null,"hookCallbackIds":["hook_2"]}],"Stop":[{"matcher":null,"hookCallbackIds":["hook_3"],"timeout":95}]}}`},
		{"fail closed", Options{Hooks: preToolUse(hookNothing), Policies: Policies{Hooks: FailClosed}},
			`{"subtype":"initialize","hooks":{"PreToolUse":[{"matcher":null,"hookCallbackIds":["hook_0"],"timeout":65,"onFailure":"block"}]}}`},
		{"MCP servers", Options{MCPServers: map[string]MCPServer{"b": echoServer, "a": echoServer}},
			`{"subtype":"initialize","sdkMcpServers":["a","b"]}`},
		{"further members", Options{Initialize: &wire.InitializeRequest{SystemPrompt: &wire.InitializeRequestSystemPrompt{List: []string{"short"}}}, Hooks: preToolUse(hookNothing)},
			`{"subtype":"initialize","hooks":{"PreToolUse":[{"matcher":null,"hookCallbackIds":["hook_0"],"timeout":65}]},"systemPrompt":["short"]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, f := newTestSession(t, &test.opts)
				line := f.One()
				id := peertest.Decode(t, line).(*wire.ControlRequest).RequestID
				if diff := cmp.Diff(peertest.RequestLine(id, test.want), line); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestHookGetsItsRequestAndAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reason := "not here"
		deny := wire.PreToolUseOutputPermissionDecisionDeny
		_, f := running(t, &Options{Hooks: preToolUse(
			func(ctx context.Context, r *wire.HookCallbackRequest) (*wire.HookOutput, error) {
				in := r.Input.(*wire.PreToolUseInput)
				if in.ToolName != "Bash" || string(in.ToolInput) != `{"command":"ls"}` || *r.ToolUseID != "t" || RequestID(ctx) != "r0" {
					t.Errorf("input = %+v", in)
				}
				return &wire.HookOutput{HookSpecificOutput: &wire.PreToolUseOutput{PermissionDecision: &deny, PermissionDecisionReason: &reason}}, nil
			},
			func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
				stop := false
				return &wire.HookOutput{Continue: &stop}, nil
			},
		)})
		f.Say(peertest.RequestLine("r0", peertest.HookBody))
		if got, want := f.One(), peertest.SuccessLine("r0", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not here"}}`); got != want {
			t.Errorf("sent %s\nwant %s", got, want)
		}
		f.Say(peertest.RequestLine("r1", strings.Replace(peertest.HookBody, "hook_0", "hook_1", 1)))
		if got, want := f.One(), peertest.SuccessLine("r1", `{"continue":false}`); got != want {
			t.Errorf("sent %s\nwant %s", got, want)
		}
	})
}

// failures are the ways in which a callback gives no answer, for callbacks of any type.
func failures[T any](bad T) []struct {
	name string
	call func(context.Context) (T, error)
	is   error
} {
	var none T
	return []struct {
		name string
		call func(context.Context) (T, error)
		is   error
	}{
		{"error", func(context.Context) (T, error) { return none, errBoom }, errBoom},
		{"not handled", func(context.Context) (T, error) { return none, wire.ErrNotHandled }, nil},
		{"panic", func(context.Context) (T, error) { panic("boom") }, nil},
		{"nil", func(context.Context) (T, error) { return none, nil }, wire.ErrNilAnswer},
		{"timeout", func(ctx context.Context) (T, error) { <-ctx.Done(); return none, ctx.Err() }, errCallbackOut},
		{"outlives its timeout", func(ctx context.Context) (T, error) { time.Sleep(time.Hour); return bad, nil }, errCallbackOut},
		{"cannot be encoded", func(context.Context) (T, error) { return bad, nil }, nil},
	}
}

var errBoom = errors.New("boom")

func TestHookFailures(t *testing.T) {
	badText := "\xff"
	for _, failure := range failures(&wire.HookOutput{StopReason: &badText}) {
		for _, policy := range []FailurePolicy{FailDefault, FailOpen, FailClosed} {
			t.Run(fmt.Sprint(failure.name, " ", policy), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, f := running(t, &Options{Policies: Policies{Hooks: policy}, Hooks: preToolUse(func(ctx context.Context, _ *wire.HookCallbackRequest) (*wire.HookOutput, error) {
						return failure.call(ctx)
					})})
					f.Say(peertest.RequestLine("r", peertest.HookBody))
					if errors.Is(failure.is, errCallbackOut) {
						f.Nothing()
						time.Sleep(60 * time.Second)
					}
					got := f.One()
					if policy != FailClosed && got != peertest.SuccessLine("r", goOnBody) {
						t.Errorf("sent %s", got)
					}
					if policy == FailClosed && !strings.Contains(got, `{"continue":false,"stopReason":"hook failed: `) || policy == FailClosed && !strings.Contains(got, `"decision":"block"`) {
						t.Errorf("sent %s", got)
					}
					e := only[*CallbackEvent](t, s.events)
					if e.RequestID != "r" || e.Subtype != "hook_callback" || failure.is != nil && !errors.Is(e.Err, failure.is) {
						t.Errorf("event = %+v", e)
					}
					time.Sleep(2 * time.Hour) // an answer that comes later is not sent
					f.Nothing()
				})
			})
		}
	}
}

func TestHookWithUnknownIDFailsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := running(t, nil)
		f.Say(peertest.RequestLine("r", peertest.HookBody))
		if got := f.One(); got != peertest.SuccessLine("r", goOnBody) {
			t.Errorf("sent %s", got)
		}
	})
}

// To block a Stop would make the model go on.
func TestFailedStopHookEndsTheTurnWhenClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := running(t, &Options{Policies: Policies{Hooks: FailClosed}})
		f.Say(peertest.RequestLine("r", `{"subtype":"hook_callback","callback_id":"x","input":{"hook_event_name":"Stop","stop_hook_active":false}}`))
		if got := f.One(); !strings.Contains(got, `"continue":false`) || strings.Contains(got, "decision") {
			t.Errorf("sent %s", got)
		}
	})
}

func TestHookTimeouts(t *testing.T) {
	tests := []struct {
		name     string
		own, all time.Duration
		want     time.Duration
	}{
		{"default", 0, 0, 60 * time.Second},
		{"for all hooks", 0, 30 * time.Second, 30 * time.Second},
		{"of its own", 5 * time.Second, 30 * time.Second, 5 * time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, f := running(t, &Options{
					CallbackTimeouts: CallbackTimeouts{Hook: test.all},
					Hooks: map[string][]Hook{"PreToolUse": {{Timeout: test.own, Callbacks: []HookFunc{
						func(ctx context.Context, _ *wire.HookCallbackRequest) (*wire.HookOutput, error) {
							<-ctx.Done()
							return nil, ctx.Err()
						},
					}}}},
				})
				f.Say(peertest.RequestLine("r", peertest.HookBody))
				time.Sleep(test.want - 1)
				f.Nothing()
				time.Sleep(1 * time.Nanosecond)
				if got := f.One(); got != peertest.SuccessLine("r", goOnBody) {
					t.Errorf("sent %s", got)
				}
			})
		})
	}
}

func TestBlockedHookDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		_, f := running(t, &Options{
			Hooks: map[string][]Hook{"PreToolUse": {{Timeout: -1, Callbacks: []HookFunc{
				func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
					<-release
					return &wire.HookOutput{}, nil
				}, hookNothing,
			}}}},
			CanUseTool: allow,
			MCPServers: map[string]MCPServer{"srv": echoServer},
		})
		f.Say(peertest.RequestLine("stuck", peertest.HookBody))
		f.Nothing()
		for _, body := range []string{strings.Replace(peertest.HookBody, "hook_0", "hook_1", 1), peertest.PermissionBody, peertest.MCPBody} {
			f.Say(peertest.RequestLine("r", body))
			f.One()
		}
		close(release)
		if got := f.One(); got != peertest.SuccessLine("stuck", `{}`) {
			t.Errorf("sent %s", got)
		}
	})
}

func TestCancelledHookIsNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		s, f := running(t, &Options{Hooks: preToolUse(func(ctx context.Context, _ *wire.HookCallbackRequest) (*wire.HookOutput, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return &wire.HookOutput{}, nil
		})})
		f.Say(peertest.RequestLine("r", peertest.HookBody))
		synctest.Wait()
		f.Say(peertest.CancelLine("r"))
		if err := <-ended; err != context.Canceled {
			t.Errorf("context ended with %v", err)
		}
		time.Sleep(time.Hour)
		f.Nothing()
		if events := drain(s.events); len(events) != 0 {
			t.Errorf("events = %+v", events)
		}
	})
}
