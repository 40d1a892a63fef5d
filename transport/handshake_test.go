package transport

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestSessionRunsWhenInitializeIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		wantState(t, s, InitSent)
		if s.Initialized() != nil {
			t.Error("there is an answer before the answer")
		}
		f.Say(peertest.SuccessLine(id, `{"commands":[],"claude_code_version":"2.1.325","new_member":1}`))
		wantState(t, s, Running)
		if err := s.WaitReady(t.Context()); err != nil {
			t.Error(err)
		}
		if r := s.Initialized(); r == nil || *r.ClaudeCodeVersion != "2.1.325" {
			t.Errorf("answer = %+v", r)
		}
		s.Close()
		wantState(t, s, Stopped)
		if diff := cmp.Diff([]State{InitSent, Running, Stopped}, states(drain(s.events))); diff != "" {
			t.Error(diff)
		}
	})
}

// Older CLIs answer with less, or with nothing; that is no reason to fail.
func TestSessionRunsWhateverTheAnswerSays(t *testing.T) {
	for _, body := range []string{``, `{}`, `{"supported_commands":["interrupt"],"capabilities":{"hooks":true}}`, `{"commands":5}`, `[]`, `null`} {
		t.Run(body, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := newTestSession(t, nil)
				f.Say(peertest.SuccessLine(f.RequestID("initialize"), body))
				wantState(t, s, Running)
				if s.Initialized() == nil {
					t.Error("no answer")
				}
			})
		})
	}
}

func TestRequestsOfTheCLIConfirmTheInitialisation(t *testing.T) {
	for _, body := range []string{peertest.HookBody, peertest.PermissionBody, peertest.MCPBody, strings.Replace(peertest.HookBody, "hook_0", "unknown", 1)} {
		t.Run(body, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := newTestSession(t, nil)
				id := f.RequestID("initialize")
				op := goCall(t.Context(), s, &wire.InterruptRequest{})
				synctest.Wait()
				f.Say(peertest.RequestLine("r", body))
				wantState(t, s, Running)
				lines := f.Sent() // the queued operation, and the answer
				if len(lines) != 2 {
					t.Fatalf("sent %q", lines)
				}
				// A late answer still tells about the CLI; a late error changes nothing.
				f.Say(peertest.SuccessLine(id, `{"pid":5}`))
				synctest.Wait()
				if r := s.Initialized(); r == nil || *r.PID != 5 {
					t.Errorf("answer = %+v", r)
				}
				s.Close()
				settled(t, op)
			})
		})
	}
}

func TestTimeoutAfterImplicitConfirmationDoesNotStopTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		f.RequestID("initialize")
		f.Say(peertest.RequestLine("r", peertest.HookBody))
		f.One()
		time.Sleep(2 * time.Minute)
		wantState(t, s, Running)
		f.Sent()
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		f.Say(peertest.SuccessLine(f.RequestID("interrupt"), ""))
		if r := settled(t, op); r.err != nil {
			t.Error(r.err)
		}
	})
}

// A CLI that refused initialize has no hooks: one that guards something would be off.
func TestRefusalAfterImplicitConfirmationFailsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		f.Say(peertest.RequestLine("r", peertest.HookBody))
		f.One()
		wantState(t, s, Running)
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		f.RequestID("interrupt")
		f.Say(peertest.KeepAliveLine, peertest.ErrorLine(id, "no"))
		<-s.Done()
		wantState(t, s, Failed)
		var refused *InitError
		if r := settled(t, op); !errors.As(r.err, &refused) {
			t.Errorf("pending call = %v", r.err)
		}
		if err := s.Prompt(t.Context(), "x"); !errors.As(err, &refused) || errors.Is(err, ErrNotInitialized) {
			t.Errorf("prompt afterwards = %v", err)
		}
		if err := s.Err(); !errors.As(err, &refused) {
			t.Errorf("Err = %v", err)
		}
		var end error
		for _, err := range s.Messages() {
			end = err
		}
		if !errors.As(end, &refused) {
			t.Errorf("messages end with %v", end)
		}
		if f.stopped() == 0 {
			t.Error("the process was not stopped")
		}
		if reason := failedReason(drain(s.events)); !errors.As(reason, &refused) {
			t.Errorf("event says %v", reason)
		}
	})
}

