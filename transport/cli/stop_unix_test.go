//go:build unix

package cli

import (
	"io"
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

func TestStopKillsWhoIgnoresTheInterrupt(t *testing.T) {
	opts := childOptions(t, "stubborn")
	opts.InputGrace, opts.InterruptGrace = -1, 10*time.Millisecond
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
	if _, err := io.ReadAll(holder); err != nil { // its end, or an error after the deadline
		t.Errorf("the descendant lives: %v", err)
	}
}
