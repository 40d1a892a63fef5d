package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
)

// Start starts a process in a group of its own. The error is a [*SpawnError].
//
// The caller reads [Process.Stdout] until its end, and calls [Process.Stop] for a process that does
// not end by itself.
func Start(opts Options) (*Process, error) {
	opts = opts.withDefaults()
	path, err := lookPath(opts.Path)
	if err != nil {
		return nil, &SpawnError{Path: opts.Path, Err: err}
	}
	ours, theirs, err := newPipes()
	if err != nil {
		return nil, &SpawnError{Path: path, Err: err}
	}
	cmd := &exec.Cmd{
		Path:        path,
		Args:        append([]string{opts.Path}, opts.Args...),
		Dir:         opts.Dir,
		Env:         opts.Env,
		Stdin:       theirs.stdin,
		Stdout:      theirs.stdout,
		Stderr:      theirs.stderr,
		SysProcAttr: ownGroup(),
	}
	err = cmd.Start()
	theirs.close()
	if err != nil {
		ours.close()
		return nil, newSpawnError(path, opts.Dir, err)
	}
	p := &Process{
		opts:   opts,
		cmd:    cmd,
		group:  &group{leader: cmd.Process.Pid},
		stdin:  &stdin{file: ours.stdin},
		stdout: newOutput(ours.stdout),
		stderr: newStderr(opts.StderrLimit, opts.OnStderr),
		done:   make(chan struct{}),
	}
	go p.supervise(newOutput(ours.stderr)) // ends soon after the process does
	return p, nil
}

// SpawnError says that an executable could not be started.
type SpawnError struct {
	Path string
	Err  error // the operating system's reason
}

func (e *SpawnError) Error() string { return fmt.Sprintf("start %s: %v", e.Path, e.Err) }

func (e *SpawnError) Unwrap() error { return e.Err }

// newSpawnError explains "no such file", which the system says of three different files.
func newSpawnError(path, dir string, err error) *SpawnError {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err // the message names the path already
	}
	if errors.Is(err, fs.ErrNotExist) {
		if _, statErr := os.Stat(dir); dir != "" && statErr != nil {
			err = fmt.Errorf("working directory: %w", statErr)
		} else if _, statErr := os.Stat(path); statErr == nil {
			err = fmt.Errorf("the interpreter that its first line names: %w", err)
		}
	}
	return &SpawnError{Path: path, Err: err}
}

// stdio holds one end of each of the three pipes.
type stdio struct {
	stdin, stdout, stderr *os.File
}

// newPipes makes the pipes. They are ours and not those of exec.Cmd, because the latter closes its
// ends in Wait, with output still in them.
func newPipes() (ours, theirs stdio, err error) {
	defer func() {
		if err != nil {
			ours.close()
			theirs.close()
		}
	}()
	if theirs.stdin, ours.stdin, err = os.Pipe(); err != nil {
		return
	}
	if ours.stdout, theirs.stdout, err = os.Pipe(); err != nil {
		return
	}
	ours.stderr, theirs.stderr, err = os.Pipe()
	return
}

func (s stdio) close() {
	s.stdin.Close() // a nil *os.File closes with an error
	s.stdout.Close()
	s.stderr.Close()
}
