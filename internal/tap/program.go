package tap

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
)

// A Program is one whose sessions with the CLI are recorded.
type Program struct {
	Command  []string // the program and its arguments
	CLI      string   // the path of the CLI
	Protogen string   // the path of this program
	Variable string   // the variable that has the path of the CLI, for programs that pass it on

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Record runs the program with a claude that is a tap, first in PATH and in the variable. It
// returns the recordings, which it puts into a folder: one for each session, in the order in which
// they began. They come with an error if the program fails.
func (p *Program) Record(ctx context.Context, dir string) (files []string, err error) {
	kept := filepath.Join(dir, "recordings")
	w := &Wrapper{Protogen: p.Protogen, Args: []string{"tap", "--no-check", "--out", kept + string(filepath.Separator)}, CLI: p.CLI}
	path, err := w.Install(dir, runtime.GOOS == "windows")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, p.Command[0], p.Command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Stdin, p.Stdout, p.Stderr
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), p.Variable+"="+path)
	if err = cmd.Run(); err != nil {
		err = fmt.Errorf("%s: %w", p.Command[0], err)
	}
	files, _ = filepath.Glob(filepath.Join(kept, "*.ndjson")) // the pattern is good
	slices.Sort(files)                                        // their names begin with the time
	return files, err
}
