//go:build unix

package cli

import (
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestStopInterruptsWhoIgnoresTheEndOfStdin(t *testing.T) {
	opts := childOptions(t, "interruptible")
	opts.InputGrace, opts.InterruptGrace = -1, forever
	p := start(t, opts)
	peertest.ReadLine(t, p.Stdout())
	stop(t, p)
	if exit := p.Exit(); !exit.Success() {
		t.Errorf("exit = %v", exit)
	}
	if got := peertest.ReadAll(t, p.Stdout()); got != "interrupted\n" {
		t.Errorf("stdout = %q", got)
	}
}

func TestStopTerminatesWhoIgnoresTheInterrupt(t *testing.T) {
	opts := childOptions(t, "terminable")
	opts.InputGrace, opts.InterruptGrace, opts.TerminateGrace = -1, -1, forever
	p := start(t, opts)
	peertest.ReadLine(t, p.Stdout())
	stop(t, p)
	if exit := p.Exit(); !exit.Success() {
		t.Errorf("exit = %v", exit)
	}
	if got := peertest.ReadAll(t, p.Stdout()); got != "terminated\n" {
		t.Errorf("stdout = %q", got)
	}
}

func TestStopKillsWhoIgnoresEverything(t *testing.T) {
	opts := childOptions(t, "stubborn")
	opts.InputGrace, opts.InterruptGrace, opts.TerminateGrace = -1, 10*time.Millisecond, 10*time.Millisecond
	p := start(t, opts)
	peertest.ReadLine(t, p.Stdout())
	stop(t, p)
	if exit := p.Exit(); exit.Signal != "killed" {
		t.Errorf("exit = %v", exit)
	}
}

func TestStopKillsTheDescendantsThatAreLeft(t *testing.T) {
	p, holder := startParent(t, childOptions(t, "parent", "holder", "stdout"))
	stop(t, p)
	if exit := p.Exit(); !exit.Success() {
		t.Errorf("exit = %v, want that the process itself could end in peace", exit)
	}
	checkDeath(t, holder)
}
