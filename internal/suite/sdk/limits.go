package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Times that bound the parts of a case.
const (
	DefaultTimeout = 45 * time.Second // of a scenario that sets none
	DefaultStep    = 12 * time.Second // of one step
)

// limits bound the parts of a case.
type limits struct {
	whole time.Duration // the steps and the end, from when the driver is ready
	ready time.Duration // a driver before its first report
	step  time.Duration // one step
	end   time.Duration // a driver after the end of its input
	late  time.Duration // what comes on the wire after the end of the driver
	leave time.Duration // a CLI after the end of the driver
}

// limitsOf returns the limits of the first play of a scenario.
func (o *Options) limitsOf(s *Scenario) limits {
	step := cmp.Or(o.Step, DefaultStep)
	return limits{
		whole: cmp.Or(s.Timeout, o.Timeout, DefaultTimeout),
		ready: probeTime, step: step, end: step, late: time.Second, leave: step / 2,
	}
}

func (l limits) times(n time.Duration) limits {
	return limits{n * l.whole, n * l.ready, n * l.step, n * l.end, n * l.late, n * l.leave}
}

// A limitError is the end of a time, which says as much of the machine as of the SDK.
type limitError struct{ err error }

func (e *limitError) Error() string { return e.err.Error() }
func (e *limitError) Unwrap() error { return e.err }

func limitf(format string, args ...any) error { return &limitError{fmt.Errorf(format, args...)} }

// isLimit reports whether an error comes of a limit.
func isLimit(err error) bool {
	var limit *limitError
	return errors.As(err, &limit)
}

// within bounds what waits for something.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, limitf("nothing came in %v", limit))
}
