package suite

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// What fails by a limit alone is played a second time: with limits that are Patience times as long,
// and unless the second plays of the run have taken too long in all.
const (
	Patience  = 3
	againTime = 5 * time.Minute
)

// PlayAgain plays cases of the report that failed by a limit a second time, one after the other,
// and only that counts: a busy machine accuses nobody. Play plays the case of a number with longer
// limits; done is called when its result is the last word.
func (r *Report) PlayAgain(ctx context.Context, cases []int, play func(i int) Result, done func(i int)) {
	slices.Sort(cases)
	start := time.Now()
	for _, i := range cases {
		if ctx.Err() != nil {
			return
		}
		first := &r.Results[i]
		if time.Since(start) > againTime {
			first.Reason += fmt.Sprintf("; not played again, since second plays took %v", againTime)
			done(i)
			continue
		}
		second := play(i)
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
