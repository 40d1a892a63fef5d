//go:build unix && !race

package framing

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is what this process and those that it waited for took. A busy machine does not change
// it much.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return sum
}

// perSecond returns how many streams are played in a second of CPU time, at best.
func perSecond(t *testing.T, streams int, play func()) float64 {
	t.Helper()
	best := 0.0
	for range 3 {
		before := cpuTime(t)
		play()
		best = max(best, float64(streams)/(cpuTime(t)-before).Seconds())
	}
	t.Logf("%.0f streams in a second of CPU time", best)
	return best
}

// busy is how much slower a machine may be that runs other tests at the same time.
const busy = 2.5

func TestManyStreamsArePlayedInASecond(t *testing.T) {
	persistent := func(argv []string) func() {
		return func() {
			f := newFuzzer(append(argv, "--persistent"), Options{Persistent: true})
			for g, n := newGenerator(1), 0; n < 300; n++ {
				if failed, err := f.try(t.Context(), g.stream()); err != nil || failed != nil {
					t.Fatal(failed, err)
				}
			}
			f.server.stop(0)
		}
	}
	t.Run("Python", func(t *testing.T) {
		if perSecond(t, 300, persistent(pythonCommand(t, "correct"))) < 200/busy {
			t.Error("want 200 on a quiet machine")
		}
	})
	t.Run("Go", func(t *testing.T) {
		if perSecond(t, 300, persistent(parserCommand(t, "correct"))) < 400/busy {
			t.Error("want 400 on a quiet machine")
		}
	})
	t.Run("function", func(t *testing.T) {
		play := func() {
			c, g := NewCheck(plantedFunc(t, "ccwire")), newGenerator(1)
			for range 1000 {
				if wrong := c.Once(g.stream()); wrong != "" {
					t.Fatal(wrong)
				}
			}
		}
		if perSecond(t, 1000, play) < 2000/busy {
			t.Error("want 2000 on a quiet machine")
		}
	})
}
