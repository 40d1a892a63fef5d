package fence

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"time"
)

// Command is a process that is to start.
type Command struct {
	// Name is the program: a path, or a name that is looked up in PATH.
	Name string
	Args []string // after the name
	Dir  string
	// Env is added to the environment that every process gets.
	Env []string
	// Read are folders that the process may read beside those of the fence. Only the SDK's user may
	// have named them.
	Read []string

	Stdin          io.Reader // nil is empty
	Stdout, Stderr io.Writer // nil goes nowhere
}

func (c *Command) cmd() *exec.Cmd {
	cmd := exec.Command(c.Name, c.Args...)
	cmd.Dir = c.Dir
	cmd.SysProcAttr = ownGroup()
	cmd.WaitDelay = time.Second // for an input that nobody reads
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	return cmd
}

// Process is a process that was started. It leads a process group.
type Process struct{ cmd *exec.Cmd }

// Wait waits for its end, and returns its exit code: 128 and the signal's number if one ended it.
// It is called once.
func (p *Process) Wait() int {
	_ = p.cmd.Wait() // the state tells
	return exitCode(p.cmd.ProcessState)
}

// Signalled reports whether a signal has ended the process. It has ended.
func (p *Process) Signalled() bool { return !p.cmd.ProcessState.Exited() }

// Kill ends the process and its group.
func (p *Process) Kill() { killGroup(p.cmd.Process.Pid) }

// Terminate asks the process to end.
func (p *Process) Terminate() error { return terminate(p.cmd.Process) }

// GroupLives reports whether the group of a process that has ended still has processes.
func (p *Process) GroupLives() bool { return groupLives(p.cmd.Process.Pid) }

// Output runs a command to its end, or to that of ctx, and returns what it writes and its exit
// code.
func (f *Fence) Output(ctx context.Context, c Command) (string, int, error) {
	var out bytes.Buffer
	c.Stdout = &out
	p, err := f.Start(&c)
	if err != nil {
		return "", 0, err
	}
	stop := context.AfterFunc(ctx, p.Kill)
	defer stop()
	code := p.Wait()
	return out.String(), code, nil
}
