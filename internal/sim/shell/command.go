package shell

import (
	"bytes"
	"cmp"
	"context"
	"time"

	"github.com/ccwire/ccwire/internal/sim/fence"
)

// Command is a command line.
type Command struct {
	Line string
	// Shell is the program that reads the line; "" means bash.
	Shell string
	Dir   string
	// Env is added to the environment that every command gets.
	Env   []string
	Stdin []byte
	// Timeout ends the command; 0 means [DefaultTimeout].
	Timeout time.Duration
	// Limit is how many bytes of output are kept, of each stream; 0 means [DefaultLimit].
	Limit int
	// Separate keeps stderr apart; otherwise it goes where stdout goes.
	Separate bool
	// Fence is what the command runs behind.
	Fence *fence.Fence
	// Read are folders that the command may read beside those of the fence.
	Read []string
	// Left is given what ends the processes that the command has left behind, if there are any; nil
	// means that they end with it.
	Left func(end func())
}

const (
	// DefaultTimeout is how long a command may take that has no time of its own.
	DefaultTimeout = 2 * time.Minute
	// DefaultLimit is how much of a command's output is kept.
	DefaultLimit = 1 << 20
)

// Outcome is how a command ended.
type Outcome struct {
	Stdout, Stderr string
	Code           int  // of the exit; 128 and the signal's number if one ended it
	Signalled      bool // a signal has ended the shell itself
	TimedOut       bool
	Interrupted    bool // the context ended it
	Size           int  // of all output, also of what was not kept
}

// Run runs the command to its end. The error says that it could not be started.
func (c *Command) Run(ctx context.Context) (Outcome, error) {
	p, err := c.Start()
	if err != nil {
		return Outcome{}, err
	}
	return p.Await(ctx, c.timeout()), nil
}

// Await returns when the command has ended: by itself, or because its time or the context has.
func (p *Process) Await(ctx context.Context, limit time.Duration) Outcome {
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	var timedOut, interrupted bool
	select {
	case <-p.Done():
	case <-timeout.C:
		timedOut = true
		p.Kill()
	case <-ctx.Done():
		interrupted = true
		p.Kill()
	}
	<-p.Done()
	o := p.outcome
	o.TimedOut, o.Interrupted = timedOut, interrupted
	return o
}

func (c *Command) timeout() time.Duration {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return DefaultTimeout
}

// Process is a command that runs.
type Process struct {
	process        *fence.Process
	stdout, stderr *stream // stderr may be stdout
	done           chan struct{}
	outcome        Outcome // valid once done is closed
}

// Start starts the command. Its Timeout does not count. The error wraps [fence.ErrNone] if the
// system cannot keep it behind its fence.
func (c *Command) Start() (_ *Process, err error) {
	limit := c.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	p := &Process{done: make(chan struct{})}
	if p.stdout, err = newStream(limit); err != nil {
		return nil, err
	}
	p.stderr = p.stdout
	if c.Separate {
		if p.stderr, err = newStream(limit); err != nil {
			p.stdout.close()
			return nil, err
		}
	}
	command := fence.Command{Name: cmp.Or(c.Shell, "/bin/bash"), Args: []string{"-c", c.Line}, Dir: c.Dir, Env: c.Env, Read: c.Read, Stdout: p.stdout.w, Stderr: p.stderr.w}
	if c.Stdin != nil {
		command.Stdin = bytes.NewReader(c.Stdin)
	}
	if p.process, err = c.Fence.Start(&command); err != nil {
		p.each((*stream).close)
		return nil, err
	}
	p.each(func(s *stream) {
		s.w.Close()
		s.follow()
	})
	go p.wait(c.Left) // ends with the process, whose group Kill ends
	return p, nil
}

// each calls f for each stream.
func (p *Process) each(f func(*stream)) {
	f(p.stdout)
	if p.stderr != p.stdout {
		f(p.stderr)
	}
}

func (p *Process) wait(left func(func())) {
	code := p.process.Wait()
	p.each((*stream).settle)
	p.outcome = Outcome{Stdout: p.stdout.String(), Code: code, Signalled: p.process.Signalled(), Size: p.stdout.total()}
	if p.stderr != p.stdout {
		p.outcome.Stderr = p.stderr.String()
		p.outcome.Size += p.stderr.total()
	}
	end := func() {
		p.process.Kill()
		p.each((*stream).close)
	}
	if left != nil && p.process.GroupLives() {
		p.each((*stream).goOn) // so that what is left can write
		left(end)
	} else {
		end()
	}
	close(p.done)
}

// Done is closed when the command has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Code is the exit code. It is valid once Done is closed.
func (p *Process) Code() int { return p.outcome.Code }

// Output returns what the command has written so far.
func (p *Process) Output() string {
	if p.stderr == p.stdout {
		return p.stdout.String()
	}
	return p.stdout.String() + p.stderr.String()
}

// Written returns what the command has written to each stream so far: all to stdout if they are
// one.
func (p *Process) Written() (stdout, stderr string) {
	if p.stderr == p.stdout {
		return p.stdout.String(), ""
	}
	return p.stdout.String(), p.stderr.String()
}

// Kill ends the command and what it has started.
func (p *Process) Kill() { p.process.Kill() }
