package framing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

// Options configure [Run]. The zero value gives the defaults.
type Options struct {
	Seed     uint64        // of the random streams
	Time     time.Duration // how long to look; default 30 s. The hand-made streams run in any case.
	Deadline time.Duration // how long the parser may take for one stream; default 10 s, more for large streams
	Findings int           // how many to report before it stops; default 5

	// Growth is by how many bytes the parser's memory may grow over what it needs for a frame of
	// [MaxLine] bytes, while it reads a stream of 256 MiB; default 160 MiB. A negative number
	// leaves this out.
	Growth int64

	// Progress, if not nil, is called behind every run of the parser.
	Progress func()
}

func (o Options) withDefaults() Options {
	if o.Time <= 0 {
		o.Time = 30 * time.Second
	}
	if o.Deadline <= 0 {
		o.Deadline = 10 * time.Second
	}
	if o.Findings <= 0 {
		o.Findings = 5
	}
	if o.Growth == 0 {
		o.Growth = 160 << 20
	}
	if o.Progress == nil {
		o.Progress = func() {}
	}
	return o
}

// ErrContract says that the command does not keep the contract for the plainest stream, so that
// there is nothing to fuzz.
var ErrContract = errors.New("the command does not keep the contract")

// The limits of making one finding small.
const (
	shrinkRuns = 3000
	shrinkTime = 15 * time.Second
)

// perKind is how many findings of one kind are made small and compared.
const perKind = 3

// Run looks for streams that the parser argv gets wrong. The error says that nothing could be
// judged: the parser does not start or does not keep the contract. When ctx ends, Run returns its
// error, and the report of what was done so far.
func Run(ctx context.Context, argv []string, o Options) (*Report, error) {
	f := &fuzzer{options: o.withDefaults()}
	f.command = command{argv: argv, deadline: f.options.Deadline}
	f.report = Report{Command: argv, Seed: o.Seed}
	start := time.Now()
	err := f.run(ctx, start.Add(f.options.Time))
	f.report.Seconds = time.Since(start).Seconds()
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return &f.report, err
}

type fuzzer struct {
	options Options
	command command
	crlf    bool // the parser ends its lines with CR LF
	report  Report
	tried   map[Kind]int // how many findings of the kind were made small
}

func (f *fuzzer) run(ctx context.Context, until time.Time) error {
	f.tried = map[Kind]int{}
	if err := f.calibrate(ctx); err != nil {
		return err
	}
	for _, s := range Nasties() {
		if err := f.check(ctx, s); err != nil || f.enough() {
			return err
		}
	}
	if f.options.Growth > 0 {
		if err := f.checkGrowth(ctx); err != nil || f.enough() {
			return err
		}
	}
	g := newGenerator(f.options.Seed)
	for time.Now().Before(until) {
		if err := f.check(ctx, g.stream()); err != nil || f.enough() {
			return err
		}
	}
	return nil
}

func (f *fuzzer) enough() bool { return len(f.report.Findings) >= f.options.Findings }

// calibrate runs the plainest stream, to see that the contract is kept and how the parser ends its
// lines.
func (f *fuzzer) calibrate(ctx context.Context) error {
	s := Stream{Name: "calibration", Data: []byte("{\"n\":1}\n{\"n\":2,\"text\":\"a\"}\n")}
	o, err := f.command.runStream(ctx, s)
	if err != nil {
		return err
	}
	f.count()
	f.crlf = bytes.Contains(o.output, []byte("\r\n"))
	if p := f.judge(s, o); p != nil {
		return fmt.Errorf("%w: %s: %s: given %s it wrote %s%s", ErrContract, p.Kind, p.Detail, Quote(s.Data), Quote(o.output), stderrNote(o.stderr))
	}
	return nil
}

func stderrNote(stderr []byte) string {
	if len(stderr) == 0 {
		return ""
	}
	return ", and on stderr " + Quote(stderr)
}

func (f *fuzzer) judge(s Stream, o *outcome) *Problem {
	if p := o.problem(); p != nil {
		return p
	}
	return judge(Expect(s.Data), o.output, f.crlf)
}

func (f *fuzzer) count() {
	f.report.Runs++
	f.options.Progress()
}

// check gives the parser a stream and makes a finding of what goes wrong.
func (f *fuzzer) check(ctx context.Context, s Stream) error {
	o, err := f.command.runStream(ctx, s)
	if err != nil {
		return err
	}
	f.count()
	p := f.judge(s, o)
	if p == nil {
		return nil
	}
	f.report.Failures++
	if f.tried[p.Kind] >= perKind {
		return nil
	}
	f.tried[p.Kind]++
	return f.shrink(ctx, s, p, o)
}

// shrink makes a stream small and adds it to the report, unless it is there.
func (f *fuzzer) shrink(ctx context.Context, s Stream, p *Problem, o *outcome) error {
	best := Finding{Problem: *p, Stream: s, outcome: o}
	var failed error
	shrinker := shrinker{until: time.Now().Add(shrinkTime), runs: shrinkRuns}
	shrinker.fails = func(candidate Stream) bool {
		o, err := f.command.runStream(ctx, candidate)
		if err != nil {
			failed, shrinker.runs = err, 0
			return false
		}
		f.count()
		p := f.judge(candidate, o)
		if p == nil || p.Kind != best.Kind {
			return false
		}
		best = Finding{Problem: *p, Stream: candidate, outcome: o}
		return true
	}
	shrinker.shrink(s)
	if failed != nil {
		return failed
	}
	f.report.add(best)
	return nil
}
