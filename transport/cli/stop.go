package cli

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// killPatience is how long Stop waits for a process that was killed. Only one that hangs in the
// kernel takes longer.
const killPatience = 5 * time.Second

// Stop ends the process: it closes stdin, waits for InputGrace, interrupts the group, waits for
// InterruptGrace, kills the group. It returns as soon as the process is gone, nil whichever step
// did it; [Process.Exit] has the details. What is left of the group when the process is gone is
// killed too; a descendant that left the group is not.
//
// When ctx ends, the rest of the waiting is skipped and the group is killed at once. Concurrent
// calls share the steps; the least patient one wins. After the exit, Stop does nothing.
//
// A process that still writes needs somebody who reads Stdout, or it will have to be killed.
func (p *Process) Stop(ctx context.Context) error {
	p.group.sweepAtExit()
	p.stdin.Close()
	if p.goneWithin(ctx, p.opts.InputGrace) {
		return nil
	}
	var interruptErr error
	if ctx.Err() == nil {
		interruptErr = p.group.interrupt()
		if p.goneWithin(ctx, p.opts.InterruptGrace) {
			return nil
		}
	}
	killErr := p.group.kill()
	if p.goneWithin(context.Background(), killPatience) {
		return nil
	}
	return errors.Join(fmt.Errorf("process %d is still there %v after it was killed", p.PID(), killPatience), interruptErr, killErr)
}

// Kill kills the group and does not wait. Whoever waits for the exit sees whether it worked.
func (p *Process) Kill() { p.group.kill() }

// goneWithin waits for the end of the process, of the context or of the time, and reports whether
// the process is gone.
func (p *Process) goneWithin(ctx context.Context, patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-ctx.Done():
	case <-timer.C:
	}
	return p.Exit() != nil
}
