package tap_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func init() { acts["measure"], acts["spin"] = measure, spin }

// A delay is what a percentile of round trips took in the quieter windows of a measurement: what
// else the machine does only ever adds to them.
type delay struct{ P50, P99 time.Duration }

// measured has a process of its own measure round trips to a CLI, without a tap and with one.
func measured(t *testing.T) (direct, tapped delay) {
	t.Helper()
	cmd := command(t, false, nil, "measure", filepath.Join(t.TempDir(), "out"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var both [2]delay
	if err := json.Unmarshal(out, &both); err != nil {
		t.Fatal(err)
	}
	return both[0], both[1]
}

// measure is the process that measured starts. It writes the two delays.
func measure() {
	self, err := os.Executable()
	exitOn(err)
	tap := exec.Command(self, self, "echo")
	tap.Env = append(os.Environ(), role+"=tap", recordTo+"="+os.Args[2])
	routes := []*route{newRoute(exec.Command(self, "echo")), newRoute(tap)}
	const windows = 20
	for range windows {
		for _, r := range routes {
			r.measure()
		}
	}
	var delays []delay
	for _, r := range routes {
		slices.Sort(r.p50)
		slices.Sort(r.p99)
		delays = append(delays, delay{r.p50[windows/4], r.p99[windows/4]})
		exitOn(r.end())
	}
	exitOn(json.NewEncoder(os.Stdout).Encode(delays))
}

// A route is a way to a CLI that echoes lines, and back.
type route struct {
	in       io.Writer
	out      io.Reader
	end      func() error
	p50, p99 []time.Duration // of each window
}

func newRoute(cmd *exec.Cmd) *route {
	in, err := cmd.StdinPipe()
	exitOn(err)
	out, err := cmd.StdoutPipe()
	exitOn(err)
	exitOn(cmd.Start())
	return &route{in: in, out: out, end: func() error {
		in.Close()
		return cmd.Wait()
	}}
}

// measure adds a window of round trips.
func (r *route) measure() {
	line := []byte(floodLine)
	back := make([]byte, len(line))
	took := make([]time.Duration, 200)
	for i := range took {
		time.Sleep(500 * time.Microsecond) // as somebody who asks now and then
		begin := time.Now()
		_, err := r.in.Write(line)
		exitOn(err)
		_, err = io.ReadFull(r.out, back)
		exitOn(err)
		took[i] = time.Since(begin)
	}
	slices.Sort(took)
	r.p50 = append(r.p50, took[len(took)/2])
	r.p99 = append(r.p99, took[len(took)*99/100])
}

// comeFirst lets the processes that the test starts from now on go before those of others, where
// the system allows it, as it does root.
func comeFirst(t *testing.T) {
	runtime.LockOSThread() // the thread, which processes have it from, ends with the test
	err := unix.SchedSetAttr(0, &unix.SchedAttr{Policy: unix.SCHED_FIFO, Priority: 10}, 0)
	if err != nil {
		t.Logf("what else runs here counts too: %v", err)
	}
}

// keepAwake keeps the processors from sleeping: one of a virtual machine may take milliseconds to
// wake up.
func keepAwake(t *testing.T) {
	t.Helper()
	for range runtime.NumCPU() {
		cmd := command(t, false, nil, "spin")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // it was killed
		})
	}
}

// spin takes what nobody else wants of a processor, until it is killed or a minute is over.
func spin() {
	exitOn(unix.Setpriority(unix.PRIO_PROCESS, 0, 19))
	for begin := time.Now(); time.Since(begin) < time.Minute; {
	}
}

// When the processors are taken, the slowest round trips tell how long a program waits for its
// turn, with a tap or without. So the processes of the test have theirs at once.
func TestATapAddsLessThanAMillisecondToARoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the processor for itself: make test-all")
	}
	keepAwake(t)
	comeFirst(t)
	const limit, tries = time.Millisecond, 3
	for try := 1; ; try++ {
		direct, tapped := measured(t)
		t.Logf("p50 %v and %v, p99 %v and %v", direct.P50, tapped.P50, direct.P99, tapped.P99)
		added := max(tapped.P50-direct.P50, tapped.P99-direct.P99)
		if added < limit {
			return
		}
		if try == tries {
			t.Fatalf("%v are added to a round trip", added)
		}
	}
}
