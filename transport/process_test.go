package transport

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/ccwire/ccwire/transport/cli"
)

// spawnScripted is an [Options.Spawn] that runs the scripted CLI and notes what it was told.
func spawnScripted(t testing.TB, told *Command) func(context.Context, Command) (Process, error) {
	c := peertest.NewChild(t, "cli")
	return func(_ context.Context, command Command) (Process, error) {
		*told = command
		return cli.Start(cli.Options{Path: c.Path, Args: command.Args, Env: append(c.Env, command.Env...)})
	}
}

func TestSpawnStartsTheCLI(t *testing.T) {
	var told Command
	o := &Options{
		CLI: "/remote/claude", Dir: "/remote", Env: []string{"A=1", "A=2"}, FileCheckpointing: true, Flags: Flags{Model: "m"},
		Spawn: spawnScripted(t, &told), Logger: peertest.Quiet,
	}
	s := openScripted(t, o)
	want := Command{
		Path: "/remote/claude", Dir: "/remote", Env: []string{"A=2", envCheckpointing}, Args: o.withDefaults().sessionArgs(Version{}),
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	if !s.Version().IsZero() {
		t.Errorf("version %v: nobody asked for it", s.Version())
	}
	if r, err := s.Turn(patient(t), "echo hello").Result(); err != nil || r.Text() != "hello" {
		t.Errorf("result = %v, %v", r, err)
	}
	s.Close()
	if exit := s.Exit(); exit == nil || !exit.Success() {
		t.Errorf("exit = %v", exit)
	}
}

func TestSpawnStartsTheCLIOfAQuery(t *testing.T) {
	for _, o := range []*Options{{}, {CanUseTool: allow}} {
		peertest.CheckLeaks(t)
		var told Command
		o.Spawn, o.Logger = spawnScripted(t, &told), peertest.Quiet
		if r, err := Query(patient(t), "echo hello", o).Result(); err != nil || r.Text() != "hello" {
			t.Errorf("result = %v, %v", r, err)
		}
		if told.Path != "claude" || slices.Contains(told.Args, "--print") == o.Bidirectional() {
			t.Errorf("told %+v", told)
		}
	}
}

// A process that Spawn binds to its context lives as long as the session, not as the call of Open.
func TestTheContextOfSpawnDoesNotEndWithThatOfOpen(t *testing.T) {
	var told Command
	var bound context.Context
	spawn := spawnScripted(t, &told)
	o := &Options{Logger: peertest.Quiet, Spawn: func(ctx context.Context, c Command) (Process, error) {
		bound = ctx
		return spawn(ctx, c)
	}}
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cancel()
	if bound.Err() != nil {
		t.Errorf("the context of Spawn has ended: %v", context.Cause(bound))
	}
}

func TestTheContextOfSpawnEndsWithThatOfOpenBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	o := &Options{Logger: peertest.Quiet, Spawn: func(ctx context.Context, _ Command) (Process, error) {
		cancel(errBoom)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}}
	if _, err := Open(ctx, o); !errors.Is(err, errBoom) {
		t.Errorf("Open = %v", err)
	}
}

func TestSpawnErrorsAreThoseOfTheStart(t *testing.T) {
	for _, spawnErr := range []error{errBoom, nil} {
		o := &Options{Spawn: func(context.Context, Command) (Process, error) { return nil, spawnErr }}
		if _, err := Open(t.Context(), o); err == nil || spawnErr != nil && !errors.Is(err, spawnErr) {
			t.Errorf("Open = %v", err)
		}
	}
}

func TestOptionsThatSpawnCannotHonourAreErrors(t *testing.T) {
	for name, o := range map[string]Options{
		"OnStderr": {OnStderr: func(string, int) {}}, "StderrLimit": {StderrLimit: 1}, "KeepDescendants": {KeepDescendants: true},
		"InputGrace": {InputGrace: 1}, "InterruptGrace": {InterruptGrace: 1}, "TerminateGrace": {TerminateGrace: 1},
	} {
		o.Spawn = func(context.Context, Command) (Process, error) {
			t.Error("started")
			return nil, nil
		}
		if _, err := Open(t.Context(), &o); err == nil || !strings.Contains(err.Error(), "Options.Spawn") || !strings.Contains(err.Error(), "Options."+name+":") {
			t.Errorf("Open with %s = %v", name, err)
		}
	}
}

// peerOverConn plays a CLI at the other end of a connection: it echoes prompts.
func peerOverConn(t testing.TB, r io.Reader, w io.Writer) *Conn {
	peer := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet, Answer: func(context.Context, wire.Request) (codec.Appender, error) {
		return &wire.InitializeResponse{}, nil
	}})
	go func() { // ends with the connection
		for f := range peer.Messages() {
			if user, ok := f.(*wire.User); ok {
				peer.Send(context.Background(), &wire.ResultSuccess{Result: *user.Message.Content.Text})
			}
		}
	}()
	t.Cleanup(func() { peer.Close() })
	return peer
}

