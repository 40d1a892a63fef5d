package cli

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestProcessEndsWhenThisProcessIsKilled(t *testing.T) {
	tests := []struct{ name, script string }{
		{"at the signal of the system", "holder"}, // which does not look at its stdin
		{"although it ignores signals", "holder stubborn"},
		{"with a descendant that left the group", "parent holder apart"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { killStarter(t, strings.Fields(test.script)) })
	}
}

// killStarter kills a process that has started a script with Start. What connects to the test must
// end then.
func killStarter(t *testing.T, script []string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	starter := exec.Command(childOptions(t, "").Path, script...)
	starter.Env = append(peertest.ScriptEnv("starter"), peertest.AddrEnv+"="+listener.Addr().String())
	if err := starter.Start(); err != nil {
		t.Fatal(err)
	}
	defer starter.Wait()
	defer starter.Process.Kill()
	listener.(*net.TCPListener).SetDeadline(time.Now().Add(peertest.Patience))
	holder, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	holder.SetDeadline(time.Now().Add(peertest.Patience))
	if !lives(holder) {
		t.Fatal("the process does not live")
	}
	starter.Process.Kill()
	checkDeath(t, holder)
}

func TestProcessOutlivesTheThreadsOfItsCallers(t *testing.T) {
	peertest.CheckLeaks(t)
	opts := childOptions(t, "echo")
	processes := make([]*Process, 20)
	var errs [20]error
	endThreads(t, len(processes), func(i int) { processes[i], errs[i] = Start(opts) })
	for i, p := range processes {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		defer func() {
			p.Kill()
			waitDone(t, p)
		}()
	}
	endThreads(t, len(processes), func(int) {}) // those that happened to be idle
	for _, p := range processes {
		io.WriteString(p.Stdin(), "alive\n")
		p.Stdin().Close()
		if got := peertest.ReadAll(t, p.Stdout()); got != "alive\n" {
			waitDone(t, p)
			t.Errorf("got %q; %v", got, p.Exit())
		}
	}
}

// endThreads calls do in as many threads, each of which has ended when it returns.
func endThreads(t *testing.T, count int, do func(i int)) {
	t.Helper()
	ids := make([]int, count)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			runtime.LockOSThread() // and no unlock: the thread ends with the goroutine
			ids[i] = syscall.Gettid()
			do(i)
		})
	}
	wg.Wait()
	deadline := time.Now().Add(peertest.Patience)
	for _, id := range ids {
		for id != os.Getpid() { // the first thread of a process never ends
			if _, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", id)); err != nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("thread %d does not end", id)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// Each cycle starts a process, speaks to it and stops it.
func TestManyProcessesLeaveNothing(t *testing.T) {
	path, err := exec.LookPath("cat")
	if err != nil {
		t.Fatal(err)
	}
	cycles := 2000
	if testing.Short() {
		cycles = 400
	}
	peertest.Soak(t, cycles, 4, func() {
		p, err := Start(Options{Path: path, OnStderr: func(string, int) {}})
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(p.Stdin(), "x\n")
		if got, err := bufio.NewReader(p.Stdout()).ReadString('\n'); got != "x\n" {
			t.Errorf("got %q, %v", got, err)
		}
		stop(t, p)
	})
}

func TestNoThreadIsLeftOfProcessesThatHaveEnded(t *testing.T) {
	const count = 64
	opts := childOptions(t, "echo")
	var processes []*Process
	for range count {
		p, err := Start(opts)
		if err != nil {
			t.Fatal(err)
		}
		processes = append(processes, p)
	}
	running := threads(t)
	for _, p := range processes {
		p.Kill()
		waitDone(t, p)
	}
	const most = 20 // of the runtime, and of tests before
	after := threads(t)
	for deadline := time.Now().Add(peertest.Patience); after > most && time.Now().Before(deadline); after = threads(t) {
		time.Sleep(time.Millisecond) // a thread ends a moment after its goroutine
	}
	if running < count || after > most {
		t.Errorf("%d threads while %d processes ran, %d after", running, count, after)
	}
}

// threads returns how many threads this process has.
func threads(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
