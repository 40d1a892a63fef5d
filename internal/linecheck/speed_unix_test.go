//go:build unix

package linecheck_test

import (
	"bytes"
	"encoding/json"
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/linecheck"
)

// processorTime returns how long the process has run on all cores: a busy machine does not count.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A syntax check looks at every byte too. It is 2 to 5 times as fast on a quiet machine, and
// the schemas alone, asked about every line, take 16 to 27 times its time.
func TestValidStreamsTakeAFewTimesTheProcessorTimeOfASyntaxCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures times; make test-all runs it")
	}
	const times = 10
	lines, entries := valid(t, 4<<20)
	for _, tt := range []struct {
		name   string
		lint   bool
		stream []byte
	}{
		{"lines", false, lines}, {"lines, lint", true, lines}, {"recording", false, entries}, {"recording, lint", true, entries},
		{"exchanges", false, exchanges(t, 4<<20)}, {"exchanges, lint", true, exchanges(t, 4<<20)},
		{"callbacks", false, callbacks(t, 4<<20)}, {"callbacks, lint", true, callbacks(t, 4<<20)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checker := linecheck.New(tt.lint)
			ours, syntax := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			for round := 0; round < 10 && (round < 3 || ours > times*syntax); round++ { // the best of each
				start := processorTime(t)
				for line := range bytes.Lines(tt.stream) {
					if !json.Valid(line) {
						t.Fatal("not JSON")
					}
				}
				middle := processorTime(t)
				judge(t, checker, tt.stream)
				syntax, ours = min(syntax, middle-start), min(ours, processorTime(t)-middle)
			}
			t.Logf("%.1f times", float64(ours)/float64(syntax))
			if ours > times*syntax {
				t.Errorf("%d MB take %v, and %v to check their syntax", len(tt.stream)>>20, ours, syntax)
			}
		})
	}
}
