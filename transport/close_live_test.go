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
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/ccwire/ccwire/transport"
)

var closes = flag.Int("closes", 20, "how often TestLiveCloseInATurnIsQuick closes a session in each of its cells")

// closeTime is what nineteen of twenty calls of Close in a turn stay below, if each core has two
// things to do at most: the CLI's and one other.
const closeTime = time.Second

// commandTime is what the CLI waits for by itself, every other time that a command runs, whichever
// signals it gets meanwhile.
const commandTime = 1600 * time.Millisecond

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

// Close in the middle of a turn returns within a second beside a busy machine, but for what the CLI
// takes to end a command. What takes longer is a tool that does not end when it is told to, see
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
			var took []time.Duration
			crowded := 1.0
			for range *closes {
				took = append(took, closeIn(t, task))
				crowded = max(crowded, crowd(t))
			}
			slices.Sort(took)
			median, high := took[len(took)/2], took[(len(took)*95+99)/100-1]
			limit := time.Duration(crowded * float64(closeTime))
			if task.name == "foreground Bash" {
				limit += commandTime
			}
			t.Logf("median %v, p95 %v, longest %v; each core had %.1f times as much to do", median, high, took[len(took)-1], crowded)
			if high >= limit {
				t.Errorf("p95 of Close is %v, want less than %v: %v", high, limit, took)
			}
		})
	}
}

// closeIn returns how long Close takes while the CLI is at a task.
func closeIn(t *testing.T, task custodyTask) time.Duration {
	t.Helper()
	live, api := liveOptions(t, task.script)
	program := programOptions{CLI: live.CLI, Dir: live.Dir, Env: append(live.Env, "IS_SANDBOX=1"), Task: task.name}
	ctx, cancel := context.WithTimeout(t.Context(), livePatience)
	defer cancel()
	s, err := transport.Open(ctx, program.options())
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
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	took := time.Since(began)
	t.Logf("%v: %v", took.Round(time.Millisecond), s.Exit().Stop)
	return took
}
