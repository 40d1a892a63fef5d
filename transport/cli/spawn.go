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
// It is started by a thread of its own, so what the caller changed for its thread alone, such as a
// namespace, does not hold for it.
//
// The caller reads [Process.Stdout] until its end, and calls [Process.Stop] for a process that does
// not end by itself.
//
// Where there are no processes, as in a browser, the error wraps [errors.ErrUnsupported].
func Start(opts Options) (*Process, error) {
	opts = opts.withDefaults()
	if !hasProcesses {
		return nil, &SpawnError{Path: opts.Path, Err: errors.ErrUnsupported}
	}
	path, err := lookPath(opts.Path)
	if err != nil {
		return nil, &SpawnError{Path: opts.Path, Err: err}
	}
	ours, theirs, err := newPipes()
	if err != nil {
		return nil, &SpawnError{Path: path, Err: err}
	}
	var family *family
	if !opts.KeepDescendants {
		family, opts.Env = newFamily(opts.Env)
	}
	p := &Process{
		opts:   opts,
		cmd:    newCommand(path, opts, theirs),
		family: family,
		stdin:  &stdin{file: ours.stdin},
		stdout: newOutput(ours.stdout),
		done:   make(chan struct{}),
	}
	started := make(chan error)
	go p.run(ours, theirs, started) // ends soon after the process does
	if err := <-started; err != nil {
		return nil, newSpawnError(path, opts.Dir, err)
	}
	return p, nil
}

func newCommand(path string, opts Options, files stdio) *exec.Cmd {
	cmd := &exec.Cmd{
		Path:        path,
		Args:        append([]string{opts.Path}, opts.Args...),
		Dir:         opts.Dir,
		Env:         opts.Env,
		Stdin:       files.stdin,
		Stdout:      files.stdout,
		Stderr:      files.stderr,
		SysProcAttr: ownGroup(),
	}
	endWithThread(cmd.SysProcAttr)
	return cmd
}

// SpawnError says that an executable could not be started.
type SpawnError struct {
	Path string
	Err  error // the operating system's reason
}

func (e *SpawnError) Error() string { return fmt.Sprintf("start %s: %v", e.Path, e.Err) }

func (e *SpawnError) Unwrap() error { return e.Err }

// newSpawnError explains what the system says of the executable and of other files alike: "no such
// file" and "not a directory".
func newSpawnError(path, dir string, err error) *SpawnError {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err // the message names the path already
	}
	if dir != "" {
		if info, statErr := os.Stat(dir); statErr != nil {
			return &SpawnError{Path: path, Err: fmt.Errorf("working directory: %w", statErr)}
		} else if !info.IsDir() {
			return &SpawnError{Path: path, Err: fmt.Errorf("working directory %s: %w", dir, err)}
		}
	}
	if _, statErr := os.Stat(path); statErr == nil && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the interpreter that its first line names: %w", err)
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
