//go:build unix

package tap_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/recording"
)

// An sdk is the other end of a session, with a CLI that obeys it past the tap.
type sdk struct {
	cmd            *exec.Cmd
	stdin          io.WriteCloser
	stdout, stderr io.ReadCloser
	orders         *os.File
	reports        *bufio.Scanner

	wrote, read, errs bytes.Buffer // what went over the three streams
}

func startSDK(t *rapid.T, out string) *sdk {
	self, err := os.Executable()
	fatal(t, err)
	s := &sdk{cmd: exec.Command(self, self, "obey")}
	s.cmd.Env = append(os.Environ(), role+"=tap", recordTo+"="+out)
	s.stdin, err = s.cmd.StdinPipe()
	fatal(t, err)
	s.stdout, err = s.cmd.StdoutPipe()
	fatal(t, err)
	s.stderr, err = s.cmd.StderrPipe()
	fatal(t, err)
	theirOrders, orders, err := os.Pipe()
	fatal(t, err)
	reports, theirReports, err := os.Pipe()
	fatal(t, err)
	s.cmd.ExtraFiles = []*os.File{theirOrders, theirReports}
	s.orders, s.reports = orders, bufio.NewScanner(reports)
	fatal(t, s.cmd.Start())
	theirOrders.Close()
	theirReports.Close()
	return s
}

func fatal(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// order has the CLI do something; report gets what it says of it.
func (s *sdk) order(format string, args ...any) { fmt.Fprintf(s.orders, format+"\n", args...) }

func (s *sdk) report(t *rapid.T, want string) {
	t.Helper()
	if !s.reports.Scan() {
		t.Fatal("the CLI has ended")
	}
	if got := s.reports.Text(); got != want {
		t.Fatalf("the CLI says %q, want %q", got, want)
	}
}

// takes has the CLI write and reads that.
func (s *sdk) takes(t *rapid.T, name string, from io.Reader, keep *bytes.Buffer) {
	n, seed := rapid.IntRange(1, 200_000).Draw(t, "n"), rapid.Uint64().Draw(t, "seed")
	s.order("write %s %d %d", name, n, seed)
	p := make([]byte, n)
	_, err := io.ReadFull(from, p)
	fatal(t, err)
	if !bytes.Equal(p, noise(n, seed)) {
		t.Fatalf("std%s is not what the CLI wrote", name)
	}
	keep.Write(p)
	s.report(t, "done")
}

// gives writes to the CLI in pieces.
func (s *sdk) gives(t *rapid.T) {
	n, seed := rapid.IntRange(1, 200_000).Draw(t, "n"), rapid.Uint64().Draw(t, "seed")
	p := noise(n, seed)
	s.order("read in %d", n)
	for rest := p; len(rest) > 0; {
		piece := rest[:min(len(rest), rapid.IntRange(1, 70_000).Draw(t, "piece"))]
		_, err := s.stdin.Write(piece)
		fatal(t, err)
		rest = rest[len(piece):]
	}
	s.wrote.Write(p)
	s.report(t, digest(p))
}

var forwarded = []string{"SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGWINCH", "SIGABRT"}

func TestATapChangesNothingThatEitherEndCanSee(t *testing.T) {
	// One that this process ignores, as under nohup, the tap ignores too.
	passed := slices.DeleteFunc(slices.Clone(forwarded), func(name string) bool { return signal.Ignored(unix.SignalNum(name)) })
	dir := t.TempDir()
	session := 0
	rapid.Check(t, func(t *rapid.T) {
		session++
		out := filepath.Join(dir, fmt.Sprint(session))
		s := startSDK(t, out)
		defer s.cmd.Process.Kill() // if the test ended early
		closed := map[string]bool{}
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			step := rapid.SampledFrom([]string{"out", "err", "in", "signal", "half-close", "CLI closes in", "CLI closes out", "SDK closes out"}).Draw(t, "step")
			switch {
			case step == "out" && !closed["out"]:
				s.takes(t, "out", s.stdout, &s.read)
			case step == "err":
				s.takes(t, "err", s.stderr, &s.errs)
			case step == "in" && !closed["in"]:
				s.gives(t)
			case step == "signal":
				name := rapid.SampledFrom(passed).Draw(t, "signal")
				s.order("catch %s", name)
				s.report(t, "done")
				fatal(t, s.cmd.Process.Signal(unix.SignalNum(name)))
				s.order("await")
				s.report(t, name)
			case step == "half-close" && !closed["in"]:
				closed["in"] = true
				fatal(t, s.stdin.Close())
				s.order("end in")
				s.report(t, "rest 0")
			case step == "CLI closes in" && !closed["in"]:
				closed["in"] = true
				s.order("close in")
				s.report(t, "done")
				untilBroken(t, s.stdin.(*os.File))
			case step == "CLI closes out" && !closed["out"]:
				closed["out"] = true
				s.order("close out")
				s.report(t, "done")
				if n, err := s.stdout.Read(make([]byte, 1)); n != 0 || err != io.EOF {
					t.Fatalf("read %d, %v", n, err)
				}
			case step == "SDK closes out" && !closed["out"]:
				closed["out"] = true
				fatal(t, s.stdout.Close())
				// The first byte may be on its way when the tap sees that nobody reads it.
				for said := "done"; said != "broken"; said = s.reports.Text() {
					s.order("write out 1 1")
					if !s.reports.Scan() {
						t.Fatal("the CLI has ended")
					}
				}
			}
		}
		s.ends(t)
		if !closed["out"] && !closed["in"] {
			s.isRecorded(t, out)
		}
	})
}

