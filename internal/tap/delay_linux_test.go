package tap_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A route is a way to the CLI, which echoes lines, and back.
type route struct {
	in      io.WriteCloser
	out     io.Reader
	windows [][]time.Duration // how long round trips took, sorted
}

// routes returns the way to a CLI of its own without anything between, with a program on each side
// that does nothing but copy, and with a tap.
func routes(t *testing.T) (direct, copied, tapped *route) {
	copier := func() *exec.Cmd { return exec.Command("cat") }
	echo := func(tapped bool) *exec.Cmd {
		return command(t, tapped, []string{recordTo + "=" + filepath.Join(t.TempDir(), "out")}, "echo")
	}
	return chain(t, echo(false)), chain(t, copier(), echo(false), copier()), chain(t, echo(true))
}

// chain starts commands of which each reads what the one before it writes.
func chain(t *testing.T, commands ...*exec.Cmd) *route {
	t.Helper()
	first, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out := first
	for _, cmd := range commands {
		next, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdin, cmd.Stdout = out, write
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		out.Close()
		write.Close()
		out = next
	}
	t.Cleanup(func() {
		in.Close()
		for _, cmd := range commands {
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		}
		out.Close()
	})
	return &route{in: in, out: out}
}

// measure adds a window of round trips.
func (r *route) measure(t *testing.T) {
	t.Helper()
	line := []byte(floodLine)
	back := make([]byte, len(line))
	took := make([]time.Duration, 200)
	for i := range took {
		time.Sleep(500 * time.Microsecond) // as somebody who asks now and then
		begin := time.Now()
		if _, err := r.in.Write(line); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r.out, back); err != nil {
			t.Fatal(err)
		}
		took[i] = time.Since(begin)
	}
	slices.Sort(took)
	r.windows = append(r.windows, took)
}

// percentile returns what a percentile of the round trips is in the middle one of the windows.
func (r *route) percentile(percent int) time.Duration {
	var all []time.Duration
	for _, w := range r.windows {
		all = append(all, w[len(w)*percent/100])
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// Any program between two others waits for its turn when the processors are taken, and that is
// most of the slowest round trips then. So the median is judged by the limit always, p99 where a
// bare copier in the place of the tap takes less than half of it. Elsewhere p99 may be ten times
// the copier's.
func TestATapAddsLessThanAMillisecondToARoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the processor for itself: make test-all")
	}
	const limit, tries = time.Millisecond, 3
	for try := 1; ; try++ {
		direct, copied, tapped := routes(t)
		for range 10 {
			direct.measure(t)
			copied.measure(t)
			tapped.measure(t)
		}
		slow := false
		for _, percent := range []int{50, 99} {
			d, c, p := direct.percentile(percent), copied.percentile(percent), tapped.percentile(percent)
			most := limit
			if least := max(d, c); percent == 99 && least >= limit/2 {
				most = 10 * least
			}
			t.Logf("p%d: %v; %v are added, at most %v may be; by copying alone %v are", percent, d, p-d, most, c-d)
			slow = slow || p-d >= most
		}
		if !slow {
			return
		}
		if try == tries {
			t.Fatal("that is too long")
		}
	}
}
