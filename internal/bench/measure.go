package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"golang.org/x/sys/unix"
)

// A contender does the same work as the others in its own way.
type contender struct {
	name string
	run  func(lines []line) error
}

func (c contender) repeat(lines []line, passes int) error {
	for range passes {
		if err := c.run(lines); err != nil {
			return err
		}
	}
	return nil
}

// A table is what one comparison found.
type table struct {
	title  string
	names  []string
	ratios map[string]float64 // time relative to the first contender
	allocs map[string]float64 // per line
	bytes  int
	best   time.Duration // of the first contender
}

// sample is how much processor time one measurement takes at least, so that the collector has its
// usual share of it.
const sample = 30 * time.Millisecond

// processorTime returns how long the process has run on all cores, the collector's work included.
// Other processes that keep the machine busy do not count.
func processorTime() time.Duration {
	var t unix.Timespec // getrusage would be wrong by up to a tick of the system
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err) // the clock is always there
	}
	return time.Duration(t.Nano())
}

// compare runs the contenders in turn, round by round, and returns the medians of each one's
// processor time relative to the first.
func compare(title string, lines []line, rounds int, cs []contender) (*table, error) {
	t := &table{title: title, ratios: map[string]float64{}, allocs: map[string]float64{}}
	for _, l := range lines {
		t.bytes += len(l.text()) + 1
	}
	passes := make([]int, len(cs))
	samples := make([][]float64, len(cs))
	for i, c := range cs { // warm-up
		begin := processorTime()
		for passes[i] == 0 || processorTime()-begin < sample {
			if err := c.run(lines); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", title, c.name, err)
			}
			passes[i]++
		}
		t.names = append(t.names, c.name)
	}
	for range rounds {
		var first time.Duration
		for i, c := range cs {
			took, allocs, err := measure(c, lines, passes[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", title, c.name, err)
			}
			if i == 0 {
				first = took
				if t.best == 0 || took < t.best {
					t.best = took
				}
			}
			samples[i] = append(samples[i], float64(took)/float64(first))
			t.allocs[c.name] = allocs / float64(len(lines))
		}
	}
	for i, s := range samples {
		slices.Sort(s)
		t.ratios[cs[i].name] = s[len(s)/2]
	}
	return t, nil
}

// measure returns the time and the allocations of one pass, as the mean of some.
//
// As many passes go before that do not count. Without them a contender that runs behind a hungry
// one pays for memory that the runtime has given back in between, and the next one finds it there.
func measure(c contender, lines []line, passes int) (time.Duration, float64, error) {
	runtime.GC()
	if err := c.repeat(lines, passes); err != nil {
		return 0, 0, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := processorTime()
	if err := c.repeat(lines, passes); err != nil {
		return 0, 0, err
	}
	took := processorTime() - begin
	runtime.ReadMemStats(&after)
	return took / time.Duration(passes), float64(after.Mallocs-before.Mallocs) / float64(passes), nil
}

// speed returns how many megabytes a second the first contender takes, in its best round.
func (t *table) speed() float64 { return float64(t.bytes) / 1e6 / t.best.Seconds() }

// print writes the table for people.
func (t *table) print() {
	fmt.Printf("\n%s (%.1f MB, %.0f MB/s)\n", t.title, float64(t.bytes)/1e6, t.speed())
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "contender\ttime relative to ccwire\tallocations per line\t")
	for _, name := range t.names {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t\n", name, t.ratios[name], t.allocs[name])
	}
	w.Flush()
}
