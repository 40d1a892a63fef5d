package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"
)

// A contender does the same work as the others in its own way.
type contender struct {
	name string
	run  func(lines []line) error
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

// compare runs the contenders in turn, round by round, and returns the medians
// of each one's time relative to the first.
func compare(title string, lines []line, rounds int, cs []contender) (*table, error) {
	t := &table{title: title, ratios: map[string]float64{}, allocs: map[string]float64{}}
	for _, l := range lines {
		t.bytes += len(l.text) + 1
	}
	samples := map[string][]float64{}
	for round := range rounds + 1 {
		var first time.Duration
		for i, c := range cs {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := cpuTime()
			if err := c.run(lines); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", title, c.name, err)
			}
			took := cpuTime() - begin
			runtime.ReadMemStats(&after)
			if i == 0 {
				first = took
			}
			if round == 0 { // warm-up
				t.names = append(t.names, c.name)
				continue
			}
			if i == 0 && (t.best == 0 || took < t.best) {
				t.best = took
			}
			samples[c.name] = append(samples[c.name], float64(took)/float64(first))
			t.allocs[c.name] = float64(after.Mallocs-before.Mallocs) / float64(len(lines))
		}
	}
	for name, s := range samples {
		slices.Sort(s)
		t.ratios[name] = s[len(s)/2]
	}
	return t, nil
}

// cpuTime is the processor time of the process so far, the collector's share
// included. It is steadier than the clock on a machine that does other work.
func cpuTime() time.Duration {
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// print writes the table for people.
func (t *table) print() {
	fmt.Printf("\n%s (%.1f MB, %.0f MB/s)\n", t.title, float64(t.bytes)/1e6, float64(t.bytes)/1e6/t.best.Seconds())
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "contender\ttime relative to ccwire\tallocations per line\t")
	for _, name := range t.names {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t\n", name, t.ratios[name], t.allocs[name])
	}
	w.Flush()
}
