package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// Times that bound the parts of a case.
const (
	// DefaultTimeout bounds a scenario that sets no time of its own.
	DefaultTimeout = 45 * time.Second
	// DefaultStep bounds one step: the time in which neither the SDK nor the CLI does anything. A
	// process that works, or that waits for a processor, has [suite.Patience] times as long.
	DefaultStep = 5 * time.Second
)

// limits bound the parts of a case.
type limits struct {
	whole time.Duration // the steps and the end, from when the driver is ready
	ready time.Duration // a driver before its first report
	step  time.Duration // one step
	end   time.Duration // what ends: a close, a CLI, a driver after the end of its input
	late  time.Duration // what comes on the wire after the end of the driver
	leave time.Duration // a CLI after the end of the driver
}

// manyEnds is how many sessions that do not end are waited for in full. After these the next one is
// no news.
const manyEnds = 3

// limitsOf returns the limits of the first play of a scenario.
func (j *Judge) limitsOf(s *Scenario) limits {
	step := cmp.Or(j.Step, DefaultStep)
	// An SDK gives a CLI that does not end some seconds before it kills it.
	l := limits{whole: cmp.Or(s.Timeout, j.Timeout, DefaultTimeout), ready: probeTime, step: step, end: 12 * step / 5, late: time.Second, leave: step}
	if j.ledger.count(Ends) >= manyEnds && s.Area() != "end" {
		l.end, l.leave = step/4, step/4
	}
	return l
}

func (l limits) times(n time.Duration) limits {
	return limits{n * l.whole, n * l.ready, n * l.step, n * l.end, n * l.late, n * l.leave}
}

// A limitError is the end of a time, which says as much of the machine as of the SDK unless nobody
// did anything in it.
type limitError struct {
	err  error
	idle bool
}

func (e *limitError) Error() string { return e.err.Error() }
func (e *limitError) Unwrap() error { return e.err }

func limitf(format string, args ...any) error { return &limitError{err: fmt.Errorf(format, args...)} }

// isLimit reports whether an error comes of a limit, and whether nobody did anything in that time.
func isLimit(err error) (limit, idle bool) {
	var e *limitError
	limit = errors.As(err, &e)
	return limit, limit && e.idle
}

// restAfter is how long a case does nothing before another may begin beside it.
const restAfter = time.Second

// watchEvery is how often it is looked at who works.
const watchEvery = 250 * time.Millisecond

// within bounds what waits for something. The time in which the board does not change and no
// process works counts; where that cannot be seen, all of it.
func (p *play) within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go p.watch(ctx, limit, cancel) // ends with ctx
	return ctx, func() { cancel(context.Canceled) }
}

func (p *play) watch(ctx context.Context, limit time.Duration, end context.CancelCauseFunc) {
	every := min(watchEvery, limit/4+1)
	tick := time.NewTicker(every)
	defer tick.Stop()
	look := p.activity()
	seen, last := p.board.changes(), time.Now()
	var idle time.Duration
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		works, known := look()
		if n := p.board.changes(); n != seen {
			seen, last, idle = n, time.Now(), 0
		}
		if works {
			idle = 0
		} else {
			if idle >= restAfter {
				p.rests()
			}
			idle += every // not the time that passed: a machine that stands still says nothing
		}
		quiet := time.Since(last)
		switch {
		case known && idle >= limit:
			end(&limitError{fmt.Errorf("nothing came in %v", limit), true})
		case !known && quiet >= 2*limit, quiet >= suite.Patience*limit:
			end(limitf("nothing came in %v", quiet.Round(time.Millisecond)))
		}
	}
}

// activity returns a function that says whether a process of the case has worked, or would have if
// it had been given a processor, since the last call, and whether that can be seen.
func (p *play) activity() func() (works, known bool) {
	before := p.observe()
	return func() (bool, bool) {
		now := p.observe()
		worked := now.Running || now.Ticks > before.Ticks+1 || now.Ticks < before.Ticks // one has ended
		before = now
		return worked, now.Known && p.process.PID() > 0
	}
}

func (p *play) observe() driver.Activity {
	return driver.Observe(append(p.stage.running(), p.process.PID()))
}
