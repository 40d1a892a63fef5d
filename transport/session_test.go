package transport

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

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
			&wire.User{},
			&wire.User{Message: wire.UserMessage{Content: wire.UserMessageContent{Text: &text, List: []wire.ContentBlock{&wire.TextBlock{Text: "x"}}}}},
			&wire.User{Message: wire.UserMessage{Role: "assistant", Content: wire.UserMessageContent{Text: &text}}},
			&wire.ControlRequest{RequestID: "x", Request: &wire.InterruptRequest{}},
			(&wire.ControlRequest{RequestID: "x"}).Success(nil),
			&wire.ControlCancelRequest{RequestID: "x"},
			nil,
			(*wire.User)(nil),
			(*wire.KeepAlive)(nil),
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
		if _, err := s.Client.Interrupt(t.Context(), &wire.InterruptRequest{}); !errors.As(err, &exit) || exit.Code != 3 || exit.Stderr != "out of memory\n" {
			t.Errorf("call = %v", err)
		}
	})
}

func TestNothingIsLoggedInAnOrdinarySession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logged := &peertest.Recorder{}
		s, f := running(t, &Options{Logger: logged.Logger(), CanUseTool: allow})
		f.Say(peertest.RequestLine("r", peertest.PermissionBody), peertest.KeepAliveLine)
		f.One()
		s.Close()
		synctest.Wait()
		if text := strings.TrimSpace(logged.String()); text != "" {
			t.Errorf("logged %s", text)
		}
	})
}

func TestStatesHaveNames(t *testing.T) {
	var names []string
	for s := Starting; s <= Failed; s++ {
		names = append(names, s.String())
	}
	if diff := cmp.Diff([]string{"starting", "init sent", "running", "stopped", "failed"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestVerbatimPromptsAreMarkedAndTheOriginalIsNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{VerbatimPrompts: true})
		message := userMessage("@secret")
		for name, send := range map[string]func() error{
			"Prompt": func() error { return s.Prompt(t.Context(), "/exit") },
			"Send":   func() error { return s.Send(t.Context(), message) },
		} {
			if err := send(); err != nil {
				t.Fatal(err)
			}
			if line := f.One(); !strings.Contains(line, `"client_composed":true`) {
				t.Errorf("%s sends %s", name, line)
			}
		}
		if message.ClientComposed != nil {
			t.Error("the caller's message was changed")
		}
	})
}
