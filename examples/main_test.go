package examples

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/ccwire/ccwire/examples/internal/offline"
	"github.com/ccwire/ccwire/internal/conformance/recording"
)

// With one of these in its environment, the test binary is a CLI.
const (
	replayEnv = "EXAMPLES_REPLAY" // the recording that it replays
	realEnv   = "EXAMPLES_REAL"   // the real CLI that it runs
	recordEnv = "EXAMPLES_RECORD" // where it records the session with that
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(replayEnv) != "":
		folder, name := filepath.Split(os.Getenv(replayEnv))
		entries, err := recording.ReadFile(os.DirFS(folder), name)
		if err != nil {
			panic(err)
		}
		os.Exit(offline.Serve(entries, os.Args[1:]))
	case os.Getenv(realEnv) != "":
		code, err := record(os.Getenv(realEnv), os.Getenv(recordEnv), os.Args[1:])
		if err != nil {
			panic(err)
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// record runs a CLI between this process's own pipes and writes what passes to a file.
func record(path, file string, args []string) (code int, err error) {
	cmd := exec.Command(path, args...)
	cmd.Stderr = os.Stderr
	if slices.Contains(args, "--version") {
		cmd.Stdout = os.Stdout
		return 0, cmd.Run()
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	t := &tape{entries: []recording.Entry{{Dir: recording.Header, Args: args}}}
	// Ends with the input, or with the process; owns stdin.
	go func() {
		t.copy(recording.ToCLI, stdin, os.Stdin)
		t.add(recording.Entry{Dir: recording.EOF})
		stdin.Close()
	}()
	t.copy(recording.ToSDK, os.Stdout, stdout)
	if err := cmd.Wait(); err != nil {
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) {
			return 0, err
		}
		code = exit.ExitCode()
	}
	t.add(recording.Entry{Dir: recording.Exit, Code: &code})
	var b bytes.Buffer
	if err := recording.Write(&b, t.entries); err != nil {
		return 0, err
	}
	return code, os.WriteFile(file, b.Bytes(), 0o644)
}

// tape collects what both sides write.
type tape struct {
	mu      sync.Mutex // guards entries
	entries []recording.Entry
}

func (t *tape) add(e recording.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries = append(t.entries, e)
}

// copy hands on line by line, and notes each line before the other side can answer it.
func (t *tape) copy(dir recording.Dir, w io.Writer, r io.Reader) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			t.add(recording.Written(dir, line))
			w.Write(line) // if it fails, the other side is gone, and its end tells
		}
		if err != nil {
			return
		}
	}
}