// pipes returns two connected ends.
var pipes = map[string]func(t testing.TB) (ours, theirs [2]any){
	"net.Pipe": func(testing.TB) (ours, theirs [2]any) {
		a, b := net.Pipe()
		return [2]any{a, a}, [2]any{b, b}
	},
	"os.Pipe": func(t testing.TB) (ours, theirs [2]any) {
		peertest.NeedProcesses(t)
		r1, w1, err1 := os.Pipe()
		r2, w2, err2 := os.Pipe()
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		return [2]any{r1, w2}, [2]any{r2, w1}
	},
	"TCP": func(t testing.TB) (ours, theirs [2]any) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		a, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		b, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return [2]any{a, a}, [2]any{b, b}
	},
	"a reader that cannot be closed": func(testing.TB) (ours, theirs [2]any) {
		r1, w1 := io.Pipe()
		r2, w2 := io.Pipe()
		return [2]any{struct{ io.Reader }{r1}, w2}, [2]any{r2, w1}
	},
}

func TestSessionOverAPipe(t *testing.T) {
	for name, connect := range pipes {
		t.Run(name, func(t *testing.T) {
			peertest.CheckLeaks(t)
			ours, theirs := connect(t)
			peer := peerOverConn(t, theirs[0].(io.Reader), theirs[1].(io.Writer))
			asked := make(chan struct{}, 1)
			s, err := OpenConn(patient(t), ours[0].(io.Reader), ours[1].(io.WriteCloser), &Options{Logger: peertest.Quiet, CanUseTool: func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
				asked <- struct{}{}
				return r.Allow(), nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"one", "two"} {
				if r, err := s.Turn(patient(t), text).Result(); err != nil || r.Text() != text {
					t.Errorf("result = %v, %v", r, err)
				}
			}
			if _, err := peer.Call(patient(t), &wire.CanUseToolRequest{ToolName: "Write", Input: codec.Raw(`{}`)}); err != nil {
				t.Error(err)
			}
			<-asked
			if err := s.Close(); err != nil {
				t.Errorf("Close = %v", err)
			}
			<-peer.Done() // its input was closed
			if s.State() != Stopped || s.Err() != nil || s.Exit() != nil {
				t.Errorf("state %v, %v, %v", s.State(), s.Err(), s.Exit())
			}
			if _, err := s.Receive(t.Context()); err != io.EOF {
				t.Errorf("the messages end with %v", err)
			}
		})
	}
}

func TestTheEndOfAPipeIsAPlainEnd(t *testing.T) {
	peertest.CheckLeaks(t)
	ours, theirs := net.Pipe()
	peer := peerOverConn(t, theirs, theirs)
	s, err := OpenConn(patient(t), ours, ours, &Options{Logger: peertest.Quiet})
	if err != nil {
		t.Fatal(err)
	}
	peer.Close()
	<-s.Done()
	if s.State() != Stopped || s.Err() != nil {
		t.Errorf("state %v, %v", s.State(), s.Err())
	}
	if _, err := s.Receive(t.Context()); err != io.EOF {
		t.Errorf("the messages end with %v", err)
	}
	if _, err := s.Client.Interrupt(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrPeerClosed) {
		t.Errorf("a call = %v", err)
	}
	var last Event
	for e := range s.Events() {
		last = e
	}
	if e, ok := last.(*CompletedEvent); !ok || e.Exit != nil {
		t.Errorf("last event = %+v", last)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenConnThatFailsClosesThePipe(t *testing.T) {
	closed := func(t *testing.T, end net.Conn) {
		t.Helper()
		end.SetReadDeadline(time.Now().Add(peertest.Patience))
		if _, err := io.Copy(io.Discard, end); err != nil {
			t.Errorf("the pipe is not closed: %v", err)
		}
	}
	t.Run("the peer ends", func(t *testing.T) {
		peertest.CheckLeaks(t)
		ours, theirs := net.Pipe()
		go func() {
			codec.NewReader(theirs, nil).Next() // initialize
			theirs.Close()
		}()
		if _, err := OpenConn(patient(t), ours, ours, &Options{Logger: peertest.Quiet}); !errors.Is(err, ErrPeerClosed) {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("no answer", func(t *testing.T) {
		peertest.CheckLeaks(t)
		ours, theirs := net.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			codec.NewReader(theirs, nil).Next()
			cancel()
		}()
		if _, err := OpenConn(ctx, ours, ours, &Options{Logger: peertest.Quiet}); !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v", err)
		}
		closed(t, theirs)
	})
	for name, o := range map[string]Options{
		"CLI": {CLI: "x"}, "Args": {Args: []string{}}, "Dir": {Dir: "x"}, "Env": {Env: []string{}}, "CleanEnv": {CleanEnv: true},
		"Flags": {Flags: Flags{Model: "x"}}, "FileCheckpointing": {FileCheckpointing: true},
		"Spawn":    {Spawn: func(context.Context, Command) (Process, error) { return nil, nil }},
		"OnStderr": {OnStderr: func(string, int) {}}, "StderrLimit": {StderrLimit: 1}, "InputGrace": {InputGrace: 1}, "InterruptGrace": {InterruptGrace: 1},
	} {
		t.Run("Options."+name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			if _, err := OpenConn(t.Context(), ours, ours, &o); err == nil || !strings.Contains(err.Error(), "Options."+name) {
				t.Errorf("error = %v", err)
			}
			closed(t, theirs)
		})
	}
}
