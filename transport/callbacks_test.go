package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// denyAll is a hook that takes its time and then denies.
func denyAll(ctx context.Context, _ *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	time.Sleep(6 * time.Second)
	block := wire.HookOutputDecisionBlock
	return &wire.HookOutput{Decision: &block}, nil
}

const stopBody = `{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"Stop","stop_hook_active":false}}`

func TestEveryGuardIsAskedHoweverManyThereAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{Hooks: preToolUse(denyAll)})
		for i := range 200 {
			f.Say(peertest.RequestLine(fmt.Sprint(i), peertest.HookBody))
		}
		time.Sleep(time.Minute)
		lines := f.Sent()
		if len(lines) != 200 {
			t.Errorf("%d answers", len(lines))
		}
		for _, line := range lines {
			if !strings.Contains(line, `"response":{"decision":"block"}`) {
				t.Errorf("sent %s", line)
			}
		}
		if events := drain(s.events); len(events) != 0 {
			t.Errorf("events = %+v", events)
		}
	})
}

func TestSlowMCPCallsDelayNoHook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := MCPHandlerFunc(func(ctx context.Context, _ codec.Raw) (codec.Raw, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		_, f := running(t, &Options{Hooks: preToolUse(hookNothing), MCPServers: map[string]MCPServer{"srv": slow}})
		for i := range 100 {
			f.Say(peertest.RequestLine(fmt.Sprint(i), peertest.MCPBody))
		}
		f.Nothing()
		f.Say(peertest.RequestLine("hook", peertest.HookBody))
		if got := f.One(); got != peertest.SuccessLine("hook", `{}`) {
			t.Errorf("sent %s", got)
		}
	})
}

// A guard that cannot run is closed, unless the caller wants it open: the time of its request was
// over before others had returned, there was no memory for it, or it could not be read.
func TestGuardThatCannotRunIsClosed(t *testing.T) {
	stop := strings.Replace(stopBody, "hook_0", "hook_1", 1)
	long := `{"pad":"` + strings.Repeat("x", 2000) + `",` + peertest.HookBody[1:]
	tests := []struct {
		name   string
		limits Limits
		lines  []string
		cause  string
	}{
		{"time", Limits{Inbound: 1}, []string{peertest.RequestLine("0", peertest.HookBody), peertest.RequestLine("guard", peertest.HookBody)}, "others took too long (1m0s)"},
		{"memory", Limits{InboundBytes: 1}, []string{peertest.RequestLine("0", stop), peertest.RequestLine("guard", peertest.HookBody)}, "too many requests wait"},
		{"line over the limit", Limits{Line: 1000}, []string{peertest.RequestLine("guard", long)}, "line too long"},
		{"unreadable", Limits{}, []string{peertest.RequestLine("guard", `{"subtype":"hook_callback","callback_id":"hook_0"}`)}, "missing member at /request/input"},
	}
	for _, test := range tests {
		for _, policy := range []FailurePolicy{FailDefault, FailOpen, FailClosed} {
			t.Run(fmt.Sprintf("%s, policy %d", test.name, policy), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					release := make(chan struct{})
					hang := func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
						<-release // whatever its context says
						return nil, nil
					}
					hooks := preToolUse(hang)
					hooks["Stop"] = []Hook{{Callbacks: []HookFunc{hang}}}
					_, f := running(t, &Options{Hooks: hooks, Limits: test.limits, Policies: Policies{Hooks: policy}})
					defer close(release)
					f.Say(test.lines...)
					time.Sleep(time.Hour)
					answer := ""
					for _, line := range f.Sent() {
						if strings.Contains(line, `"request_id":"guard"`) {
							answer += line
						}
					}
					isBlocked := strings.Contains(answer, `"decision":"block"`) && strings.Contains(answer, test.cause)
					if isBlocked != (policy != FailOpen) {
						t.Errorf("answered %s", answer)
					}
				})
			})
		}
	}
}

func TestOtherHooksThatCannotRunFollowTheirPolicy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{Limits: Limits{InboundBytes: 1}, Hooks: map[string][]Hook{"Stop": {{Callbacks: []HookFunc{denyAll}}}}})
		f.Say(peertest.RequestLine("0", stopBody), peertest.RequestLine("1", stopBody))
		if got := f.One(); got != peertest.SuccessLine("1", goOnBody) {
			t.Errorf("sent %s", got)
		}
		if e := only[*CallbackEvent](t, s.events); e.RequestID != "1" {
			t.Errorf("event = %+v", e)
		}
		time.Sleep(time.Minute)
	})
}

