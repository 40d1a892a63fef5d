package cli

import (
	"testing"
	"time"
)

func TestStopReportExplainsTheTime(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name   string
		report StopReport
		last   StopStep
		took   time.Duration
		want   string
	}{
		{"not stopped", nil, StepNone, 0, "ended by itself"},
		{"polite", StopReport{{StepInput, 30*ms + 1}}, StepInput, 30*ms + 1, "ended in 30ms: the end of its input (waited 30ms)"},
		{"interrupted", StopReport{{StepInput, 300 * ms}, {StepInterrupt, 35 * ms}}, StepInterrupt, 335 * ms,
			"ended in 335ms: the end of its input (waited 300ms), an interrupt (waited 35ms)"},
		{"killed", StopReport{{StepInput, 300 * ms}, {StepInterrupt, 300 * ms}, {StepTerminate, 2400 * ms}, {StepKill, ms}}, StepKill, 3001 * ms,
			"ended in 3.001s: the end of its input (waited 300ms), an interrupt (waited 300ms), a termination signal (waited 2.4s), a kill (waited 1ms)"},
		{"killed at once", StopReport{{StepKill, ms}}, StepKill, ms, "ended in 1ms: a kill (waited 1ms)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.report.Last(); got != test.last {
				t.Errorf("last step = %v, want %v", got, test.last)
			}
			if got := test.report.Took(); got != test.took {
				t.Errorf("took %v, want %v", got, test.took)
			}
			if got := test.report.String(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// The default graces: whoever obeys one of the steps is gone in well under a second. The CLI needs
// up to 2 s to end a tool that ignores signals, and does not get more than 5 s in all.
func TestDefaultGracesAreShort(t *testing.T) {
	o := Options{}.withDefaults()
	if polite := o.InputGrace + o.InterruptGrace; polite > 700*time.Millisecond {
		t.Errorf("the termination signal is sent after %v", polite)
	}
	if o.TerminateGrace < 2*time.Second {
		t.Errorf("a CLI that ends its tools is killed after %v", o.TerminateGrace)
	}
	if all := o.InputGrace + o.InterruptGrace + o.TerminateGrace; all > 5*time.Second {
		t.Errorf("the kill comes after %v", all)
	}
}

func TestExitWithoutStopReportsNoStep(t *testing.T) {
	p := start(t, childOptions(t, "fail"))
	waitDone(t, p)
	stop(t, p)
	if got := p.Exit().Stop; got.Last() != StepNone || got.Took() != 0 {
		t.Errorf("report = %v", got)
	}
}
