package transport

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/google/go-cmp/cmp"
)

func TestSessionArguments(t *testing.T) {
	base := []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json"}
	mode := []string{"--permission-mode", "default"}
	server := map[string]MCPHandler{"srv": echoServer}
	tests := []struct {
		name    string
		opts    *Options
		version Version
		want    []string
	}{
		{"nil", nil, Version{}, append(base[:5:5], mode...)},
		{"permission mode is explicit", &Options{PermissionMode: wire.PermissionModePlan}, Version{}, append(base[:5:5], "--permission-mode", "plan")},
		{"model and further arguments", &Options{Model: "m", Args: []string{"--debug"}}, Version{}, append(append(base[:5:5], mode...), "--model", "m", "--debug")},
		{"permission callback", &Options{CanUseTool: allow}, Version{}, append(append(base[:5:5], "--permission-prompt-tool", "stdio"), mode...)},
		{"MCP server", &Options{MCPServers: server}, Version{Major: 2, Minor: 1, Patch: 325}, append(base[:5:5], mode...)},
		{"MCP server of an unknown CLI", &Options{MCPServers: server}, Version{}, append(base[:5:5], mode...)},
		{"MCP server of an old CLI", &Options{MCPServers: server}, Version{Major: 1, Minor: 0, Patch: 127}, append(append(base[:5:5], "--mcp-config", `{"mcpServers":{"srv":{"type":"sdk","name":"srv"}}}`), mode...)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.opts.withDefaults().sessionArgs(test.version)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFileCheckpointingIsAnEnvironmentVariable(t *testing.T) {
	env := []string{"A=1"}
	if got := (&Options{Env: env}).environ(); !cmp.Equal(got, env) {
		t.Errorf("environment = %q", got)
	}
	if got := (&Options{}).environ(); got != nil {
		t.Errorf("environment = %q", got)
	}
	if got := (&Options{Env: env, FileCheckpointing: true}).environ(); !cmp.Equal(got, []string{"A=1", "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1"}) {
		t.Errorf("environment = %q", got)
	}
	if got := (&Options{FileCheckpointing: true}).environ(); len(got) < 2 {
		t.Errorf("environment = %q, want that of this process too", got)
	}
}

func TestRewindFilesNeedsCheckpointing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		request := &wire.RewindFilesRequest{UserMessageID: "u"}
		if _, err := s.RewindFiles(t.Context(), request); !errors.Is(err, ErrCheckpointingNotEnabled) {
			t.Errorf("RewindFiles = %v", err)
		}
		if _, err := s.Call(t.Context(), request); !errors.Is(err, ErrCheckpointingNotEnabled) {
			t.Errorf("Call = %v", err)
		}
		f.Nothing()
	})
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{FileCheckpointing: true})
		done := goCall(t.Context(), s, &wire.RewindFilesRequest{UserMessageID: "u"})
		f.Say(peertest.SuccessLine(f.RequestID("rewind_files"), `{"canRewind":true}`))
		if r := settled(t, done); r.err != nil {
			t.Error(r.err)
		}
	})
}

func TestControlOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{FileCheckpointing: true})
		operations := []struct {
			call    func() error
			request string
			answer  string
		}{
			{func() error { _, err := s.Interrupt(t.Context(), &wire.InterruptRequest{}); return err }, `{"subtype":"interrupt"}`, ``},
			{func() error {
				_, err := s.SetPermissionMode(t.Context(), &wire.SetPermissionModeRequest{Mode: wire.PermissionModeAcceptEdits})
				return err
			}, `{"subtype":"set_permission_mode","mode":"acceptEdits"}`, `{"mode":"acceptEdits"}`},
			{func() error {
				_, err := s.SetModel(t.Context(), &wire.SetModelRequest{Model: codec.Some("sonnet")})
				return err
			}, `{"subtype":"set_model","model":"sonnet"}`, ``},
			{func() error {
				_, err := s.RewindFiles(t.Context(), &wire.RewindFilesRequest{UserMessageID: "msg_123"})
				return err
			}, `{"subtype":"rewind_files","user_message_id":"msg_123"}`, `{"canRewind":true}`},
			{func() error { _, err := s.MCPStatus(t.Context(), &wire.MCPStatusRequest{}); return err }, `{"subtype":"mcp_status"}`, `{"mcpServers":[]}`},
		}
		for _, op := range operations {
			done := make(chan error, 1)
			go func() { done <- op.call() }()
			line := f.One()
			id := peertest.Decode(t, line).(*wire.ControlRequest).RequestID
			if line != peertest.RequestLine(id, op.request) {
				t.Errorf("sent %s, want %s", line, op.request)
			}
			f.Say(peertest.SuccessLine(id, op.answer))
			if err := <-done; err != nil {
				t.Errorf("%s: %v", op.request, err)
			}
		}
	})
}

func TestPromptsAreSentInTheModernForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		for _, text := range []string{"hello", "again\nand again"} {
			if err := s.Prompt(t.Context(), text); err != nil {
				t.Fatal(err)
			}
			if got := f.One(); got != peertest.PromptLine(text) {
				t.Errorf("sent %s", got)
			}
		}
	})
}

// Any of these would make the CLI exit, or confuse the correlation.
func TestSendRefusesWhatIsNoMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		text := "x"
		for _, frame := range []wire.Frame{
			&wire.User{Message: wire.UserMessage{Content: wire.UserMessageContent{Text: &text}}},
			&wire.User{Message: wire.UserMessage{Role: "assistant", Content: wire.UserMessageContent{Text: &text}}},
			&wire.ControlRequest{RequestID: "x", Request: &wire.InterruptRequest{}},
			(&wire.ControlRequest{RequestID: "x"}).Success(nil),
			&wire.ControlCancelRequest{RequestID: "x"},
			nil,
		} {
			if err := s.Send(t.Context(), frame); err == nil {
				t.Errorf("%T was sent", frame)
			}
		}
		f.Nothing()
	})
}

func TestPromptAfterTheExitSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		f.die(3, "out of memory\n")
		<-s.Done()
		var exit *ExitError
		if err := s.Prompt(t.Context(), "x"); !errors.As(err, &exit) || exit.Code != 3 {
			t.Errorf("prompt = %v", err)
		}
		if _, err := s.Interrupt(t.Context(), &wire.InterruptRequest{}); !errors.As(err, &exit) || exit.Code != 3 || exit.Stderr != "out of memory\n" {
			t.Errorf("call = %v", err)
		}
	})
}

func TestPendingCallsFailWhenProcessExits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		var calls []<-chan callResult
		for range 5 {
			calls = append(calls, goCall(t.Context(), s, &wire.MCPStatusRequest{}))
		}
		f.Sent()
		start := time.Now()
		f.die(2, "bye\n")
		for _, done := range calls {
			var exit *ExitError
			if r := settled(t, done); !errors.As(r.err, &exit) || exit.Code != 2 || exit.Stderr != "bye\n" {
				t.Errorf("call = %v", r.err)
			}
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v", took)
		}
	})
}

func TestStdoutThatClosesWithoutAnExitEndsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		done := goCall(t.Context(), s, &wire.MCPStatusRequest{})
		f.Sent()
		start := time.Now()
		f.End()
		r := <-done
		if took := time.Since(start); took != exitPatience || !errors.Is(r.err, ErrOutputClosed) {
			t.Errorf("call ended after %v with %v", took, r.err)
		}
		<-s.Done()
		if f.Exit() == nil {
			t.Error("the process is still there")
		}
		if reason := failedReason(drain(s.events)); !errors.Is(reason, ErrOutputClosed) {
			t.Errorf("event says %v", reason)
		}
		if _, err := s.Receive(t.Context()); err != ErrOutputClosed {
			t.Errorf("Receive = %v", err)
		}
	})
}

func TestSessionCloseInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s, f := newTestSession(t, &Options{CallbackTimeouts: CallbackTimeouts{Permission: -1}, CanUseTool: func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			<-release
			return r.Allow(), nil
		}})
		if err := s.CloseInput(t.Context()); !errors.Is(err, ErrNotInitialized) {
			t.Errorf("CloseInput during the initialisation = %v", err)
		}
		f.Say(peertest.SuccessLine(f.RequestID("initialize"), ""))
		f.Say(peertest.RequestLine("r", peertest.PermissionBody))
		synctest.Wait()
		var busy *InputBusyError
		if err := s.CloseInput(t.Context()); !errors.As(err, &busy) {
			t.Errorf("CloseInput = %v", err)
		}
		close(release)
		f.One()
		if err := s.CloseInput(t.Context()); err != nil {
			t.Errorf("CloseInput = %v", err)
		}
		if !f.Closed() {
			t.Error("not closed")
		}
		f.Say(peertest.KeepAliveLine)
		f.die(0, "")
		if _, err := s.Receive(t.Context()); err != nil {
			t.Error(err)
		}
		<-s.Done()
		if _, err := s.Receive(t.Context()); err != io.EOF {
			t.Errorf("Receive = %v", err)
		}
		events := drain(s.events)
		if _, ok := events[len(events)-1].(*CompletedEvent); !ok {
			t.Errorf("last event = %+v", events[len(events)-1])
		}
	})
}

func TestSessionForceCloseInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{CanUseTool: func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			<-ctx.Done()
			return r.Allow(), nil
		}})
		f.Say(peertest.RequestLine("r", peertest.PermissionBody))
		synctest.Wait()
		if err := s.ForceCloseInput(t.Context()); err != nil {
			t.Errorf("ForceCloseInput = %v", err)
		}
		f.Nothing()
		if !f.Closed() {
			t.Error("not closed")
		}
	})
}

