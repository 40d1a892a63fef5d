//go:build unix

package cli

import (
	"io"
	"net"
	"syscall"
	"testing"
)

// lives reports whether the holder answers.
func lives(holder net.Conn) bool {
	if _, err := io.WriteString(holder, "?"); err != nil {
		return false
	}
	_, err := io.ReadFull(holder, make([]byte, 1))
	return err == nil
}

// checkDeath fails the test if the holder does not end soon.
func checkDeath(t *testing.T, holder net.Conn) {
	t.Helper()
	if _, err := io.ReadAll(holder); err != nil { // its end, or an error after the deadline
		t.Errorf("the descendant lives: %v", err)
	}
}

// endings are the ways in which a process ends.
var endings = []struct {
	name string
	end  func(*testing.T, *Process)
}{
	{"that ends by itself", func(_ *testing.T, p *Process) { io.WriteString(p.Stdin(), "\n") }},
	{"that dies", func(_ *testing.T, p *Process) { syscall.Kill(p.PID(), syscall.SIGKILL) }},
	{"that is stopped", func(t *testing.T, p *Process) { stop(t, p) }},
	{"that is killed", func(_ *testing.T, p *Process) { p.Kill() }},
}

func TestDescendantInTheGroupNeverOutlivesTheProcess(t *testing.T) {
	for _, test := range endings {
		t.Run(test.name, func(t *testing.T) {
			p, holder := startParent(t, childOptions(t, "parent", "holder", "stdout"))
			if !lives(holder) {
				t.Fatal("the descendant does not live")
			}
			test.end(t, p)
			waitDone(t, p)
			checkDeath(t, holder)
			stop(t, p)
		})
	}
}

func TestDescendantThatLeftTheGroupIsLeftAlone(t *testing.T) {
	opts := childOptions(t, "parent", "holder", "apart", "stdout")
	opts.KeepDescendants = true
	p, holder := startParent(t, opts)
	stop(t, p)
	if !lives(holder) {
		t.Error("the descendant was killed")
	}
}
