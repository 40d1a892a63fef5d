package transport

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/ccwire/ccwire/transport/cli"
)

// Process is a CLI that runs: a [*cli.Process], or what [Options.Spawn] returns. All methods can be
// called concurrently.
type Process interface {
	// Stdin is the CLI's input. Its Close ends a Write that blocks.
	Stdin() io.WriteCloser
	// Stdout is the CLI's output. It must end when the CLI does, and after Stop.
	Stdout() io.Reader
	// Stderr returns the end of what the CLI has written to stderr until now. It is quoted in
	// errors.
	Stderr() string
	// Done is closed when the CLI is gone.
	Done() <-chan struct{}
	// Exit returns how the CLI ended, nil while Done is open or if nobody knows.
	Exit() *ExitError
	// Stop ends the CLI and waits for that. When ctx ends it must do so by force.
	Stop(ctx context.Context) error
}

var _ Process = (*cli.Process)(nil)

// Command is what an [Options.Spawn] runs.
type Command struct {
	Path string   // [Options.CLI]; "claude" if that is empty
	Args []string // the arguments after the program's name
	Dir  string   // [Options.Dir]
	// Env is what the options add to the environment, "NAME=value", each name once. With
	// [Options.CleanEnv] it is all of it.
	Env []string
}

// start starts the CLI.
func (o *Options) start(ctx context.Context, path string, args []string) (Process, error) {
	if o.Spawn == nil {
		p, err := cli.Start(cli.Options{
			Path: path, Args: args, Dir: o.Dir, Env: o.environ(),
			OnStderr: o.OnStderr, StderrLimit: o.StderrLimit, Logger: o.Logger,
			InputGrace: o.InputGrace, InterruptGrace: o.InterruptGrace, TerminateGrace: o.TerminateGrace,
			KeepDescendants: o.KeepDescendants,
		})
		if err != nil {
			return nil, err // not p, which would be a Process that is not nil
		}
		return p, nil
	}
	// The context is for the start: a CLI that was started with it must not end with it.
	starting, end := context.WithCancelCause(context.WithoutCancel(ctx))
	started := context.AfterFunc(ctx, func() { end(context.Cause(ctx)) })
	defer started()
	p, err := o.Spawn(starting, Command{Path: path, Args: args, Dir: o.Dir, Env: o.addedEnv()})
	if err == nil && p == nil {
		err = errors.New("Options.Spawn returned no process")
	}
	return p, err
}

// find returns the path of the CLI.
func (o *Options) find() (string, error) {
	switch {
	case o.Spawn == nil:
		return cli.Find(o.CLI)
	case o.CLI != "":
		return o.CLI, nil
	}
	return "claude", nil
}

// pipe is the Process of a session over a pipe that existed before it: it has no exit.
type pipe struct {
	r    io.Reader
	w    io.WriteCloser
	once sync.Once
	done chan struct{} // closed by Stop
}

func newPipe(r io.Reader, w io.WriteCloser) *pipe {
	return &pipe{r: r, w: w, done: make(chan struct{})}
}

func (p *pipe) Stdin() io.WriteCloser { return p.w }
func (p *pipe) Stdout() io.Reader     { return p.r }
func (p *pipe) Stderr() string        { return "" }
func (p *pipe) Done() <-chan struct{} { return p.done }
func (p *pipe) Exit() *ExitError      { return nil }

// Stop closes both ends. That one of them was closed before, by the peer or with the other, is not
// an error.
func (p *pipe) Stop(context.Context) error {
	p.once.Do(func() {
		closeIfCloser(p.w)
		closeIfCloser(p.r)
		close(p.done)
	})
	return nil
}
