package transport

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestOpenAndClose(t *testing.T) {
	s := openScripted(t, scriptedOptions(t))
	if got := s.Version(); got != (Version{Major: 2, Minor: 1, Patch: 325}) {
		t.Errorf("version = %v", got)
	}
	if s.State() != Running || s.Initialized().PID == nil {
		t.Errorf("state = %v, answer = %+v", s.State(), s.Initialized())
	}
	for _, text := range []string{"one", "two"} {
		prompt(t, s, "echo %s", text)
		if got := nextResult(t, s); got != text {
			t.Errorf("result = %q", got)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// The errors of a start, by what is wrong first. Each row has all the faults of the rows below it
// as far as they can be had together.
func TestStartErrorsInTheirOrder(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "claude")
	plain := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(plain, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	with := func(change func(*Options), env ...string) *Options {
		o := scriptedOptions(t, env...)
		o.Timeouts.Initialize = 2 * time.Second
		if change != nil {
			change(o)
		}
		return o
	}
	as := func(target any) func(error) bool { return func(err error) bool { return errors.As(err, target) } }
	var (
		old     *UnsupportedVersionError
		spawn   *SpawnError
		timeout *InitTimeoutError
		refused *InitError
		exit    *InitExitError
	)
	tests := []struct {
		name string
		opts *Options
		is   func(error) bool
		says []string
	}{
		{"version too old, whatever else", with(nil, peertest.VersionEnv+"=1.0.84", peertest.InitEnv+"=exit"), as(&old), []string{"1.0.84", "1.0.85", "npm install"}},
		{"version too old for MCP", with(func(o *Options) { o.MCPServers = map[string]MCPServer{"a": echoServer} }, peertest.VersionEnv+"=1.0.93"), as(&old), []string{"1.0.93", "1.0.94"}},
		{"flag refused", with(nil, peertest.VersionEnv+"=garbage", peertest.InitEnv+"=flag"), as(&old), []string{"unknown option '--input-format'", "1.0.85"}},
		{"flag of the user refused", with(func(o *Options) { o.Args = []string{"--mine=1"} }, peertest.InitEnv+"=user-flag"), as(&exit), []string{"--mine", "code 1"}},
		{"not found", with(func(o *Options) { o.CLI = missing }), func(err error) bool { return errors.Is(err, ErrCLINotFound) }, []string{missing, "npm install"}},
		{"cannot be started", with(func(o *Options) { o.CLI = plain }), as(&spawn), []string{plain}},
		{"no such directory", with(func(o *Options) { o.Dir = missing }), as(&spawn), []string{missing}},
		{"no answer", with(nil, peertest.InitEnv+"=silent"), as(&timeout), []string{"2s", "still here"}},
		{"no answer from an unknown version", with(nil, peertest.VersionEnv+"=garbage", peertest.InitEnv+"=silent"), as(&timeout), []string{"still here"}},
		{"refusal", with(nil, peertest.InitEnv+"=refuse"), as(&refused), []string{"bad hooks"}},
		{"exit", with(nil, peertest.InitEnv+"=exit"), as(&exit), []string{"code 3", "no key"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			peertest.CheckLeaks(t)
			_, err := Open(t.Context(), test.opts)
			if err == nil || !test.is(err) {
				t.Fatalf("Open = %T: %v", err, err)
			}
			for _, want := range test.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error does not say %q: %v", want, err)
				}
			}
		})
	}
}

func TestUnknownVersionIsNoReasonToStop(t *testing.T) {
	defer func(d time.Duration) { probeTimeout = d }(probeTimeout)
	probeTimeout = time.Second
	for _, version := range []string{"claude, the newest", "", "hang"} {
		t.Run(version, func(t *testing.T) {
			logged := &peertest.Recorder{}
			o := scriptedOptions(t, peertest.VersionEnv+"="+version)
			o.Logger = logged.Logger()
			s := openScripted(t, o)
			if !s.Version().IsZero() {
				t.Errorf("version %v", s.Version())
			}
			for patience := patient(t); logged.Count("version of the CLI is unknown") != 1; time.Sleep(time.Millisecond) {
				if patience.Err() != nil {
					t.Fatalf("logged %s", logged)
				}
			}
		})
	}
}

func TestVersionCheckCanBeSkipped(t *testing.T) {
	o := scriptedOptions(t, peertest.VersionEnv+"=1.0.1")
	o.SkipVersionCheck = true
	if s := openScripted(t, o); !s.Version().IsZero() {
		t.Errorf("version = %v", s.Version())
	}
}

func TestOpenEndsWithItsContextAndLeavesNothing(t *testing.T) {
	peertest.CheckLeaks(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	o := scriptedOptions(t, peertest.InitEnv+"=silent")
	o.SkipVersionCheck = true
	start := time.Now()
	if _, err := Open(ctx, o); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "still here") {
		t.Errorf("Open = %v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestCloseDuringInitialisationLeavesNothing(t *testing.T) {
	peertest.CheckLeaks(t)
	s, err := Start(t.Context(), scriptedOptions(t, peertest.InitEnv+"=silent"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.WaitReady(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("WaitReady = %v", err)
	}
}
