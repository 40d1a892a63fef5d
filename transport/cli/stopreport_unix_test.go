//go:build unix

package cli

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestStopReportsItsSteps(t *testing.T) {
	const short = 20 * time.Millisecond
	tests := []struct {
		script                      string
		input, interrupt, terminate time.Duration
		want                        []StopStep
	}{
		{"obedient", forever, forever, forever, []StopStep{StepInput}},
		{"interruptible", short, forever, forever, []StopStep{StepInput, StepInterrupt}},
		{"terminable", short, short, forever, []StopStep{StepInput, StepInterrupt, StepTerminate}},
		{"stubborn", short, short, short, []StopStep{StepInput, StepInterrupt, StepTerminate, StepKill}},
	}
	for _, test := range tests {
		t.Run(test.script, func(t *testing.T) {
			opts := childOptions(t, test.script)
			opts.InputGrace, opts.InterruptGrace, opts.TerminateGrace = test.input, test.interrupt, test.terminate
			p := start(t, opts)
			peertest.ReadLine(t, p.Stdout())
			began := time.Now()
			stop(t, p)
			report := p.Exit().Stop
			if took := report.Took(); took > time.Since(began) {
				t.Errorf("took %v of %v", took, time.Since(began))
			}
			var got []StopStep
			for i, w := range report {
				got = append(got, w.Step)
				if last := i == len(report)-1; !last && w.Wait < short {
					t.Errorf("%v had only %v", w.Step, w.Wait)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStopWithAnEndedContextReportsTheKill(t *testing.T) {
	p := start(t, childOptions(t, "stubborn"))
	peertest.ReadLine(t, p.Stdout())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Stop(ctx); err != nil {
		t.Error(err)
	}
	if report := p.Exit().Stop; len(report) != 2 || report.Last() != StepKill {
		t.Errorf("report = %v", report)
	}
}
