//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"runtime/metrics"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestConformTakesSecondsOnTwoQuietCores bounds the parts of the time that conform takes, so that
// other processes on the machine change little: the CPU time, measured by that of a computation
// before and after it, and the time in which the processors that it may use have nothing to do.
func TestConformTakesSecondsOnTwoQuietCores(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays all scenarios; make test-all runs it")
	}
	const (
		mostWork    = 290 // times the computation; 165 to 190 were measured
		mostWaiting = 5 * time.Second
	)
	before := computation(t)
	cpu, idle := usedCPU(t), idleTime()
	var out, errs bytes.Buffer
	code := run([]string{"conform"}, strings.NewReader(""), &out, &errs)
	idle, cpu = idleTime()-idle, usedCPU(t)-cpu
	unit := (before + computation(t)) / 2
	waiting := idle / time.Duration(runtime.GOMAXPROCS(0))
	work := float64(cpu) / float64(unit)
	t.Logf("CPU %v, %.0f times the computation of %v; waiting %v", cpu, work, unit, waiting)
	if code != 0 {
		t.Errorf("exit code %d:\n%s%s", code, &out, &errs)
	}
	if work > mostWork {
		t.Errorf("the CPU time is %.0f times that of the computation, want at most %d", work, mostWork)
	}
	if waiting > mostWaiting {
		t.Errorf("it had nothing to do for %v, want at most %v", waiting, mostWaiting)
	}
}

// computation returns the CPU time of a computation that is like what conform does: it reads JSON.
func computation(t *testing.T) time.Duration {
	const line = `{"type":"assistant","message":{"id":"msg_0001","content":[{"type":"text","text":"Done."}],"usage":{"input_tokens":10}},"uuid":null},`
	text := []byte("[" + strings.TrimSuffix(strings.Repeat(line, 10_000), ",") + "]")
	const times = 10
	start := usedCPU(t)
	for range times {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
	}
	return (usedCPU(t) - start) / times
}

// usedCPU is the CPU time that the process and those that it has waited for have used.
func usedCPU(t *testing.T) (used time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			t.Fatal(err)
		}
		used += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return used
}

// idleTime is the time that the processors which the process may use had nothing to do for it,
// added up.
func idleTime() time.Duration {
	runtime.GC() // brings the metric up to date
	sample := []metrics.Sample{{Name: "/cpu/classes/idle:cpu-seconds"}}
	metrics.Read(sample)
	return time.Duration(sample[0].Value.Float64() * float64(time.Second))
}
