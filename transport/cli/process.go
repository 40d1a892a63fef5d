package cli

import (
	"cmp"
	"io"
	"log/slog"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ccwire/ccwire/internal/tail"
)

// Options says what to start and how patient to be with it. A zero duration or limit means its
// default, a negative duration means no wait at all.
type Options struct {
	Path string   // the executable: a path, or a name to look up on PATH
	Args []string // the arguments after the program's name
	Dir  string   // the working directory; empty: that of this process
	// Env is the environment, "NAME=value"; nil: that of this process. On Linux the variable
	// CCWIRE_FAMILY is added, see KeepDescendants.
	Env []string

	// OnStderr, if set, is called for each line of stderr in order, from one goroutine, without its
	// line end and in valid UTF-8. A line over 64 KiB comes in pieces. The process never waits for
	// the callback: if it falls 256 KiB behind, the oldest lines are dropped, and the next call
	// says how many. It may block for ever or call Stop. If it panics, that is logged and it is not
	// called again.
	OnStderr func(line string, dropped int)

	// StderrLimit is how many bytes of the end of stderr are kept. Default: 64 KiB.
	StderrLimit int

	// Logger gets a panic of OnStderr. Default: [slog.Default].
	Logger *slog.Logger

	// InputGrace is how long [Process.Stop] waits after it closed stdin. An idle CLI, or one whose
	// turn was interrupted, ends in that time; one in the middle of a turn would finish it first.
	// Default: 300 ms.
	InputGrace time.Duration

	// InterruptGrace is how long [Process.Stop] waits after the interrupt. Default: 300 ms.
	InterruptGrace time.Duration

	// TerminateGrace is how long [Process.Stop] waits after the termination signal, before it
	// kills, and on Linux how long the process has to end when this one was killed. The CLI takes
	// up to 2 s to end a tool that ignores signals. Default: 2.4 s.
	TerminateGrace time.Duration

	// KeepDescendants leaves descendants alone that left the group, such as a server that the
	// model was asked to start. Those that the CLI does not end outlive it then, and nothing but
	// its signal ends the process when this one is killed.
	KeepDescendants bool

	// DrainTime is how long after the exit the pipes are read on while a descendant of the process
	// holds them open, and how long the OnStderr callback may take for the last lines. Then
	// [Process.Done] is closed. Default: 50 ms.
	DrainTime time.Duration
}

func (o Options) withDefaults() Options {
	o.Logger = cmp.Or(o.Logger, slog.Default())
	o.StderrLimit = cmp.Or(max(o.StderrLimit, 0), tail.DefaultLimit)
	o.InputGrace = cmp.Or(o.InputGrace, 300*time.Millisecond)
	o.InterruptGrace = cmp.Or(o.InterruptGrace, 300*time.Millisecond)
	o.TerminateGrace = cmp.Or(o.TerminateGrace, 2400*time.Millisecond)
	o.DrainTime = cmp.Or(o.DrainTime, 50*time.Millisecond)
	return o
}

// Process is a running child process with its three pipes. All methods can be called concurrently.
type Process struct {
	opts   Options
	cmd    *exec.Cmd
	family *family // nil if it is to be left alone
	group  *group
	stdin  *stdin
	stdout *output
	stderr *stderr

	done chan struct{} // closed by run
	exit *ExitError    // written before done is closed
}

// PID returns the process id, which is also the id of its group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Stdin returns the process's input. A Write fails with [ErrBrokenPipe] once the process no longer
// reads, with [ErrStdinClosed] after Close. Concurrent writes are not mixed. Close ends a Write
// that blocks.
func (p *Process) Stdin() io.WriteCloser { return p.stdin }

// Stdout returns the process's output. It ends with io.EOF when everything that the process wrote
// was read, whether the process is still there or not.
func (p *Process) Stdout() io.Reader { return p.stdout }

// Stderr returns the end of what the process has written to stderr until now: at most
// [Options.StderrLimit] bytes, cut at the start of a line, valid UTF-8.
func (p *Process) Stderr() string { return p.stderr.String() }

// Done is closed once, when the process is gone and nothing of it is left but the output that was
// not read.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the process ended, for exit code 0 too, and nil while Done is open. It is the
// same record each time.
func (p *Process) Exit() *ExitError {
	select {
	case <-p.done:
		return p.exit
	default:
		return nil
	}
}

// Wait waits for Done. It returns nil for exit code 0 and the [*ExitError] otherwise.
func (p *Process) Wait() error {
	<-p.done
	if p.exit.Success() {
		return nil
	}
	return p.exit
}

// run starts the process, waits for its exit, collects what is left in the pipes, closes them and
// reports. It owns the goroutine that reads stderr. Whether the process was started is the only
// thing that is sent to started.
func (p *Process) run(ours, theirs stdio, started chan<- error) {
	keepThread()
	err := p.cmd.Start()
	theirs.close()
	if err != nil {
		ours.close()
		started <- err
		return
	}
	if p.family != nil {
		p.family.begin(p.PID())
	}
	p.group = &group{members: newMembers(p.cmd.Process), family: p.family}
	p.stderr = newStderr(p.opts)
	started <- nil
	if p.family != nil {
		p.family.watch(p.opts.TerminateGrace)
	}

	stderr := newOutput(ours.stderr)
	read := make(chan struct{})
	go func() { // ends when settle gives stderr its end
		defer close(read)
		io.Copy(p.stderr, stderr)
	}()

	err = reap(p.cmd, p.group.leaderIsGone)
	until := time.Now().Add(p.opts.DrainTime)
	p.stdin.release()
	p.stdout.settle(until)
	stderr.settle(until)
	<-read
	p.stderr.finish(until)
	p.group.end()

	p.exit = newExitError(filepath.Base(p.cmd.Path), p.cmd.ProcessState, err, p.stderr.String())
	p.exit.Stop = p.group.report()
	close(p.done)
}
