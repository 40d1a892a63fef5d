package transport

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// A baton is held by one goroutine at a time. Those that wait get it in the order in which they
// came, and may stop waiting. The zero value is free.
type baton struct {
	state atomic.Int32 // one of those below; batonWanted is set under mu only

	mu      sync.Mutex // guards the fields below
	waiting []chan struct{}
}

const (
	batonFree int32 = iota
	batonHeld
	batonWanted // held, and somebody may wait
)

// tryTake takes the baton if it is free.
func (b *baton) tryTake() bool { return b.state.CompareAndSwap(batonFree, batonHeld) }

// take waits for the baton up to the end of ctx.
func (b *baton) take(ctx context.Context) error {
	if b.tryTake() {
		return nil
	}
	mine := b.wait()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
		b.leave(mine)
		return context.Cause(ctx)
	}
}

// wait returns a channel that is closed when the caller has the baton. Whoever stops waiting before
// calls leave.
func (b *baton) wait() chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	mine := make(chan struct{})
	if b.state.Swap(batonWanted) == batonFree {
		close(mine)
	} else {
		b.waiting = append(b.waiting, mine)
	}
	return mine
}

// leave ends a wait. A baton that has come meanwhile goes on to the next one.
func (b *baton) leave(mine chan struct{}) {
	b.mu.Lock()
	i := slices.Index(b.waiting, mine)
	if i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	}
	b.mu.Unlock()
	if i < 0 {
		b.pass()
	}
}

// pass gives the baton to whoever has waited longest.
func (b *baton) pass() {
	if b.state.CompareAndSwap(batonHeld, batonFree) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		b.state.Store(batonFree)
		return
	}
	close(b.waiting[0])
	b.waiting = slices.Delete(b.waiting, 0, 1)
}
