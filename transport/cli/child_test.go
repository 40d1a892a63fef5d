package cli

import (
	"os"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestMain(m *testing.M) {
	peertest.Main(m, map[string]func(args []string){"starter": runStarter})
}

// runStarter is a script that starts another script with Start and lives on.
func runStarter(args []string) {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if _, err := Start(Options{Path: path, Args: args[1:], Env: peertest.ScriptEnv(args[0]), TerminateGrace: 100 * time.Millisecond}); err != nil {
		panic(err)
	}
	time.Sleep(time.Minute)
}

// childOptions returns the options that run a script of peertest.
func childOptions(t testing.TB, script string, args ...string) Options {
	t.Helper()
	c := peertest.NewChild(t, script, args...)
	return Options{Path: c.Path, Args: c.Args, Env: c.Env}
}

// start starts a process that does not outlive the test, and checks that the test leaves nothing
// after.
func start(t testing.TB, opts Options) *Process {
	t.Helper()
	peertest.CheckLeaks(t)
	p, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		waitDone(t, p)
	})
	return p
}

func waitDone(t testing.TB, p *Process) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(peertest.Patience):
		t.Fatalf("process %d is not done", p.PID())
	}
}
