package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestExitCodeAndStderrAreReportedOnce(t *testing.T) {
	p := start(t, childOptions(t, "fail"))
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = p.Wait() })
	}
	wg.Wait()
	for _, err := range errs {
		var exit *ExitError
		if !errors.As(err, &exit) || exit != p.Exit() {
			t.Fatalf("Wait = %v, want the record of Exit", err)
		}
	}
	exit := p.Exit()
	if exit.Code != 3 || exit.Signal != "" || exit.Stderr != "first\nboom\n" {
		t.Errorf("exit = %+v", exit)
	}
}

func TestExitIsNilWhileRunning(t *testing.T) {
	p := start(t, childOptions(t, "echo"))
	if exit := p.Exit(); exit != nil {
		t.Errorf("exit = %v", exit)
	}
	p.Stdin().Close()
	if err := p.Wait(); err != nil {
		t.Errorf("Wait = %v", err)
	}
	if exit := p.Exit(); exit == nil || !exit.Success() {
		t.Errorf("exit = %v, want the record of a success", exit)
	}
}

func TestProcessGetsArgumentsDirectoryAndEnvironment(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	opts := childOptions(t, "dir-env", "a b", "$HOME", `"; exit 1 #`)
	opts.Dir = dir
	opts.Env = append(opts.Env, peertest.ValueEnv+"=v w")
	p := start(t, opts)
	want := fmt.Sprintf("%s\nv w\n%q\n", dir, opts.Args)
	if got := peertest.ReadAll(t, p.Stdout()); got != want {
		t.Errorf("got %s want %s", got, want)
	}
}

func TestRelativePathIsNotTakenFromTheChildsDirectory(t *testing.T) {
	opts := childOptions(t, "print", "here")
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if opts.Path, err = filepath.Rel(wd, opts.Path); err != nil {
		t.Fatal(err)
	}
	opts.Path = "." + string(filepath.Separator) + opts.Path
	opts.Dir = t.TempDir()
	p := start(t, opts)
	if got := peertest.ReadAll(t, p.Stdout()); got != "here" {
		t.Errorf("got %q", got)
	}
}

func TestOutputCanBeReadAfterTheExit(t *testing.T) {
	const count = 800 // fits in a pipe
	p := start(t, childOptions(t, "lines", fmt.Sprint(count)))
	waitDone(t, p)
	if got := peertest.ReadAll(t, iotest.OneByteReader(p.Stdout())); got != peertest.NumberedLines(count) {
		t.Errorf("got %d bytes, want %d", len(got), len(peertest.NumberedLines(count)))
	}
	if n, err := p.Stdout().Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("read after the end = %d, %v", n, err)
	}
}

func TestReaderThatRacesTheExitLosesNothing(t *testing.T) {
	const count = 50_000 // fills the pipe several times
	p := start(t, childOptions(t, "lines", fmt.Sprint(count)))
	if got := peertest.ReadAll(t, p.Stdout()); got != peertest.NumberedLines(count) {
		t.Errorf("got %d bytes, want %d", len(got), len(peertest.NumberedLines(count)))
	}
	if err := p.Wait(); err != nil {
		t.Errorf("Wait = %v", err)
	}
}

func TestExitInTheMiddleOfALineDeliversItsStart(t *testing.T) {
	const text = "{\"type\":\"system\"}\n{\"type\":\"resu\xe2\x82"
	p := start(t, childOptions(t, "print", text))
	waitDone(t, p)
	if got := peertest.ReadAll(t, p.Stdout()); got != text {
		t.Errorf("got %q", got)
	}
}

func TestStdoutEndsWhileTheProcessLives(t *testing.T) {
	p := start(t, childOptions(t, "close-stdout"))
	if got := peertest.ReadAll(t, p.Stdout()); got != "last\n" {
		t.Errorf("got %q", got)
	}
	if p.Exit() != nil {
		t.Fatal("process ended before stdin did")
	}
	p.Stdin().Close()
	if err := p.Wait(); err != nil {
		t.Errorf("Wait = %v", err)
	}
	if n, err := p.Stdout().Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("read after the exit = %d, %v", n, err)
	}
}

func TestSpawnErrors(t *testing.T) {
	self := childOptions(t, "echo").Path
	dir, missing := filepath.Dir(self), self+".missing"
	checkSpawnErrors(t, []spawnError{
		{name: "missing", opts: Options{Path: missing}, is: fs.ErrNotExist, says: missing},
		{name: "not on PATH", opts: Options{Path: "ccwire-no-such-program"}, says: "not found"},
		{name: "missing directory", opts: Options{Path: self, Dir: missing}, is: fs.ErrNotExist, says: "working directory"},
		{name: "file as directory", opts: Options{Path: self, Dir: self}, says: "working directory " + self},
		{name: "a directory", opts: Options{Path: dir}, says: dir},
	})
}

// A spawnError is an attempt to start what is no program, and what is said of it.
type spawnError struct {
	name string
	opts Options
	is   error  // the cause
	says string // part of the message
}

func checkSpawnErrors(t *testing.T, tests []spawnError) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			peertest.CheckLeaks(t)
			_, err := Start(test.opts)
			var spawn *SpawnError
			if !errors.As(err, &spawn) {
				t.Fatalf("error = %v, want a SpawnError", err)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error = %v, want a %v", err, test.is)
			}
			if !strings.Contains(err.Error(), test.says) {
				t.Errorf("error = %q, want it to say %q", err, test.says)
			}
		})
	}
}