func TestSessionCloseFailsCallsAndEndsCallbacks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		s, f := running(t, &Options{CanUseTool: func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			<-ctx.Done()
			close(ended)
			return r.Allow(), nil
		}})
		call := goCall(t.Context(), s, &wire.MCPStatusRequest{})
		f.Sent()
		f.Say(peertest.RequestLine("r", peertest.PermissionBody), peertest.KeepAliveLine)
		synctest.Wait()
		if err := s.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
		<-ended
		if r := settled(t, call); !errors.Is(r.err, ErrClosed) {
			t.Errorf("call = %v", r.err)
		}
		f.Nothing()
		if _, err := s.Receive(t.Context()); err != nil {
			t.Errorf("a message from before = %v", err)
		}
		if _, err := s.Receive(t.Context()); err != io.EOF {
			t.Errorf("the end = %v", err)
		}
		events := drain(s.events)
		if e, ok := events[len(events)-1].(*StoppedEvent); !ok || e.Exit == nil {
			t.Errorf("last event = %+v", events[len(events)-1])
		}
		if err := s.Prompt(t.Context(), "x"); !errors.Is(err, ErrClosed) {
			t.Errorf("Prompt = %v", err)
		}
	})
}

// synctest fails if a goroutine is left, or if one is stuck.
func TestSessionCloseHoweverItIsCalled(t *testing.T) {
	t.Run("twice", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, _ := running(t, nil)
			for range 2 {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	})
	t.Run("concurrently", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, _ := running(t, nil)
			done := make(chan error)
			for range 10 {
				go func() { done <- s.Close() }()
			}
			for range 10 {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		})
	})
	t.Run("during initialisation", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, f := newTestSession(t, nil)
			f.RequestID("initialize")
			op := goCall(t.Context(), s, &wire.InterruptRequest{})
			synctest.Wait()
			s.Close()
			if err := s.WaitReady(t.Context()); !errors.Is(err, ErrClosed) {
				t.Errorf("WaitReady = %v", err)
			}
			if r := settled(t, op); !errors.Is(r.err, ErrClosed) {
				t.Errorf("queued call = %v", r.err)
			}
			wantState(t, s, Stopped)
		})
	})
	t.Run("inside a handler", func(t *testing.T) {
		for _, body := range []string{peertest.HookBody, peertest.PermissionBody, peertest.MCPBody} {
			synctest.Test(t, func(t *testing.T) {
				var s *Session
				closed := make(chan error, 1)
				s, f := running(t, &Options{
					Hooks: preToolUse(func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
						closed <- s.Close()
						return nil, nil
					}),
					CanUseTool: func(context.Context, *wire.CanUseToolRequest) (wire.PermissionResult, error) {
						closed <- s.Close()
						return nil, nil
					},
					MCPServers: map[string]MCPHandler{"srv": MCPHandlerFunc(func(context.Context, codec.Raw) (codec.Raw, error) {
						closed <- s.Close()
						return nil, nil
					})},
				})
				f.Say(peertest.RequestLine("r", body))
				if err := <-closed; err != nil {
					t.Error(err)
				}
				f.Nothing()
			})
		}
	})
	t.Run("after the exit", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, f := running(t, nil)
			f.die(1, "")
			<-s.Done()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if failedReason(drain(s.events)) == nil {
				t.Error("the failure is forgotten")
			}
		})
	})
	t.Run("while the consumer waits", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, _ := running(t, nil)
			ended := make(chan struct{}, 2)
			go func() {
				for range s.Messages() {
				}
				ended <- struct{}{}
			}()
			go func() {
				for range s.Events() {
				}
				ended <- struct{}{}
			}()
			synctest.Wait()
			s.Close()
			<-ended
			<-ended
		})
	})
	t.Run("with a CLI that does not listen", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, f := running(t, nil)
			f.mu.Lock()
			f.deaf = true
			f.mu.Unlock()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			if err := s.Shutdown(ctx); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took != time.Second {
				t.Errorf("took %v", took)
			}
		})
	})
}

func TestSessionCloseReportsAProcessThatCannotBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		f.mu.Lock()
		f.stopErr = errBoom
		f.mu.Unlock()
		if err := s.Close(); !errors.Is(err, errBoom) {
			t.Errorf("Close = %v", err)
		}
		f.mu.Lock()
		f.stopErr = nil
		f.mu.Unlock()
	})
}

func TestNothingIsLoggedInAnOrdinarySession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logged := &peertest.Recorder{}
		s, f := running(t, &Options{Logger: logged.Logger(), CanUseTool: allow})
		f.Say(peertest.RequestLine("r", peertest.PermissionBody), peertest.KeepAliveLine)
		f.One()
		s.Close()
		if text := strings.TrimSpace(logged.String()); text != "" {
			t.Errorf("logged %s", text)
		}
	})
}
