package main

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// TestWhatReadsRecordingsTakesSeconds bounds the CPU time of a process, which other processes on
// the machine change less than the time on the clock. Each should take at most two seconds; the
// bound is five times that.
func TestWhatReadsRecordingsTakesSeconds(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures times; make test-all runs it")
	}
	const most = 10 * time.Second
	for _, args := range []string{
		"drift --from 2.1.200 --to " + corpus.Newest(),
		"compatibility",
	} {
		t.Run(args, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "protogen", strings.Fields(args)...)
			out, err := cmd.Output()
			exit := (*exec.ExitError)(nil)
			if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != exitFindings) {
				t.Fatal(err)
			}
			if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took > most || len(out) == 0 {
				t.Errorf("it took %v and wrote %d bytes", took, len(out))
			} else {
				t.Log(took)
			}
		})
	}
}
