package transport

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestABatonIsGivenInTheOrderOfWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b baton
		if !b.tryTake() || b.tryTake() {
			t.Fatal("a free baton is not taken once")
		}
		ctx, cancel := context.WithCancel(t.Context())
		var got []int
		for i := range 5 {
			go func() {
				waiting := t.Context()
				if i == 1 || i == 3 {
					waiting = ctx
				}
				if b.take(waiting) == nil {
					got = append(got, i)
					b.pass()
				}
			}()
			synctest.Wait()
		}
		cancel()
		synctest.Wait()
		b.pass()
		synctest.Wait()
		if len(got) != 3 || got[0] != 0 || got[1] != 2 || got[2] != 4 {
			t.Errorf("got by %v, want 0, 2 and 4", got)
		}
		if !b.tryTake() {
			t.Error("nobody has the baton, and it cannot be taken")
		}
	})
}

// Whoever stops waiting in the moment in which the baton comes does not keep it.
func TestABatonIsNeverLost(t *testing.T) {
	var b baton
	holders, rounds := 0, 2000 // holders is guarded by the baton
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range rounds {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Microsecond)
				if b.take(ctx) == nil {
					if holders++; holders != 1 {
						t.Errorf("%d have the baton", holders)
					}
					holders--
					b.pass()
				}
				cancel()
			}
		})
	}
	all.Wait()
	if !b.tryTake() {
		t.Error("the baton was lost")
	}
}
