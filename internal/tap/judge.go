package tap

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ccwire/ccwire/internal/conformance/recording"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/schema"
)

const (
	judgeQueue   = 16 << 20 // bytes of lines that wait for the judge
	judgeItems   = 4096     // lines that wait for it
	keptFindings = 1000     // findings that are kept; the others are counted
)

// An item is an entry on its way to the judge and to those who watch.
type item struct {
	number int // of its line in the recording; 0 if it is not there
	entry  recording.Entry
	text   []byte // of a line, without its LF
	wait   int64  // how much it weighs in the queue
}

// A Seen is an entry that has been judged.
type Seen struct {
	Number  int // of its line in the recording; 0 if it is not there
	Entry   recording.Entry
	Text    []byte // what the entry of a line has, without the LF
	Verdict linecheck.Verdict
}

// A judge judges entries in a goroutine of its own. What it has no time for is counted.
type judge struct {
	watch  func(Seen)         // may be nil
	lines  *linecheck.Session // nil: nothing is judged
	framer *linestream.Framer
	items  chan item
	done   chan struct{}

	waiting  atomic.Int64 // bytes
	unjudged atomic.Int64 // lines

	mu     sync.Mutex // guards report
	report findings
}

// findings are what a judge has found.
type findings struct {
	list  []Found
	count int
}

// A Found is a finding of an entry.
type Found struct {
	Entry int // the number of the line in the recording
	linecheck.Finding
}

func newJudge(checker *linecheck.Checker, watch func(Seen), maxLine int) *judge {
	j := &judge{watch: watch, items: make(chan item, judgeItems), done: make(chan struct{})}
	if checker != nil {
		j.lines = checker.Session()
		j.framer = linestream.NewFramer(maxLine)
	}
	go j.run() // ends when items is closed
	return j
}

// admits reports whether the judge has room for an entry.
func (j *judge) admits(i *item) bool {
	if j.waiting.Load()+int64(len(i.text)) > judgeQueue {
		j.pass(i)
		return false
	}
	return true
}

// offer gives the judge an entry, if it has room for it. The text is the judge's from now on.
func (j *judge) offer(i item) {
	i.wait = int64(len(i.text)) + eventSize
	j.waiting.Add(i.wait)
	select {
	case j.items <- i:
	default:
		j.waiting.Add(-i.wait)
		j.pass(&i)
	}
}

// pass counts what is not judged.
func (j *judge) pass(i *item) {
	if _, ok := directions[i.entry.Dir]; ok {
		j.unjudged.Add(1)
	}
}

var directions = map[recording.Dir]schema.Direction{
	recording.ToCLI: schema.FromSDK,
	recording.ToSDK: schema.FromCLI,
}

func (j *judge) run() {
	defer close(j.done)
	for i := range j.items {
		j.waiting.Add(-i.wait)
		seen := Seen{Number: i.number, Entry: i.entry, Text: i.text}
		dir, isLine := directions[i.entry.Dir]
		if isLine && j.lines != nil && i.entry.Truncated == 0 {
			seen.Verdict = j.lines.Line(dir, j.framer.Frame(i.text), i.number)
			j.found(i.number, seen.Verdict.Findings)
		}
		if j.watch != nil {
			j.watch(seen)
		}
	}
}

// found keeps what was found.
func (j *judge) found(number int, list []linecheck.Finding) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, f := range list {
		if j.report.count++; len(j.report.list) < keptFindings {
			j.report.list = append(j.report.list, Found{number, f})
		}
	}
}

// finish waits until all is judged, or for some time. It returns what was found, and how many lines
// were not judged.
func (j *judge) finish(most time.Duration) (found findings, unjudged int64) {
	close(j.items)
	timer := time.NewTimer(most)
	defer timer.Stop()
	unjudged = j.unjudged.Load()
	select {
	case <-j.done:
	case <-timer.C:
		unjudged += int64(len(j.items)) + 1
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return findings{slices.Clone(j.report.list), j.report.count}, unjudged
}
