package transport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// EnvCLI names the environment variable that holds the path of the CLI where a program gives none.
const EnvCLI = "CLAUDE_CLI"

const (
	defaultCLI  = "claude"
	installHint = `install it with "npm install -g @anthropic-ai/claude-code"`
)

// ErrCLINotFound says that there is no CLI where one was looked for. The error that wraps it says where that was and how to install one.
var ErrCLINotFound = errors.New("the Claude Code CLI was not found")

// FindCLI returns the absolute path of the CLI. The first of these that is set decides, and the later ones are not tried: the
// explicit path or name, the environment variable CLAUDE_CLI, the name "claude" on PATH.
//
// The error wraps [ErrCLINotFound] if there is nothing, and is a [*SpawnError] if there is something that cannot be run.
func FindCLI(explicit string) (string, error) {
	name, source := explicit, "as given"
	if name == "" {
		name, source = os.Getenv(EnvCLI), "from "+EnvCLI
	}
	if name == "" {
		name, source = defaultCLI, "on PATH, "+EnvCLI+" is not set"
	}
	path, err := lookPath(name)
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%w: tried %q (%s); %s, or set %s to its path", ErrCLINotFound, name, source, installHint, EnvCLI)
	default:
		return "", &SpawnError{Path: name, Err: err}
	}
}

// lookPath finds an executable as a shell would and makes its path absolute, because a relative one would be
// looked up again from the child's working directory.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		if inner := (*exec.Error)(nil); errors.As(err, &inner) {
			err = inner.Err // the caller's error names the path already
		}
		return "", err
	}
	return filepath.Abs(path)
}
