package tap

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/schema"
)

const (
	judgeQueue   = 16 << 20 // how much waits for the judge, in bytes
	judgeLoads   = 4096     // in how many loads
	keptFindings = 1000     // findings that are kept; the others are counted
)

// An item is an entry on its way to the judge and to those who watch.
type item struct {
	number int // of its line in the recording; 0 if it is not there
	size   int // how many bytes of the load are its text

	dir          recording.Dir
	at           time.Duration
	truncated    int
	unterminated bool
	other        *recording.Entry // the entry, if it is not that of a line
}

// entry returns the entry without the text of a line.
func (i *item) entry() recording.Entry {
	if i.other != nil {
		return *i.other
	}
	return recording.Entry{Dir: i.dir, Time: milliseconds(i.at), Truncated: i.truncated, Unterminated: i.unterminated}
}

func (i *item) isLine() bool {
	_, ok := directions[i.dir]
	return ok
}

// A load is what is given to the judge at once: items, and their texts one after the other.
type load struct {
	items []item
	texts []byte
	lines int64 // of the protocol, among the items

	missed int // entries before the first item that are in no load
}

func (l *load) add(i item, text []byte) {
	i.size = len(text)
	l.items = append(l.items, i)
	l.texts = append(l.texts, text...)
	if i.isLine() {
		l.lines++
	}
}

// size is about how much memory the load takes.
func (l *load) size() int64 { return int64(len(l.texts)) + int64(len(l.items))*itemSize }

const itemSize = int64(unsafe.Sizeof(item{}))

// A Seen is an entry that has been judged.
type Seen struct {
	Number  int // of its line in the recording; 0 if it is not there
	Entry   recording.Entry
	Text    []byte // what the entry of a line has, without the LF; valid until Watch returns
	Verdict linecheck.Verdict

	Missed int // how many entries between the one seen before and this one were not shown
}

// A judge judges entries in a goroutine of its own. What it has no time for is counted.
type judge struct {
	watch  func(Seen)         // may be nil
	lines  *linecheck.Session // nil: nothing is judged
	framer *linestream.Framer
	loads  chan *load
	spent  chan *load // to be used again
	done   chan struct{}
	missed int // entries since the last load that are in none; only the recorder uses it

	waiting  atomic.Int64 // bytes
	pending  atomic.Int64 // lines that wait
	unjudged atomic.Int64 // lines for which there was no room

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
	j := &judge{watch: watch, loads: make(chan *load, judgeLoads), spent: make(chan *load, 4), done: make(chan struct{})}
	if checker != nil {
		j.lines = checker.Session()
		j.framer = linestream.NewFramer(maxLine)
	}
	go j.run() // ends when loads is closed
	return j
}

// load returns an empty load.
func (j *judge) load() *load {
	select {
	case l := <-j.spent:
		return l
	default:
		return new(load)
	}
}

// offer gives the judge a load, if there is room for it, which one without texts does not need. It
// is the judge's from now on.
func (j *judge) offer(l *load) {
	l.missed = j.missed
	if j.waiting.Load()+l.size() <= judgeQueue || len(j.loads) == 0 || len(l.texts) == 0 {
		j.waiting.Add(l.size())
		j.pending.Add(l.lines)
		select {
		case j.loads <- l:
			j.missed = 0
			return
		default:
		}
		j.waiting.Add(-l.size())
		j.pending.Add(-l.lines)
	}
	j.missed += len(l.items)
	j.unjudged.Add(l.lines)
	j.spend(l)
}

// spend keeps a load to be used again, unless it is larger than most.
func (j *judge) spend(l *load) {
	const keep = 2 << 20
	if cap(l.texts)+cap(l.items)*int(itemSize) > keep {
		return
	}
	*l = load{items: l.items[:0], texts: l.texts[:0]}
	select {
	case j.spent <- l:
	default:
	}
}

// pass counts what is not judged.
func (j *judge) pass(i *item) {
	j.missed++
	if i.isLine() {
		j.unjudged.Add(1)
	}
}

var directions = map[recording.Dir]schema.Direction{
	recording.ToCLI: schema.FromSDK,
	recording.ToSDK: schema.FromCLI,
}

func (j *judge) run() {
	defer close(j.done)
	for l := range j.loads {
		rest, missed := l.texts, l.missed
		for n := range l.items {
			i := &l.items[n]
			j.judge(i, rest[:i.size], missed)
			missed = 0
			rest = rest[i.size:]
		}
		j.waiting.Add(-l.size())
		j.spend(l)
	}
}

func (j *judge) judge(i *item, text []byte, missed int) {
	seen := Seen{Number: i.number, Entry: i.entry(), Text: text, Missed: missed}
	dir, isLine := directions[i.dir]
	if isLine && j.lines != nil && i.truncated == 0 {
		seen.Verdict = j.lines.Line(dir, j.framer.Frame(text), i.number)
		j.found(i.number, seen.Verdict.Findings)
	}
	if j.watch != nil {
		j.watch(seen)
	}
	if isLine {
		j.pending.Add(-1)
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
	close(j.loads)
	timer := time.NewTimer(most)
	defer timer.Stop()
	unjudged = j.unjudged.Load()
	select {
	case <-j.done:
	case <-timer.C:
		unjudged += j.pending.Load()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return findings{slices.Clone(j.report.list), j.report.count}, unjudged
}
