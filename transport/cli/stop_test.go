package cli

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

// forever is a grace that no test lives to see the end of.
const forever = time.Hour

func stop(t testing.TB, p *Process) {
	t.Helper()
	if err := p.Stop(t.Context()); err != nil {
		t.Errorf("Stop = %v", err)
	}
	if p.Exit() == nil {
		t.Error("Stop returned before the exit")
	}
}

func TestStopClosesStdinAndWaits(t *testing.T) {
	opts := childOptions(t, "echo")
	opts.InputGrace = forever
	p := start(t, opts)
	stop(t, p)
	if exit := p.Exit(); !exit.Success() {
		t.Errorf("exit = %v", exit)
	}
}

func TestStopDeliversWhatTheProcessStillWrites(t *testing.T) {
	p := start(t, childOptions(t, "bye"))
	stop(t, p)
	if got := peertest.ReadAll(t, p.Stdout()); got != "bye\n" {
		t.Errorf("stdout = %q", got)
	}
}

func TestStopDuringAFloodOfUnreadOutput(t *testing.T) {
	opts := childOptions(t, "version-long")
	opts.InputGrace, opts.InterruptGrace, opts.TerminateGrace = -1, -1, -1
	p := start(t, opts)
	peertest.ReadLine(t, p.Stdout())
	stop(t, p)
	if rest := peertest.ReadAll(t, p.Stdout()); len(rest) > maxRest+64<<10 {
		t.Errorf("%d bytes of output are left", len(rest))
	}
}

func TestStopRightAfterStart(t *testing.T) {
	opts := childOptions(t, "stubborn")
	opts.InputGrace, opts.InterruptGrace, opts.TerminateGrace = -1, -1, -1
	stop(t, start(t, opts))
}

func TestStopAfterTheExit(t *testing.T) {
	p := start(t, childOptions(t, "fail"))
	waitDone(t, p)
	stop(t, p)
	stop(t, p)
	if exit := p.Exit(); exit.Code != 3 {
		t.Errorf("exit = %v", exit)
	}
}

func TestStopConcurrently(t *testing.T) {
	for _, script := range []string{"echo", "interruptible", "stubborn"} {
		t.Run(script, func(t *testing.T) {
			opts := childOptions(t, script)
			opts.InputGrace, opts.InterruptGrace, opts.TerminateGrace = time.Millisecond, 10*time.Millisecond, 10*time.Millisecond
			p := start(t, opts)
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() { stop(t, p) })
			}
			wg.Wait()
			stop(t, p)
		})
	}
}

func TestStopKillsAtOnceWhenItsContextEnds(t *testing.T) {
	opts := childOptions(t, "stubborn")
	opts.InputGrace, opts.InterruptGrace, opts.TerminateGrace = forever, forever, forever
	p := start(t, opts)
	peertest.ReadLine(t, p.Stdout())
	patient := make(chan error)
	go func() { patient <- p.Stop(context.Background()) }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Stop(ctx); err != nil {
		t.Errorf("Stop = %v", err)
	}
	if err := <-patient; err != nil {
		t.Errorf("the other Stop = %v", err)
	}
}

func TestStopInsideTheStderrCallback(t *testing.T) {
	opts := childOptions(t, "fail")
	stopped := make(chan error, 2) // one for each line
	started := make(chan *Process, 2)
	opts.OnStderr = func(string, int) {
		p := <-started
		stopped <- p.Stop(context.Background())
	}
	p := start(t, opts)
	started <- p
	started <- p
	for range 2 {
		if err := <-stopped; err != nil {
			t.Errorf("Stop = %v", err)
		}
	}
}
