package clock_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/clock"
)

func TestVirtualPausesTakeNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.Virtual()
		began, virtual := time.Now(), c.Now()
		for range 10 {
			if err := c.Sleep(t.Context(), time.Minute); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took > 100*time.Millisecond {
			t.Errorf("ten minutes take %v", took)
		}
		if passed := c.Since(virtual); passed < 10*time.Minute || passed > 10*time.Minute+time.Second {
			t.Errorf("by the clock it was %v", passed)
		}
	})
}

func TestThoseWhoSleepWakeInTheOrderOfTheirTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.Virtual()
		var mu sync.Mutex
		var woken []time.Duration
		var wait sync.WaitGroup
		for _, d := range []time.Duration{3, 1, 2} {
			wait.Go(func() {
				if err := c.Sleep(t.Context(), d*time.Minute); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				woken = append(woken, d)
			})
		}
		wait.Wait()
		if diff := cmp.Diff([]time.Duration{1, 2, 3}, woken); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
}

func TestTheClockOfTheSystemIsNil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c *clock.Clock
		began := c.Now()
		if err := c.Sleep(t.Context(), time.Minute); err != nil || c.Since(began) != time.Minute {
			t.Errorf("it took %v, %v", c.Since(began), err)
		}
		gone := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(gone)
		if err := c.Sleep(ctx, time.Minute); !errors.Is(err, gone) {
			t.Errorf("got %v", err)
		}
	})
}
