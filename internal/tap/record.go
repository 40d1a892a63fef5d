package tap

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/recording"
)

// A Scrubber replaces what is private.
type Scrubber interface {
	Line(line []byte) []byte     // a line of the protocol
	Text(text []byte) []byte     // any other text
	Args(args []string) []string // arguments of the CLI
}

// A Recorder writes what passes a tap.
type Recorder struct {
	Out     io.Writer          // a write that takes long does not hold up the session
	Scrub   Scrubber           // nil: all is recorded as it is
	Checker *linecheck.Checker // nil: lines are not judged
	Watch   func(Seen)         // gets the entries, one after the other, unless there are too many; nil: nobody does

	session *session
	sink    sink
	judge   *judge
	cutters map[recording.Dir]*cutter
	held    *load         // the entries in the sink's buffer
	behind  bool          // there is so much to record that nothing is given to the judge
	at      time.Duration // the time of the last line, and as text
	stamp   []byte
	told    int64  // bytes that entries say are missing
	report  Report // of the goroutine that records
	final   Report // of the one that runs the tap
}

// A Report is what there is to say at the end of a recording.
type Report struct {
	Lines    int     // of the protocol, of both ends
	Findings int     // of the judge
	Found    []Found // the first of them
	Unjudged int64   // lines that the judge had no time for
	Lost     int64   // bytes of the session that are not in the recording
	Err      error   // why it could not be written
	Late     bool    // the recorder was not done in time: the recording has no end
}

// Report returns what there is to say when [Tap.Run] has returned.
func (r *Recorder) Report() Report { return r.final }

// judging is how long the judge may take after the CLI has ended.
const judging = 4 * time.Second

// begin makes the recorder ready and puts the header into its buffer.
func (r *Recorder) begin(s *session, args []string, limits Limits) {
	r.session = s
	r.sink = sink{out: r.Out}
	r.judge = newJudge(r.Checker, r.Watch, limits.Line)
	r.cutters = map[recording.Dir]*cutter{
		recording.ToCLI: {limit: limits.Line}, recording.ToSDK: {limit: limits.Line}, recording.Stderr: {limit: min(limits.Line, 64<<10)},
	}
	h := recording.Entry{Dir: recording.Header, Args: args, Started: s.begin.UTC().Format(time.RFC3339Nano)}
	if r.Scrub != nil {
		h.Args, h.Started = r.Scrub.Args(args), ""
	}
	r.entry(h, 0)
}

// abandon ends a recorder whose session does not begin.
func (r *Recorder) abandon() { r.judge.finish(0) }

// run records until the queue is closed.
func (r *Recorder) run() {
	at := time.Duration(0)
	r.flush(at)
	for {
		b := r.session.queue.take()
		if b == nil {
			break
		}
		r.behind = r.session.queue.behind()
		rest := b.bytes
		for i := range b.events {
			e := &b.events[i]
			at = e.at
			r.event(e, rest[:e.size])
			rest = rest[e.size:]
		}
		r.flush(at)
		r.session.queue.give(b)
	}
	r.behind = false
	for dir := range r.cutters {
		r.endOf(dir, at)
	}
	r.end(r.session.since())
}

func (r *Recorder) event(e *event, p []byte) {
	switch e.dir {
	case recording.EOF:
		r.endOf(recording.ToCLI, e.at)
		r.entry(recording.Entry{Dir: e.dir, Time: milliseconds(e.at)}, 0)
	case recording.Signal:
		r.entry(recording.Entry{Dir: e.dir, Time: milliseconds(e.at), Line: e.signal}, 0)
	case recording.Lost:
		c := r.cutters[e.of]
		c.broken(e.lost, func(p piece) { r.line(e.of, e.at, &p) })
		missing := c.gap + e.lost
		if c.gap = 0; e.inside {
			c.gap = missing
			return
		}
		r.missing(e.of, e.at, missing)
	default:
		p, missing := r.cutters[e.dir].skip(p)
		if missing > 0 {
			r.missing(e.dir, e.at, missing)
		}
		r.cutters[e.dir].write(p, func(p piece) { r.line(e.dir, e.at, &p) })
	}
}

// missing records that bytes of a stream are not there.
func (r *Recorder) missing(of recording.Dir, at time.Duration, bytes int64) {
	r.told += bytes
	r.entry(recording.Entry{Dir: recording.Lost, Time: milliseconds(at), Of: of, Lost: bytes}, 0)
}

