package transport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

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
