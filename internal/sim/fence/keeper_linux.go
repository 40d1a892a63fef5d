package fence

import (
	"fmt"
	"os/exec"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// keeper is a thread that has restricted itself, and starts processes.
type keeper struct {
	work chan func() // what the thread is to do; nil to end
	done chan struct{}

	closed bool // nothing is started any more; used by the thread alone
}

// newKeeper starts a thread that can write to some folders and read others.
func newKeeper(write, read []string) (*keeper, error) {
	if landlock() == 0 || auditArch == 0 {
		return nil, ErrNone
	}
	k := &keeper{work: make(chan func()), done: make(chan struct{})}
	ready := make(chan error, 1)
	go k.run(func() error { return restrict(write, read) }, ready) // ends with close
	if err := <-ready; err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	return k, nil
}

// run is the life of the thread. It ends with the thread locked, so that nothing else ever runs on
// it.
func (k *keeper) run(restrict func() error, ready chan<- error) {
	runtime.LockOSThread()
	if unix.Gettid() == unix.Getpid() {
		// The first thread stands for the process where signals are sent. While it waits here,
		// another goroutine runs on another thread.
		locked := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			close(locked)
			k.serve(restrict, ready)
		}()
		<-locked
		runtime.UnlockOSThread()
		return
	}
	k.serve(restrict, ready)
}

func (k *keeper) serve(restrict func() error, ready chan<- error) {
	defer close(k.done)
	err := restrict()
	ready <- err
	if err != nil {
		return
	}
	for f := <-k.work; f != nil; f = <-k.work {
		f()
	}
}

// do runs a function on the thread. It reports false if the thread has ended.
func (k *keeper) do(f func()) bool {
	done := make(chan struct{})
	select {
	case k.work <- func() { defer close(done); f() }:
		<-done
		return true
	case <-k.done:
		return false
	}
}

func (k *keeper) start(cmd *exec.Cmd) error {
	err := errClosed
	k.do(func() {
		if k.closed {
			return
		}
		// What this program was started with may be open, and is not for others.
		_ = unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
		err = cmd.Start()
	})
	return err
}

// endTime is how long processes may take to end once they are killed.
const endTime = 2 * time.Second

// close ends the processes and the thread.
func (k *keeper) close() {
	k.do(func() { k.closed = true })
	for until := time.Now().Add(endTime); time.Now().Before(until); time.Sleep(time.Millisecond) {
		live := 0
		list := candidates() // the thread itself cannot see them
		k.do(func() {
			for _, pid := range list {
				if endKept(pid) {
					live++
				}
			}
		})
		if live == 0 {
			break
		}
	}
	k.work <- nil
	<-k.done
}
