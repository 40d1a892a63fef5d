package transport

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestExitWhileRunningEndsTheSession(t *testing.T) {
	for code, state := range map[int]State{0: Stopped, 1: Failed} {
		synctest.Test(t, func(t *testing.T) {
			s, f := running(t, nil)
			f.Say(peertest.KeepAliveLine)
			f.die(code, "words\n")
			if s.Err() != nil || s.proc.Exit() != s.Exit() {
				t.Errorf("Err = %v", s.Err())
			}
			<-s.Done()
			wantState(t, s, state)
			if err := s.Err(); (err != nil) != (code != 0) || s.Exit().Code != code {
				t.Errorf("Err = %v, Exit = %v", err, s.Exit())
			}
			events := drain(s.events)
			switch e := events[len(events)-1].(type) {
			case *CompletedEvent:
				if code != 0 || e.Exit.Code != 0 {
					t.Errorf("event = %+v", e)
				}
			case *FailedEvent:
				if code == 0 || e.Exit.Code != code || e.Exit.Stderr != "words\n" || e.Reason != e.Exit {
					t.Errorf("event = %+v", e)
				}
			default:
				t.Errorf("event = %+v", e)
			}
			count := 0
			var end error
			for f, err := range s.Messages() {
				if f != nil {
					count++
				}
				end = err
			}
			var exit *ExitError
			if count != 1 || (code == 0) != (end == nil) || code != 0 && (!errors.As(end, &exit) || exit.Code != code) {
				t.Errorf("%d messages, end %v", count, end)
			}
			_, err := s.Client.Interrupt(t.Context(), &wire.InterruptRequest{})
			if !errors.As(err, &exit) || exit.Code != code {
				t.Errorf("a call afterwards = %v", err)
			}
		})
	}
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

// Beside other work it takes a while after the end of stdout until the exit is known.
func TestALateExitExplainsTheEndOfStdout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		done := goCall(t.Context(), s, &wire.MCPStatusRequest{})
		f.Sent()
		f.End()
		time.Sleep(1500 * time.Millisecond)
		f.die(3, "boom\n")
		var exit *ExitError
		if r := <-done; !errors.As(r.err, &exit) || exit.Code != 3 || exit.Stderr != "boom\n" {
			t.Errorf("call = %v", r.err)
		}
		<-s.Done()
		if err := s.Err(); !errors.As(err, &exit) {
			t.Errorf("the session failed with %v", err)
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
		s, f := newTestSession(t, &Options{CanUseTool: func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
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
					MCPServers: map[string]MCPServer{"srv": MCPHandlerFunc(func(context.Context, codec.Raw) (codec.Raw, error) {
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

// turnOf brings the session into a turn, or to the end of one.
var turnsOf = map[string]struct {
	lines     []string
	interrupt bool
}{
	"in the turn of a prompt":       {nil, true},
	"after a result":                {[]string{peertest.ResultLine("x")}, false},
	"in the turn after a result":    {[]string{peertest.ResultLine("x"), initLine}, true},
	"after a result without schema": {[]string{`{"type":"result","subtype":"brand_new"}`}, false},
}

const initLine = `{"type":"system","subtype":"init","apiKeySource":"none","cwd":"/","session_id":"s","tools":[],"mcp_servers":[],"model":"m","permissionMode":"default","slash_commands":[],"output_style":"default","uuid":"u"}`

func TestCloseInATurnInterruptsItFirst(t *testing.T) {
	for name, test := range turnsOf {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := running(t, nil)
				if err := s.Prompt(t.Context(), "x"); err != nil {
					t.Fatal(err)
				}
				f.One()
				f.Say(test.lines...)
				synctest.Wait()
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if !test.interrupt {
					f.Nothing()
				} else if r, ok := peertest.Decode(t, f.One()).(*wire.ControlRequest); !ok || r.Request.Subtype() != "interrupt" {
					t.Errorf("sent %+v", r)
				}
				if !f.Closed() {
					t.Error("the input is open")
				}
			})
		})
	}
}

func TestCloseDoesNotWaitForACLIThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		f.Pause()
		sent := goPrompt(t, s, "x")
		goPrompt(t, s, "y")
		synctest.Wait()
		start := time.Now()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > leavePatience {
			t.Errorf("took %v", took)
		}
		f.Resume()
		<-sent
	})
}

func TestStoppedEventSaysHowTheCLIEnded(t *testing.T) {
	for _, delay := range []time.Duration{0, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			logged := &peertest.Recorder{}
			s, f := running(t, &Options{Logger: logged.Logger()})
			f.mu.Lock()
			f.deaf = true
			f.mu.Unlock()
			ctx, cancel := context.WithTimeout(t.Context(), delay)
			defer cancel()
			s.Shutdown(ctx)
			events := drain(s.events)
			e, ok := events[len(events)-1].(*StoppedEvent)
			if !ok || e.Took != delay || e.Exit != s.Exit() || e.Exit == nil {
				t.Errorf("last event = %+v", events[len(events)-1])
			}
			if slow := logged.Count("took long to end") == 1; slow != (delay > time.Second) {
				t.Errorf("after %v logged %s", delay, logged)
			}
		})
	}
}
