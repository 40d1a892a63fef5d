package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Command is a command line for bash.
type Command struct {
	Line string
	Dir  string
	// Env is added to the environment that every command gets.
	Env   []string
	Stdin []byte
	// Timeout ends the command; 0 means [DefaultTimeout].
	Timeout time.Duration
	// Limit is how many bytes of output are kept, of each stream; 0 means [DefaultLimit].
	Limit int
	// Separate keeps stderr apart; otherwise it goes where stdout goes.
	Separate bool
	// Fence are the folders that the command may write to; nil means that it may do whatever its
	// user may.
	Fence []string
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

// ErrNoFence says that the system cannot keep a command in its [Command.Fence].
var ErrNoFence = errors.New("this system cannot keep a command in its folder")

// Outcome is how a command ended.
type Outcome struct {
	Stdout, Stderr string
	Code           int // of the exit; 128 and the signal's number if one ended it
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
	timeout := time.NewTimer(c.timeout())
	defer timeout.Stop()
	var o Outcome
	select {
	case <-p.Done():
	case <-timeout.C:
		o.TimedOut = true
		p.Kill()
	case <-ctx.Done():
		o.Interrupted = true
		p.Kill()
	}
	<-p.Done()
	end := p.outcome
	end.TimedOut, end.Interrupted = o.TimedOut, o.Interrupted
	return end, nil
}

func (c *Command) timeout() time.Duration {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return DefaultTimeout
}

// Process is a command that runs.
type Process struct {
	cmd            *exec.Cmd
	stdout, stderr *stream // stderr may be stdout
	done           chan struct{}
	outcome        Outcome // valid once done is closed
}

// Start starts the command. Its Timeout does not count.
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
	p.cmd = exec.Command("/bin/bash", "-c", c.Line)
	p.cmd.Dir = c.Dir
	p.cmd.Env = append(environment(c.Dir), c.Env...)
	p.cmd.SysProcAttr = ownGroup()
	p.cmd.WaitDelay = time.Second // for an input that nobody reads
	if c.Stdin != nil {
		p.cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	p.cmd.Stdout, p.cmd.Stderr = p.stdout.w, p.stderr.w
	if err := start(p.cmd, c.Fence); err != nil {
		p.each((*stream).close)
		return nil, fmt.Errorf("bash: %w", err)
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
	_ = p.cmd.Wait() // the state tells
	p.each((*stream).settle)
	p.outcome = Outcome{Stdout: p.stdout.String(), Code: exitCode(p.cmd.ProcessState), Size: p.stdout.total()}
	if p.stderr != p.stdout {
		p.outcome.Stderr = p.stderr.String()
		p.outcome.Size += p.stderr.total()
	}
	end := func() {
		killGroup(p.cmd.Process.Pid)
		p.each((*stream).close)
	}
	if left != nil && groupLives(p.cmd.Process.Pid) {
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

// Kill ends the command and what it has started.
func (p *Process) Kill() { killGroup(p.cmd.Process.Pid) }

// environment is what every command gets.
func environment(dir string) []string {
	env := []string{"HOME=" + dir, "PWD=" + dir, "SHELL=/bin/bash", "CLAUDECODE=1", "GIT_EDITOR=true"}
	for _, name := range []string{"PATH", "LANG", "LC_ALL", "TZ"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}
