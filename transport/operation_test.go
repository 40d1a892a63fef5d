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

func TestOperationsAreQueuedDuringInitialisationAndFlushedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		var want []string
		var ops []<-chan callResult
		var prompts []<-chan error
		for i := range 16 {
			if i%4 == 3 {
				text := fmt.Sprint("prompt ", i)
				prompts = append(prompts, goPrompt(t, s, text))
				want = append(want, text)
			} else {
				server := fmt.Sprint("server ", i)
				ops = append(ops, goCall(t.Context(), s, &wire.MCPReconnectRequest{ServerName: server}))
				want = append(want, server)
			}
			synctest.Wait()
		}
		f.Nothing()
		if _, err := s.Client.Interrupt(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrInitQueueOverflow) || !strings.Contains(err.Error(), "16") {
			t.Errorf("the 17th = %v", err)
		}
		f.Say(peertest.SuccessLine(id, `{}`))
		lines := f.Sent() // all of them, although none is answered
		if len(lines) != 16 {
			t.Fatalf("sent %d lines", len(lines))
		}
		for i, line := range lines {
			if !strings.Contains(line, peertest.Quote(want[i])) {
				t.Errorf("line %d is %s, want %s", i, line, want[i])
			}
		}
		for _, done := range prompts {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		for i := len(lines) - 1; i >= 0; i-- {
			if r, ok := peertest.Decode(t, lines[i]).(*wire.ControlRequest); ok {
				f.Say(peertest.SuccessLine(r.RequestID, ""))
			}
		}
		for _, op := range ops {
			if r := settled(t, op); r.err != nil {
				t.Error(r.err)
			}
		}
	})
}

func TestQueuedOperationsFailWithTheInitialisation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		prompt := goPrompt(t, s, "x")
		stillOpen(t, op)
		f.Say(peertest.ErrorLine(id, "no"))
		if r := settled(t, op); !errors.Is(r.err, ErrNotInitialized) {
			t.Errorf("call = %v", r.err)
		}
		if err := <-prompt; !errors.Is(err, ErrNotInitialized) {
			t.Errorf("prompt = %v", err)
		}
		f.Nothing()
	})
}

func TestQueuedOperationCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		ctx, cancel := context.WithCancel(t.Context())
		op := goCall(ctx, s, &wire.InterruptRequest{})
		synctest.Wait()
		cancel()
		if r := settled(t, op); !errors.Is(r.err, context.Canceled) {
			t.Errorf("call = %v", r.err)
		}
		f.Say(peertest.SuccessLine(id, ""))
		f.Nothing()
	})
}

func TestTimeOfAQueuedOperationBeginsWhenItIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, nil)
		id := f.RequestID("initialize")
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		time.Sleep(9 * time.Second) // longer than the timeout of interrupt
		stillOpen(t, op)
		f.Say(peertest.SuccessLine(id, ""))
		f.RequestID("interrupt")
		start := time.Now()
		r := <-op
		if took := time.Since(start); took != 5*time.Second || !errors.Is(r.err, context.DeadlineExceeded) {
			t.Errorf("ended after %v by %v", took, r.err)
		}
	})
}

func TestQueueLimitIsConfigurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := newTestSession(t, &Options{Limits: Limits{Queued: 1}})
		f.RequestID("initialize")
		op := goCall(t.Context(), s, &wire.InterruptRequest{})
		synctest.Wait()
		if _, err := s.Client.Interrupt(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrInitQueueOverflow) {
			t.Errorf("error = %v", err)
		}
		s.Close()
		if r := settled(t, op); !errors.Is(r.err, ErrClosed) {
			t.Errorf("error = %v", r.err)
		}
	})
}

func TestRewindFilesNeedsCheckpointing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, nil)
		request := &wire.RewindFilesRequest{UserMessageID: "u"}
		if _, err := s.Client.RewindFiles(t.Context(), request); !errors.Is(err, ErrCheckpointingNotEnabled) {
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
			{func() error { _, err := s.Client.Interrupt(t.Context(), &wire.InterruptRequest{}); return err }, `{"subtype":"interrupt"}`, ``},
			{func() error {
				_, err := s.Client.SetPermissionMode(t.Context(), &wire.SetPermissionModeRequest{Mode: wire.PermissionModeAcceptEdits})
				return err
			}, `{"subtype":"set_permission_mode","mode":"acceptEdits"}`, `{"mode":"acceptEdits"}`},
			{func() error {
				_, err := s.Client.SetModel(t.Context(), &wire.SetModelRequest{Model: codec.Some("sonnet")})
				return err
			}, `{"subtype":"set_model","model":"sonnet"}`, ``},
			{func() error {
				_, err := s.Client.RewindFiles(t.Context(), &wire.RewindFilesRequest{UserMessageID: "msg_123"})
				return err
			}, `{"subtype":"rewind_files","user_message_id":"msg_123"}`, `{"canRewind":true}`},
			{func() error { _, err := s.Client.MCPStatus(t.Context(), &wire.MCPStatusRequest{}); return err }, `{"subtype":"mcp_status"}`, `{"mcpServers":[]}`},
			{func() error { return s.Interrupt(t.Context()) }, `{"subtype":"interrupt"}`, ``},
			{func() error { return s.SetPermissionMode(t.Context(), wire.PermissionModePlan) }, `{"subtype":"set_permission_mode","mode":"plan"}`, `{"mode":"plan"}`},
			{func() error { return s.SetModel(t.Context(), "sonnet") }, `{"subtype":"set_model","model":"sonnet"}`, ``},
			{func() error { return s.SetModel(t.Context(), "") }, `{"subtype":"set_model"}`, ``},
			{func() error { return s.StopTask(t.Context(), "t1") }, `{"subtype":"stop_task","task_id":"t1"}`, `{}`},
			{func() error { _, err := s.RewindFiles(t.Context(), "msg_123"); return err }, `{"subtype":"rewind_files","user_message_id":"msg_123"}`, `{"canRewind":true}`},
			{func() error {
				servers, err := s.MCPStatus(t.Context())
				if len(servers) != 1 || servers[0].Name != "calc" {
					t.Errorf("servers: %+v", servers)
				}
				return err
			}, `{"subtype":"mcp_status"}`, `{"mcpServers":[{"name":"calc","status":"connected"}]}`},
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
