package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// EnvVar is the environment variable with the path of the CLI, for programs that pass none.
const EnvVar = "CLAUDE_CLI"

const (
	defaultName = "claude"
	installHint = `install it with "npm install -g @anthropic-ai/claude-code"`
)

// ErrNotFound says that there is no CLI where one was looked for. The error that wraps it says
// where that was and how to install one.
var ErrNotFound = errors.New("the Claude Code CLI was not found")

// Find returns the absolute path of the CLI. The first of these that is set decides, and the later
// ones are not tried: the explicit path or name, the environment variable [EnvVar], the name
// "claude" on PATH.
//
// The error wraps [ErrNotFound] if there is nothing, and is a [*SpawnError] if there is something
// that cannot be run.
func Find(explicit string) (string, error) {
	name, source := explicit, "as given"
	if name == "" {
		name, source = os.Getenv(EnvVar), "from "+EnvVar
	}
	if name == "" {
		name, source = defaultName, "on PATH, "+EnvVar+" is not set"
	}
	path, err := lookPath(name)
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%w: tried %q (%s); %s, or set %s to its path",
			ErrNotFound, name, source, installHint, EnvVar)
	default:
		return "", &SpawnError{Path: name, Err: err}
	}
}

// lookPath finds an executable as a shell would and makes its path absolute, because a relative one
// would be looked up again from the child's working directory.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		if inner := (*exec.Error)(nil); errors.As(err, &inner) {
			err = inner.Err // the caller's error names the path already
		}
		if missing := (*fs.PathError)(nil); name != filepath.Base(name) && errors.Is(err, exec.ErrNotFound) {
			if _, statErr := os.Stat(name); errors.As(statErr, &missing) {
				err = missing.Err // Windows calls a file that is not there "not found in PATH"
			}
		}
		return "", err
	}
	return filepath.Abs(path)
}
