package recorded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/ccwire/ccwire/internal/tap"
)

// A Run is a program whose sessions are recorded.
type Run struct {
	Command  []string // the program and its arguments
	CLI      string   // the path of the CLI
	Protogen string   // the path of this program
	Variable string   // the variable that has the path of the CLI, for programs that pass it on

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Sessions runs the program with a claude that is a tap, first in PATH and in a variable, and returns
// the sessions that it had. An error of the program is returned with them.
func (r *Run) Sessions(ctx context.Context) ([]*Session, error) {
	dir, err := os.MkdirTemp("", "ccwire-record-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	kept := filepath.Join(dir, "recordings")
	w := &tap.Wrapper{Protogen: r.Protogen, Args: []string{"tap", "--no-check", "--out", kept + string(filepath.Separator)}, CLI: r.CLI}
	path, err := w.Install(dir, runtime.GOOS == "windows")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, r.Command[0], r.Command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r.Stdin, r.Stdout, r.Stderr
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), r.Variable+"="+path)
	failed := cmd.Run()
	if failed != nil {
		failed = fmt.Errorf("%s: %w", r.Command[0], failed)
	}
	files, _ := filepath.Glob(filepath.Join(kept, "*.ndjson")) // the pattern is good
	slices.Sort(files)                                         // their names begin with the time
	var sessions []*Session
	for _, file := range files {
		list, err := ReadFile(file)
		if err != nil {
			return nil, errors.Join(err, failed)
		}
		sessions = append(sessions, list...)
	}
	return sessions, failed
}
