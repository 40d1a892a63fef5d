package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestStderrCallbackGetsEachLine(t *testing.T) {
	long := strings.Repeat("x", maxStderrLine-1)
	tests := []struct {
		name   string
		writes []string
		want   []string
	}{
		{"nothing", nil, nil},
		{"lines", []string{"a\nb\n"}, []string{"a", "b"}},
		{"a line in pieces", []string{"a", "b", "\nc", "\n"}, []string{"ab", "c"}},
		{"empty lines and CRLF", []string{"\r\n\na\r\n"}, []string{"", "", "a"}},
		{"no line end", []string{"a\nb"}, []string{"a", "b"}},
		{"invalid UTF-8", []string{"a\xff\n"}, []string{"a\uFFFD"}},
		{"a character in pieces", []string{"\xe2", "\x82\xac\n"}, []string{"€"}},
		{"too long", []string{long + "xyz\n"}, []string{long + "x", "yz"}},
		{"too long, not cut in a character", []string{long + "€\n"}, []string{long, "€"}},
		{"just not too long", []string{long + "x\n"}, []string{long + "x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			peertest.CheckLeaks(t)
			var got []string
			q := newLineQueue(func(line string, dropped int) {
				if dropped != 0 {
					t.Errorf("%d lines dropped", dropped)
				}
				got = append(got, line)
			}, peertest.Quiet)
			for _, w := range test.writes {
				q.write([]byte(w))
			}
			q.finish(time.Now().Add(peertest.Patience))
			if !slices.Equal(got, test.want) {
				t.Errorf("got %.80q, want %.80q", got, test.want)
			}
		})
	}
}

func TestSlowStderrCallbackNeverBlocksTheProcess(t *testing.T) {
	const count = 100_000 // several times what is queued
	last := fmt.Sprintf("line %06d", count-1)
	release, finished := make(chan struct{}), make(chan struct{})
	lines, dropped := 0, 0
	opts := childOptions(t, "flood", fmt.Sprint(count))
	opts.OnStderr = func(line string, before int) {
		<-release
		lines++
		dropped += before
		if line == last {
			close(finished)
		}
	}
	p := start(t, opts)
	if err := p.Wait(); err != nil { // with the callback still in its first call
		t.Error(err)
	}
	close(release)
	<-finished
	if lines+dropped != count || dropped == 0 {
		t.Errorf("%d lines and %d dropped, want %d together", lines, dropped, count)
	}
}

func TestPanicOfTheStderrCallbackIsLoggedAndStopsNothing(t *testing.T) {
	var log peertest.Recorder
	var calls atomic.Int32
	opts := childOptions(t, "flood", "100000")          // several times what a pipe and the queue hold
	opts.Logger, opts.DrainTime = log.Logger(), forever // the exit waits for the callback
	opts.OnStderr = func(line string, _ int) {
		calls.Add(1)
		panic("not " + line)
	}
	p := start(t, opts)
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	if got := p.Exit().Stderr; !strings.HasSuffix(got, "line 099999\n") {
		t.Errorf("stderr ends with %q", got[max(0, len(got)-20):])
	}
	if got := log.String(); calls.Load() != 1 || !strings.Contains(got, "not line ") || !strings.Contains(got, "stderrlines_test.go") {
		t.Errorf("%d calls; the log is:\n%s", calls.Load(), got)
	}
}

func TestStderrCallbackThatNeverReturnsDelaysNeitherStopNorOutput(t *testing.T) {
	opts := childOptions(t, "bye")
	called, release := make(chan struct{}), make(chan struct{})
	opts.OnStderr = func(string, int) {
		close(called)
		<-release
	}
	p := start(t, opts)
	t.Cleanup(func() { close(release) }) // for the check for leaks
	io.WriteString(p.Stdin(), "\n")
	<-called
	stop(t, p)
	if got := peertest.ReadAll(t, p.Stdout()); got != "bye\n" {
		t.Errorf("stdout = %q", got)
	}
}

func TestStderrCallbackCanStopTheProcess(t *testing.T) {
	opts := childOptions(t, "mutter")
	opts.InputGrace, opts.InterruptGrace, opts.TerminateGrace = -1, -1, -1
	started, stopped := make(chan *Process, 1), make(chan error, 1)
	opts.OnStderr = func(string, int) { stopped <- (<-started).Stop(context.Background()) }
	p := start(t, opts)
	started <- p
	io.WriteString(p.Stdin(), "help\n")
	if err := <-stopped; err != nil {
		t.Errorf("Stop = %v", err)
	}
	if p.Exit() == nil {
		t.Error("Stop returned before the exit")
	}
}
