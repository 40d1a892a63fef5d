package transport

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// scriptedOptions returns options that run the scripted CLI.
func scriptedOptions(t testing.TB, env ...string) *Options {
	c := peertest.NewChild(t, "cli")
	return &Options{CLI: c.Path, Env: append(c.Env, env...), CleanEnv: true, Logger: peertest.Quiet}
}

// openScripted opens a session with the scripted CLI and checks that nothing is left of it.
func openScripted(t testing.TB, opts *Options) *Session {
	t.Helper()
	peertest.CheckLeaks(t)
	s, err := Open(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		killed, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		s.Shutdown(killed)
	})
	return s
}

// prompt sends a command to the scripted CLI.
func prompt(t testing.TB, s *Session, format string, args ...any) {
	t.Helper()
	if err := s.Prompt(t.Context(), fmt.Sprintf(format, args...)); err != nil {
		t.Fatal(err)
	}
}

// nextMark reads the next message, which must carry a text.
func nextMark(t testing.TB, s *Session) string {
	t.Helper()
	f, err := s.Receive(patient(t))
	if err != nil {
		t.Fatal(err)
	}
	m, ok := f.(*wire.KeepAlive)
	if !ok || m.StartupMark == nil {
		t.Fatalf("message is a %T", f)
	}
	return *m.StartupMark
}

// nextResult reads up to the next result.
func nextResult(t testing.TB, s *Session) string {
	t.Helper()
	for {
		f, err := s.Receive(patient(t))
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := f.(*wire.ResultSuccess); ok {
			return r.Result
		}
	}
}

// patient returns a context for what must happen soon.
func patient(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), peertest.Patience)
	t.Cleanup(cancel)
	return ctx
}