// endOf records what is left of a stream.
func (r *Recorder) endOf(dir recording.Dir, at time.Duration) {
	c := r.cutters[dir]
	if c.gap > 0 {
		r.missing(dir, at, c.gap)
		c.gap = 0
	}
	c.end(func(p piece) { r.line(dir, at, &p) })
}

// line records a line.
func (r *Recorder) line(dir recording.Dir, at time.Duration, p *piece) {
	size := len(p.text)
	if p.length > 0 {
		size = int(p.length)
	}
	if dir != recording.Stderr {
		r.report.Lines++
	}
	switch {
	case r.Scrub == nil:
	case dir == recording.Stderr || p.length > 0:
		p.text = r.Scrub.Text(p.text)
	default:
		p.text = r.Scrub.Line(p.text)
	}
	if at != r.at || r.stamp == nil {
		r.at, r.stamp = at, appendMilliseconds(r.stamp[:0], at)
	}
	r.sink.buf = appendLine(r.sink.buf, dir, r.stamp, p)
	r.sink.add(size)
	r.hold(item{number: r.sink.number, dir: dir, at: at, unterminated: p.unterminated, truncated: int(p.length)}, p.text)
	const enough = 256 << 10
	if len(r.sink.buf) > enough {
		r.flush(at)
	}
}

// entry records an entry that is not a line.
func (r *Recorder) entry(e recording.Entry, size int) {
	r.sink.buf = append(r.sink.buf, encode(&e)...)
	r.sink.add(size)
	r.hold(item{number: r.sink.number, dir: e.Dir, other: &e}, nil)
}

// hold keeps an entry for the judge until it has been written. What is held is as much as the
// sink's buffer has.
func (r *Recorder) hold(i item, text []byte) {
	if r.Checker == nil && r.Watch == nil {
		return
	}
	if r.behind {
		r.judge.pass(&i)
		return
	}
	if r.held == nil {
		r.held = r.judge.load()
	}
	r.held.add(i, text)
}

// flush writes what there is, and gives it to the judge.
func (r *Recorder) flush(at time.Duration) {
	gap := r.sink.gap > 0
	ok := r.sink.flush(at)
	if r.held == nil {
		return
	}
	for n := range r.held.items {
		switch i := &r.held.items[n]; {
		case !ok:
			i.number = 0
		case gap:
			i.number++ // after the entry about the gap
		}
	}
	r.judge.offer(r.held)
	r.held = nil
}

// end writes what comes after the last line.
func (r *Recorder) end(at time.Duration) {
	exit := r.session.ended()
	e := recording.Entry{Dir: recording.Exit, Time: milliseconds(at)}
	if exit.Signal != nil {
		e.Signal = signalName(exit.Signal)
	} else {
		e.Code = &exit.Code
	}
	r.flush(at)
	r.hold(item{number: r.sink.number + 1, dir: e.Dir, other: &e}, nil)
	r.flush(at)
	found, unjudged := r.judge.finish(judging)
	r.report.Findings, r.report.Found, r.report.Unjudged = found.count, found.list, unjudged
	r.sink.last()
	r.flush(at)
	for _, f := range found.list {
		r.append(findingEntry{recording.Finding, f.Entry, f.Severity, f.Kind.String(), f.Path, f.Detail})
	}
	r.report.Lost = r.sink.lost + r.told
	r.append(summaryEntry{recording.Summary, r.report.Lines, found.count, unjudged, r.report.Lost})
	r.append(&e)
	r.sink.flush(at)
	r.report.Err = r.sink.err
}

// append puts a value into the sink's buffer as an entry.
func (r *Recorder) append(v any) {
	r.sink.buf = append(r.sink.buf, encode(v)...)
	r.sink.add(0)
}

// A findingEntry is a finding in a recording.
type findingEntry struct {
	Dir      recording.Dir      `json:"dir"`
	Entry    int                `json:"entry"`
	Severity linecheck.Severity `json:"severity"`
	Kind     string             `json:"kind"`
	Path     string             `json:"path"`
	Detail   string             `json:"detail"`
}

// A summaryEntry is the summary of a recording.
type summaryEntry struct {
	Dir      recording.Dir `json:"dir"`
	Lines    int           `json:"lines"`
	Findings int           `json:"findings"`
	Unjudged int64         `json:"unjudged,omitempty"`
	Lost     int64         `json:"lost,omitempty"`
}

// encode returns a value as a line of JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // there is nothing in it that cannot be encoded
	return b.Bytes()
}

// await waits for the recorder.
func (r *Recorder) await(recorded <-chan struct{}, most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-recorded:
		r.final = r.report
	case <-timer.C:
		r.final = Report{Late: true, Lost: r.session.queue.lost()}
	}
}
