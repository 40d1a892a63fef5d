package cli

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

// startParent starts a process with a child of its own, which runs a script and shares some of the
// process's files. It returns the connection that the script made to the test.
func startParent(t *testing.T, opts Options) (p *Process, child net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	opts.Env = append(opts.Env, peertest.AddrEnv+"="+listener.Addr().String())
	p = start(t, opts)
	listener.(*net.TCPListener).SetDeadline(time.Now().Add(peertest.Patience))
	child, err = listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Close() })
	child.SetDeadline(time.Now().Add(peertest.Patience))
	return p, child
}

func TestDescendantThatHoldsThePipesDoesNotDelayTheExit(t *testing.T) {
	p, _ := startParent(t, childOptions(t, "parent", "holder", "apart", "stdin", "stdout", "stderr"))
	io.WriteString(p.Stdin(), "\n")
	if got := peertest.ReadAll(t, p.Stdout()); got != "bye\n" {
		t.Errorf("stdout = %q", got)
	}
	waitDone(t, p)
	if exit := p.Exit(); !exit.Success() || exit.Stderr != "bye\n" {
		t.Errorf("exit = %+v", exit)
	}
}

func TestDescendantThatHoldsStdinDoesNotBlockWriters(t *testing.T) {
	p, _ := startParent(t, childOptions(t, "parent", "holder", "apart", "stdin"))
	result := make(chan error)
	go func() {
		_, err := p.Stdin().Write(append([]byte("\n"), make([]byte, 4<<20)...))
		result <- err
	}()
	if err := <-result; !errors.Is(err, ErrBrokenPipe) {
		t.Errorf("error = %v, want ErrBrokenPipe", err)
	}
	waitDone(t, p)
}

func TestDescendantThatNeverStopsWritingDoesNotDelayTheExit(t *testing.T) {
	p, _ := startParent(t, childOptions(t, "parent", "chatterer", "apart", "stdout"))
	io.WriteString(p.Stdin(), "\n")
	if got := peertest.ReadAll(t, p.Stdout()); strings.Count(got, "bye\n") != 1 {
		t.Errorf("what the process wrote is not in the %d bytes of stdout", len(got))
	}
	waitDone(t, p)
}