func TestPermissionThatCannotBeAskedIsDenied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		_, f := running(t, &Options{Limits: Limits{InboundBytes: 1, Line: 1000}, CanUseTool: func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			<-release
			return r.Allow(), nil
		}})
		f.Say(peertest.RequestLine("0", peertest.PermissionBody), peertest.RequestLine("1", peertest.PermissionBody))
		if got := f.One(); !strings.Contains(got, `"request_id":"1","response":{"behavior":"deny","message":"permission denied: too many requests wait`) {
			t.Errorf("sent %s", got)
		}
		f.Say(peertest.RequestLine("2", `{"pad":"`+strings.Repeat("x", 2000)+`",`+peertest.PermissionBody[1:]))
		if got := f.One(); got != peertest.ErrorLine("2", "line too long") { // denies, too
			t.Errorf("sent %s", got)
		}
		close(release)
		f.One()
	})
}

// An open policy echoes the input. A CLI that does not read these answers does not make memory
// grow.
func TestRefusalsThatEchoTheirInputAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{Limits: Limits{InboundBytes: 1}, Policies: Policies{Permissions: FailOpen},
			CanUseTool: func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
				<-ctx.Done()
				return nil, nil
			}})
		f.Pause()
		defer f.Resume()
		large := strings.Replace(peertest.PermissionBody, `"input":{`, `"input":{"more":"`+strings.Repeat("x", 600<<10)+`",`, 1)
		for i := range 10 {
			f.Raw(peertest.RequestLine(fmt.Sprint(i), large) + "\n") // fails after the end
			synctest.Wait()
		}
		<-s.conn.Done()
		in := s.conn.inbound
		in.mu.Lock()
		defer in.mu.Unlock()
		if err := s.conn.Err(); !errors.Is(err, ErrBacklog) || in.refused > 2*maxRefusals {
			t.Errorf("ended by %v with %d bytes of refusals", err, in.refused)
		}
	})
}

func TestRequestsWithoutACallbackAreRefusedAsUnsupported(t *testing.T) {
	for subtype, request := range map[string]string{
		"oauth_token_refresh":        `{"subtype":"oauth_token_refresh","token_state":"refused"}`,
		"host_auth_token_refresh":    `{"subtype":"host_auth_token_refresh","status":401}`,
		"remote_control_work_secret": `{"subtype":"remote_control_work_secret","session_id":"s"}`,
		"future_request":             `{"subtype":"future_request"}`,
	} {
		t.Run(subtype, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, f := running(t, &Options{})
				f.Say(peertest.RequestLine("r", request))
				if got, want := f.One(), unsupportedLine("r", subtype); got != want {
					t.Errorf("sent %s\nwant %s", got, want)
				}
			})
		})
	}
}

func TestElicitationAndDialogs(t *testing.T) {
	const (
		elicitation = `{"subtype":"elicitation","mcp_server_name":"s","message":"?"}`
		dialog      = `{"subtype":"request_user_dialog","dialog_kind":"k","payload":{}}`
	)
	fail := errors.New("no display")
	accept := func(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error) {
		return &wire.ElicitationResponse{Action: wire.ElicitationActionAccept, Content: codec.Raw(`{}`)}, nil
	}
	kinds := &wire.InitializeRequest{SupportedDialogKinds: []string{"k"}}
	tests := []struct {
		name, request string
		opts          Options
		want          string
	}{
		{"elicitation without a callback is declined", elicitation, Options{}, peertest.SuccessLine("r", `{"action":"decline"}`)},
		{"elicitation", elicitation, Options{Elicitation: accept}, peertest.SuccessLine("r", `{"action":"accept","content":{}}`)},
		{"failed elicitation is cancelled", elicitation, Options{Elicitation: func(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error) { return nil, fail }},
			peertest.SuccessLine("r", `{"action":"cancel"}`)},
		{"nil elicitation is cancelled", elicitation, Options{Elicitation: func(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error) { return nil, nil }},
			peertest.SuccessLine("r", `{"action":"cancel"}`)},
		{"dialog without a callback is an error", dialog, Options{}, peertest.ErrorLine("r", `this session shows no dialogs of kind "k"`)},
		{"dialog", dialog, Options{Initialize: kinds, UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			return &wire.RequestUserDialogCompleted{Result: codec.Raw(`{"x":1}`)}, nil
		}}, peertest.SuccessLine("r", `{"behavior":"completed","result":{"x":1}}`)},
		{"failed dialog is cancelled", dialog, Options{Initialize: kinds, UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			panic("x")
		}}, peertest.SuccessLine("r", `{"behavior":"cancelled"}`)},
		{"nil dialog is cancelled", dialog, Options{Initialize: kinds, UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			return (*wire.RequestUserDialogCompleted)(nil), nil
		}}, peertest.SuccessLine("r", `{"behavior":"cancelled"}`)},
		{"dialog whose result is not JSON is cancelled", dialog, Options{Initialize: kinds, UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			return &wire.RequestUserDialogCompleted{Result: codec.Raw(`{`)}, nil
		}}, peertest.SuccessLine("r", `{"behavior":"cancelled"}`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, f := running(t, &test.opts)
				f.Say(peertest.RequestLine("r", test.request))
				if got := f.One(); got != test.want {
					t.Errorf("sent %s\nwant %s", got, test.want)
				}
			})
		})
	}
}
