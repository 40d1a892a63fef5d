package cli

import (
	"errors"
	"io"
	"testing"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestInputReachesTheProcess(t *testing.T) {
	p := start(t, childOptions(t, "echo"))
	if _, err := io.WriteString(p.Stdin(), "one\n"); err != nil {
		t.Fatal(err)
	}
	if got := peertest.ReadLine(t, p.Stdout()); got != "one" {
		t.Errorf("got %q", got)
	}
	io.WriteString(p.Stdin(), "two")
	p.Stdin().Close()
	if got := peertest.ReadAll(t, p.Stdout()); got != "two" {
		t.Errorf("got %q", got)
	}
}

func TestWriteToAClosedInputIsABrokenPipe(t *testing.T) {
	p := start(t, childOptions(t, "close-stdin"))
	peertest.ReadLine(t, p.Stdout())
	_, err := io.WriteString(p.Stdin(), "anybody?\n")
	if !errors.Is(err, ErrBrokenPipe) {
		t.Errorf("error = %v, want ErrBrokenPipe", err)
	}
}

func TestWriteAfterTheExitIsABrokenPipe(t *testing.T) {
	p := start(t, childOptions(t, "fail"))
	waitDone(t, p)
	_, err := io.WriteString(p.Stdin(), "anybody?\n")
	if !errors.Is(err, ErrBrokenPipe) {
		t.Errorf("error = %v, want ErrBrokenPipe", err)
	}
	if err := p.Stdin().Close(); err != nil {
		t.Errorf("Close after the exit = %v", err)
	}
}

func TestBlockedWriteEnds(t *testing.T) {
	tests := []struct {
		name string
		end  func(*Process)
		want error
	}{
		{"by Close", func(p *Process) { p.Stdin().Close() }, ErrStdinClosed},
		{"by the end of the process", func(p *Process) { p.Kill() }, ErrBrokenPipe},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := start(t, childOptions(t, "stubborn"))
			peertest.ReadLine(t, p.Stdout())
			result := make(chan error)
			go func() {
				_, err := p.Stdin().Write(make([]byte, 4<<20)) // more than a pipe holds
				result <- err
			}()
			test.end(p)
			if err := <-result; !errors.Is(err, test.want) {
				t.Errorf("error = %v, want %v", err, test.want)
			}
		})
	}
}

func TestCloseStdinTwice(t *testing.T) {
	p := start(t, childOptions(t, "echo"))
	for range 2 {
		if err := p.Stdin().Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
	if _, err := io.WriteString(p.Stdin(), "x"); !errors.Is(err, ErrStdinClosed) {
		t.Errorf("error = %v, want ErrStdinClosed", err)
	}
	waitDone(t, p)
	if _, err := io.WriteString(p.Stdin(), "x"); !errors.Is(err, ErrStdinClosed) {
		t.Errorf("error after the exit = %v, want ErrStdinClosed", err)
	}
}
