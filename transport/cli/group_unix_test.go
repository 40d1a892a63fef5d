//go:build unix

package cli

import (
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestGroupIsInterruptedOnce(t *testing.T) {
	p := start(t, childOptions(t, "signals"))
	peertest.ReadLine(t, p.Stdout())
	interrupt := func() { p.group.take(StepInterrupt, p.group.members.interrupt) }
	interrupt()
	if got := peertest.ReadLine(t, p.Stdout()); got != "interrupt" {
		t.Errorf("first signal: %q", got)
	}
	interrupt()
	syscall.Kill(p.PID(), syscall.SIGTERM)
	if got := peertest.ReadAll(t, p.Stdout()); got != "terminated\n" {
		t.Errorf("after the first interrupt: %q", got)
	}
}

func TestGroupGetsNoSignalOnceItsLeaderIsGone(t *testing.T) {
	p := start(t, childOptions(t, "echo"))
	g := &group{members: p.group.members, gone: time.Now()}
	g.take(StepInterrupt, g.members.interrupt)
	g.kill()
	io.WriteString(p.Stdin(), "alive\n")
	if got := peertest.ReadLine(t, p.Stdout()); got != "alive" {
		t.Errorf("got %q", got)
	}
}
