package life_test

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/ccwire/ccwire/internal/sim/life"
)

// TestATurnMayBeginSomethingWhileTheSessionEnds is for the race detector.
func TestATurnMayBeginSomethingWhileTheSessionEnds(t *testing.T) {
	for range 100 {
		l := life.New(context.Background(), func() {})
		var turn, begun sync.WaitGroup
		begun.Add(1)
		turn.Go(func() {
			l.Go(func() {
				runtime.Gosched() // it runs while the session waits
				begun.Done()
			})
		})
		l.Cancel()
		runtime.Gosched()
		l.Wait()
		turn.Wait()
		begun.Wait()
	}
}
