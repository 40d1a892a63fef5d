//go:build live

package scoreboard

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"testing"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

// The environment that makes this program a CLI that notes what passes.
const (
	teeCLI = "CCWIRE_TEE_CLI" // the real CLI
	teeLog = "CCWIRE_TEE_LOG" // the start of the name of the file to write
)

func TestMain(m *testing.M) {
	if path := os.Getenv(teeCLI); path != "" {
		code, err := tee(path, os.Getenv(teeLog), os.Args[1:])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(code)
	}
	sdktest.Main(subjects)
	os.Exit(m.Run())
}

// tee runs the CLI between the standard streams, and writes the recording of that, not scrubbed, to
// LOG.1, the next to LOG.2 and so on. An entry is written before its line is passed on, so that an
// answer never comes before its question. It returns the exit code of the CLI.
func tee(path, log string, args []string) (int, error) {
	cmd := exec.Command(path, args...)
	cmd.Stderr = os.Stderr
	if len(args) == 1 { // -v: the Python SDK looks at the version
		cmd.Stdout = os.Stdout
		return 0, cmd.Run()
	}
	file, err := create(log)
	if err != nil {
		return 1, err
	}
	defer file.Close()
	var mu sync.Mutex // guards file
	note := func(e recording.Entry) {
		mu.Lock()
		defer mu.Unlock()
		_ = recording.Write(file, []recording.Entry{e}) // a line that lacks fails the test
	}
	note(recording.Entry{Dir: recording.Header, Args: args})

	stdin, err := cmd.StdinPipe()
	if err != nil {
		return 1, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return 1, err
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		return 1, err
	}
	go func() { // ends with the program
		for s := range signals {
			note(recording.Entry{Dir: recording.Signal, Line: map[os.Signal]string{os.Interrupt: "INT", syscall.SIGTERM: "TERM"}[s]})
			_ = cmd.Process.Signal(s) // it may be gone
		}
	}()
	go func() { // ends with the input or the program
		pass(stdin, os.Stdin, func(line []byte) { note(recording.Written(recording.ToCLI, line)) })
		note(recording.Entry{Dir: recording.EOF})
		stdin.Close()
	}()
	pass(os.Stdout, stdout, func(line []byte) { note(recording.Written(recording.ToSDK, line)) })
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	code := cmd.ProcessState.ExitCode()
	note(recording.Entry{Dir: recording.Exit, Code: &code})
	return max(code, 0), err
}

// create makes the first of the files that is not there.
func create(log string) (*os.File, error) {
	for n := 1; ; n++ {
		file, err := os.OpenFile(fmt.Sprintf("%s.%d", log, n), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
}

// pass copies line by line, until one side ends.
func pass(to io.Writer, from io.Reader, note func(line []byte)) {
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			note(line)
			if _, err := to.Write(line); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// noted reads what tee has written.
func noted(t *testing.T, name string) (entries []recording.Entry) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for dec := json.NewDecoder(file); ; {
		var e recording.Entry
		err := dec.Decode(&e)
		if err == io.EOF {
			return entries
		}
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
}
