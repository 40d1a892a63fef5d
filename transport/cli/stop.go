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

// Stop ends the process. It closes stdin and waits for InputGrace, interrupts the group (SIGINT)
// and waits for InterruptGrace, terminates it (SIGTERM) and waits for TerminateGrace, and kills it.
// It returns as soon as the process is gone, nil whichever step did it: [ExitError.Stop] says how
// far it went, and how long each step had. A step that the system does not have is left out.
//
// When ctx ends, the rest of the steps is skipped and the group is killed at once. Concurrent calls
// share the steps; the least patient one wins. After the exit, Stop does nothing.
//
// A process that still writes needs somebody who reads Stdout, or it will have to be killed.
func (p *Process) Stop(ctx context.Context) error {
	p.group.take(StepInput, nil)
	p.stdin.Close()
	if p.goneWithin(ctx, p.opts.InputGrace) {
		return nil
	}
	signals := []struct {
		step  StopStep
		send  func() error
		grace time.Duration
	}{
		{StepInterrupt, p.group.members.interrupt, p.opts.InterruptGrace},
		{StepTerminate, p.group.members.terminate, p.opts.TerminateGrace},
	}
	var errs []error
	for _, s := range signals {
		if ctx.Err() != nil {
			break
		}
		err := p.group.take(s.step, s.send)
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		errs = append(errs, err)
		if p.goneWithin(ctx, s.grace) {
			return nil
		}
	}
	errs = append(errs, p.group.kill())
	if p.goneWithin(context.Background(), killPatience) {
		return nil
	}
	return errors.Join(append(errs, fmt.Errorf("process %d is still there %v after it was killed", p.PID(), killPatience))...)
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
