package suite

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// What fails by a limit alone is played a second time: with limits that are Patience times as long,
// and unless the second plays of the run have taken too long in all.
const (
	Patience  = 3
	againTime = 5 * time.Minute
)

// A Gate is shared by runs that go on at the same time: what one of them plays again is played
// while nothing else is, and the time for second plays is one for all. The zero value is ready to
// use.
type Gate struct {
	turns sync.RWMutex  // held for reading by a first play, for writing by a second one
	spent time.Duration // on second plays; guarded by turns
}

// First plays something for the first time.
func (g *Gate) First(play func()) {
	g.turns.RLock()
	defer g.turns.RUnlock()
	play()
}

// Alone plays something a second time, while nothing else is played. It returns false if second
// plays have taken too long.
func (g *Gate) Alone(play func()) bool {
	g.turns.Lock()
	defer g.turns.Unlock()
	if g.spent > againTime {
		return false
	}
	start := time.Now()
	play()
	g.spent += time.Since(start)
	return true
}

// PlayAgain plays cases of the report that failed by a limit a second time, one after the other,
// and only that counts: a busy machine accuses nobody. Play plays the case of a number with longer
// limits; done is called when its result is the last word.
func (r *Report) PlayAgain(ctx context.Context, g *Gate, cases []int, play func(i int) Result, done func(i int)) {
	slices.Sort(cases)
	for _, i := range cases {
		if ctx.Err() != nil {
			return
		}
		first := &r.Results[i]
		var second Result
		if !g.Alone(func() { second = play(i) }) {
			first.Reason += fmt.Sprintf("; not played again, since second plays took %v", againTime)
			done(i)
			continue
		}
		second.First = first.Reason
		second.Duration += first.Duration
		if second.Status == Fail {
			second.Reason += fmt.Sprintf("; played twice, the second time alone and with %d times the time", Patience)
		}
		r.Notes = append(r.Notes, fmt.Sprintf("%s was played twice, the second time alone and with %d times the time: %s; the first time: %s",
			second.Scenario, Patience, second.Status, second.First))
		*first = second
		done(i)
	}
}
