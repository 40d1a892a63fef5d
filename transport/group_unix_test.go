//go:build unix

package transport

import (
	"io"
	"syscall"
	"testing"
)

func TestGroupIsInterruptedOnce(t *testing.T) {
	p := start(t, childOptions(t, "signals"))
	readLine(t, p.Stdout())
	p.group.interrupt()
	if got := readLine(t, p.Stdout()); got != "interrupt" {
		t.Errorf("first signal: %q", got)
	}
	p.group.interrupt()
	syscall.Kill(p.PID(), syscall.SIGTERM)
	if got := readAll(t, p.Stdout()); got != "terminated\n" {
		t.Errorf("after the first interrupt: %q", got)
	}
}

func TestGroupGetsNoSignalOnceItsLeaderIsGone(t *testing.T) {
	p := start(t, childOptions(t, "echo"))
	g := &group{leader: p.PID()}
	g.leaderIsGone()
	g.interrupt()
	g.kill()
	io.WriteString(p.Stdin(), "alive\n")
	if got := readLine(t, p.Stdout()); got != "alive" {
		t.Errorf("got %q", got)
	}
}