// untilBroken waits until nobody reads from a pipe.
func untilBroken(t *rapid.T, w *os.File) {
	raw, err := w.SyscallConn()
	fatal(t, err)
	fatal(t, raw.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd)}}
		for {
			n, err := unix.Poll(fds, int((20 * time.Second).Milliseconds()))
			if err == unix.EINTR {
				continue
			}
			if n != 1 || err != nil {
				t.Fatalf("the pipe to the CLI stays open: %d, %v", n, err)
			}
			return
		}
	}))
	if _, err := w.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Fatalf("a write to a CLI that has closed its input: %v", err)
	}
}

// ends has the CLI end, with last words, and checks how that looks from here.
func (s *sdk) ends(t *rapid.T) {
	if rapid.Bool().Draw(t, "by signal") {
		name := rapid.SampledFrom([]string{"SIGTERM", "SIGKILL", "SIGSEGV", "SIGABRT", "SIGQUIT", "SIGUSR1"}).Draw(t, "signal")
		s.order("die %s", name)
		s.waits(t)
		if status := s.cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || unix.SignalName(status.Signal()) != name {
			t.Fatalf("ended by %v, want %s", s.cmd.ProcessState, name)
		}
		return
	}
	code := rapid.IntRange(0, 255).Draw(t, "code")
	s.order("exit %d", code)
	s.waits(t)
	if got := s.cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("exit code %d, want %d", got, code)
	}
}

func (s *sdk) waits(t *rapid.T) {
	rest, err := io.ReadAll(s.stderr)
	fatal(t, err)
	if len(rest) > 0 {
		t.Fatalf("the tap has words of its own: %q", rest)
	}
	_ = s.cmd.Wait() // the state says it all
	s.orders.Close()
}

// isRecorded checks that the recording has every byte.
func (s *sdk) isRecorded(t *rapid.T, name string) {
	file, err := os.Open(name)
	fatal(t, err)
	defer file.Close()
	entries, err := recording.Read(file)
	fatal(t, err)
	got := map[recording.Dir][]byte{}
	for _, e := range entries {
		p, err := e.Bytes()
		fatal(t, err)
		got[e.Dir] = append(got[e.Dir], p...)
	}
	for dir, want := range map[recording.Dir]*bytes.Buffer{recording.ToCLI: &s.wrote, recording.ToSDK: &s.read, recording.Stderr: &s.errs} {
		if !bytes.Equal(got[dir], want.Bytes()) {
			t.Fatalf("%s: %d bytes are recorded, %d passed", dir, len(got[dir]), want.Len())
		}
	}
}