func TestWaitReadyQuotesTheOutputWhenItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		f.RequestID("initialize")
		f.complain("please log in\n")
		f.Say("not JSON")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := s.WaitReady(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "please log in\nnot JSON") {
			t.Errorf("error = %v", err)
		}
	})
}

func TestMessagesDoNotConfirmTheInitialisation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		f.RequestID("initialize")
		f.Say(
			`{"type":"system","subtype":"session_title_changed","title":"x","session_id":"s","uuid":"u"}`,
			`{"type":"assistant","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"s","uuid":"u"}`,
			peertest.PromptLine("x"), peertest.KeepAliveLine, `{"type":"brand_new"}`, "text",
			peertest.CancelLine("x"), peertest.SuccessLine("x", ""),
			peertest.RequestLine("e", `{"subtype":"elicitation","mcp_server_name":"s","message":"?"}`),
			peertest.RequestLine("u", `{"subtype":"brand_new"}`),
		)
		wantState(t, s, InitSent)
		time.Sleep(time.Minute)
		wantState(t, s, Failed)
	})
}

func TestInitializeTimeoutFailsTheSession(t *testing.T) {
	for _, timeout := range []time.Duration{0, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s, f := newTestSession(t, &Options{Timeouts: CallTimeouts{Initialize: timeout}})
			f.RequestID("initialize")
			f.complain("warming up\n")
			f.Say("not JSON")
			start := time.Now()
			err := s.WaitReady(t.Context())
			want := max(timeout, 3*time.Second)
			if timeout == 0 {
				want = time.Minute
			}
			if took := time.Since(start); took != want {
				t.Errorf("took %v, want %v", took, want)
			}
			var late *InitTimeoutError
			if !errors.As(err, &late) || late.After != want || late.Output != "warming up\nnot JSON\n" {
				t.Errorf("error = %#v", err)
			}
			<-s.Done()
			wantState(t, s, Failed)
			if f.stopped() == 0 {
				t.Error("the process was not stopped")
			}
			if reason := failedReason(drain(s.events)); reason != err {
				t.Errorf("event says %v", reason)
			}
		})
	}
}

func TestInitializeErrorFailsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		f.Say(peertest.ErrorLine(f.RequestID("initialize"), "hooks must map"))
		err := s.WaitReady(t.Context())
		var refused *InitError
		if !errors.As(err, &refused) || refused.Refusal.Response.Error != "hooks must map" {
			t.Errorf("error = %#v", err)
		}
		<-s.Done()
		wantState(t, s, Failed)
		if _, err := s.Client.Interrupt(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrNotInitialized) {
			t.Errorf("a call afterwards = %v", err)
		}
		if diff := cmp.Diff([]State{InitSent, Failed}, states(drain(s.events))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestExitDuringInitialisationFailsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		f.RequestID("initialize")
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		synctest.Wait()
		f.Say("some text")
		start := time.Now()
		f.die(1, "no key\n")
		err := s.WaitReady(t.Context())
		var exit *InitExitError
		if !errors.As(err, &exit) || exit.Exit.Code != 1 || exit.Exit.Stderr != "no key\n" || exit.Output != "some text\n" {
			t.Errorf("error = %#v", err)
		}
		if r := settled(t, op); !errors.Is(r.err, ErrNotInitialized) || !errors.As(r.err, &exit) {
			t.Errorf("queued operation = %v", r.err)
		}
		if time.Since(start) != 0 {
			t.Errorf("took %v", time.Since(start))
		}
		<-s.Done()
		wantState(t, s, Failed)
	})
}

// The session is not past its initialisation when Open gives it up.
func TestOpenThatIsGivenUpLogsNothingFalse(t *testing.T) {
	var log peertest.Recorder
	o := scriptedOptions(t, peertest.InitEnv+"=silent")
	o.Logger, o.SkipVersionCheck = log.Logger(), true
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, o); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open = %v", err)
	}
	if log.Count("past it") > 0 {
		t.Errorf("the log says: %s", log.String())
	}
}
