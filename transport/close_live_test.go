//go:build live && linux

package transport_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/cli"
)

var closes = flag.Int("closes", 20, "how often TestLiveCloseInATurnIsQuick closes a session in each of its cells")

// closeTime is what nineteen of twenty calls of Close in a turn stay below.
const closeTime = time.Second

// closeMore is what Close may take more than a CLI that ends by itself, if each core has two things
// to do at most: the steps before the signal at which that ends.
const closeMore = closeTime / 2

// crowd returns how many times as much each core has to do now, 1 at least.
func crowd(t testing.TB) float64 {
	t.Helper()
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	var load float64
	if _, err := fmt.Sscan(string(text), &load); err != nil {
		t.Fatal(err)
	}
	return max(1, load/float64(2*runtime.NumCPU()))
}

func init() { peertest.AddScript("burn", burn) }

// burn uses the time of a core up to the end of its input.
func burn([]string) {
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for {
	}
}

// keepBusy keeps all cores busy, up to the end of the test.
func keepBusy(t testing.TB) {
	t.Helper()
	for range runtime.NumCPU() {
		child := peertest.NewChild(t, "burn")
		process := exec.Command(child.Path, child.Args...)
		process.Env = child.Env
		input, err := process.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			input.Close()
			process.Wait()
		})
	}
}

// Close in the middle of a turn returns within a second beside a busy machine, where a CLI that
// gets nothing but a termination signal allows it: its own time is measured beside, in turn. What
// takes longer is a tool that does not end when it is told to, see
// [TestLiveNothingOutlivesASession].
func TestLiveCloseInATurnIsQuick(t *testing.T) {
	keepBusy(t)
	for _, task := range custodyTasks {
		switch task.name {
		case "text", "foreground Bash", "hook that hangs":
		default:
			continue
		}
		t.Run(task.name, func(t *testing.T) {
			var took, alone []time.Duration
			crowded := 1.0
			for range *closes {
				took = append(took, endIn(t, task, (*transport.Session).Close))
				alone = append(alone, endIn(t, task, nil))
				crowded = max(crowded, crowd(t))
			}
			high, own := percentile95(took), percentile95(alone)
			limit := max(closeTime, own+time.Duration(crowded*float64(closeMore)))
			t.Logf("Close: median %v, p95 %v; the CLI by itself: median %v, p95 %v; each core had %.1f times as much to do",
				took[len(took)/2], high, alone[len(alone)/2], own, crowded)
			if high >= limit {
				t.Errorf("p95 of Close is %v, want less than %v: %v; by itself: %v", high, limit, took, alone)
			}
		})
	}
}

// percentile95 sorts times and returns what nineteen of twenty are not over.
func percentile95(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[(len(times)*95+99)/100-1]
}

// endIn returns how long the end of a CLI takes while it is at a task: that of its session, or if
// end is nil that of the CLI alone at a termination signal.
func endIn(t *testing.T, task custodyTask, end func(*transport.Session) error) time.Duration {
	t.Helper()
	live, api := liveOptions(t, task.script)
	program := programOptions{CLI: live.CLI, Dir: live.Dir, Env: append(live.Env, "IS_SANDBOX=1"), Task: task.name}
	ctx, cancel := context.WithTimeout(t.Context(), livePatience)
	defer cancel()
	options := program.options()
	var process *cli.Process
	options.Spawn = func(_ context.Context, c transport.Command) (transport.Process, error) {
		var err error
		process, err = cli.Start(cli.Options{Path: c.Path, Args: c.Args, Dir: c.Dir, Env: c.Env})
		return process, err
	}
	s, err := transport.Open(ctx, options)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Prompt(ctx, "begin"); err != nil {
		t.Fatal(err)
	}
	for !task.begun(api.Requests(), live.Dir) {
		if ctx.Err() != nil {
			t.Fatal("the CLI did not begin")
		}
		time.Sleep(10 * time.Millisecond)
	}
	began := time.Now()
	if end == nil {
		if err := syscall.Kill(process.PID(), syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		<-process.Done()
	} else if err := end(s); err != nil {
		t.Error(err)
	}
	took := time.Since(began)
	t.Logf("%v: %v", took.Round(time.Millisecond), process.Exit().Stop)
	return took
}
