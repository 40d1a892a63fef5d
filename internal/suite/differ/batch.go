package differ

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// A Batch plays many sessions on a pair of CLIs.
type Batch struct {
	Pair     *Pair
	Parallel int           // how many sessions are played at once; 0 means one
	Within   time.Duration // no session begins after this time; 0 means that all are played
	// Told, if set, is called with what came of a session, one call at a time, as it comes.
	Told func(*scenario.Scenario, *Outcome, error)
}

// Play returns what came of each session: nil for one that could not be played, or did not begin.
//
// A session that was late is played again at the end, alone, and only that counts: on a machine
// that is busy, time says nothing about a CLI.
func (b *Batch) Play(ctx context.Context, sessions []*scenario.Scenario) []*Outcome {
	began := time.Now()
	outcomes := make([]*Outcome, len(sessions))
	next := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex // one call of Told at a time
	play := func(i int) {
		out, err := b.Pair.Play(ctx, sessions[i])
		outcomes[i] = out
		if b.Told != nil {
			mu.Lock()
			defer mu.Unlock()
			b.Told(sessions[i], out, err)
		}
	}
	for range max(b.Parallel, 1) {
		workers.Go(func() {
			for i := range next {
				play(i)
			}
		})
	}
	for i := range sessions {
		if b.Within > 0 && time.Since(began) > b.Within {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	for i, out := range outcomes {
		if out != nil && out.Late {
			play(i)
		}
	}
	return outcomes
}

// Chance returns how probable it is that at most same of played sessions show the same, if share of
// all sessions do. A share that is tried with few sessions is wrong only where this is very small.
func Chance(same, played int, share float64) float64 {
	logFactorial := func(n int) float64 {
		value, _ := math.Lgamma(float64(n + 1))
		return value
	}
	sum := 0.0
	for k := range same + 1 {
		sum += math.Exp(logFactorial(played) - logFactorial(k) - logFactorial(played-k) +
			float64(k)*math.Log(share) + float64(played-k)*math.Log(1-share))
	}
	return min(sum, 1)
}
