// Package clock has a clock whose pauses can be virtual: they take no time, and it goes forward by
// them.
package clock

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Clock tells the time and waits. Nil is the clock of the system.
type Clock struct {
	mu       sync.Mutex // guards the fields below
	skipped  time.Duration
	sleepers []*time.Time // when those who sleep wake
}

// Virtual returns a clock whose pauses take no time.
func Virtual() *Clock { return &Clock{} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	if c == nil {
		return time.Now()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.nowLocked()
}

func (c *Clock) nowLocked() time.Time { return time.Now().Add(c.skipped) }

// Since returns the time that has passed.
func (c *Clock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// Sleep waits for d, or returns the cause of the end of ctx. With a virtual clock, those who sleep
// at the same time wake in the order of their times: the clock goes forward to the first one's once
// nobody has come for a moment who would wake before.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	if c == nil {
		return wait(ctx, d)
	}
	c.mu.Lock()
	at := c.nowLocked().Add(d)
	me := &at
	c.sleepers = append(c.sleepers, me)
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sleepers = slices.DeleteFunc(c.sleepers, func(s *time.Time) bool { return s == me })
	}()
	for {
		if err := wait(ctx, min(moment, d/100)); err != nil {
			return err
		}
		if c.wakes(me) {
			return nil
		}
	}
}

// moment is how long somebody may take who would wake before.
const moment = time.Millisecond

// wakes reports whether a sleeper is the next to wake, and moves the clock forward to that.
func (c *Clock) wakes(me *time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sleepers {
		if s.Before(*me) {
			return false
		}
	}
	if ahead := me.Sub(c.nowLocked()); ahead > 0 {
		c.skipped += ahead
	}
	return true
}

// wait waits by the clock of the system.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
