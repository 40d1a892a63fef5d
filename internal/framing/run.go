package framing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// Options configure [Run]. The zero value gives the defaults.
type Options struct {
	Seed     uint64        // of the random streams
	Time     time.Duration // how long to look; default 30 s. A parser that runs at the end is killed.
	Findings int           // how many end the run; 0 for no limit

	// Deadline is how long the parser may take after the last piece of a stream, more for a large
	// one; default 10 s, or a third of Time if that is less. Once it hung, it gets a second, or 20
	// times as long as a plain stream takes.
	Deadline time.Duration

	// Growth is by how many bytes the parser's memory may grow over what it needs for a frame of
	// [MaxLine] bytes, while it reads a stream of 256 MiB; default 160 MiB. A negative number
	// leaves this out.
	Growth int64

	// Persistent says that the parser gets many streams in one process, as the command's help
	// describes. What it gets wrong is fed to a fresh process, too.
	Persistent bool

	// HandMade says that the run ends after the hand-made streams.
	HandMade bool

	// Frames, if not nil, says which frames the streams have.
	Frames *Vocabulary

	// Estimate, if not nil, is called once, before the first of the hand-made streams.
	Estimate func(Estimate)

	// Progress, if not nil, is called after every run of the parser.
	Progress func(Progress)
}

func (o Options) withDefaults() Options {
	if o.Time <= 0 {
		o.Time = 30 * time.Second
	}
	if o.Deadline <= 0 {
		o.Deadline = 10 * time.Second
	}
	if o.Growth == 0 {
		o.Growth = 160 << 20
	}
	if o.Estimate == nil {
		o.Estimate = func(Estimate) {}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return o
}

// ErrContract says that the command does not keep the contract for the plainest stream, so that
// there is nothing to fuzz.
var ErrContract = errors.New("the command does not keep the contract")

// errTimeOver ends a run of the parser at the end of [Options.Time].
var errTimeOver = errors.New("the time is over")

// Run looks for streams that the parser argv gets wrong. The error says that nothing could be
// judged: the parser does not start or does not keep the contract. When ctx ends, Run returns its
// error, and the report of what was done so far.
func Run(ctx context.Context, argv []string, o Options) (*Report, error) {
	f := newFuzzer(argv, o)
	timed, cancel := context.WithDeadlineCause(ctx, f.until, errTimeOver)
	defer cancel()
	defer f.server.stop(0)
	err := f.run(ctx, timed)
	f.report.Seconds = time.Since(f.began).Seconds()
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return &f.report, err
}

type fuzzer struct {
	options Options
	command command
	server  server // of a persistent parser
	began   time.Time
	until   time.Time
	crlf    bool // the parser ends its lines with CR LF
	stage   Stage
	done    int           // hand-made streams that ran
	streams int           // hand-made streams
	perMiB  time.Duration // what a MiB of a stream takes

	estimated time.Duration // what the hand-made streams take
	report    Report

	explainer explainer // makes the findings of the report
}

func newFuzzer(argv []string, o Options) *fuzzer {
	f := &fuzzer{options: o.withDefaults(), began: time.Now()}
	f.command = command{argv: argv, deadline: f.options.Deadline, persistent: o.Persistent}
	f.server.command = &f.command
	f.until = f.began.Add(f.options.Time)
	f.report = Report{Command: argv, Seed: o.Seed, persistent: o.Persistent}
	f.explainer = explainer{subject: f, report: &f.report}
	return f
}

// run does everything within timed, except that the first finding is confirmed also after it.
func (f *fuzzer) run(ctx, timed context.Context) error {
	if err := f.calibrate(timed); errors.Is(err, errTimeOver) {
		return fmt.Errorf("%w: no end of the plainest stream within %v", ErrContract, f.options.Time)
	} else if err != nil {
		return err
	}
	streams := spread(Nasties())
	f.streams = len(streams)
	err := f.measure(timed)
	if err == nil || errors.Is(err, errTimeOver) {
		estimate := f.estimate(streams)
		f.estimated = estimate.Time
		f.options.Estimate(estimate)
	}
	if err == nil {
		err = f.stages(ctx, timed, streams)
	}
	if errors.Is(err, errTimeOver) {
		err = nil
	}
	if left := f.streams - f.done; left > 0 && !f.enough() {
		f.report.Missed, f.report.Enough = left, f.enoughTime()
	}
	if f.options.Growth > 0 && f.stage != Random && !f.enough() && !f.options.HandMade {
		f.leftOut("streams of 256 MiB, which show whether memory is bounded")
	}
	return err
}

// stages sweeps through the hand-made streams, explains what failed, and goes on with what takes
// long or has no end.
func (f *fuzzer) stages(ctx, timed context.Context, streams []Stream) error {
	failures, err := f.sweep(timed, streams)
	if err != nil && !errors.Is(err, errTimeOver) {
		return err
	}
	if err := f.explainAll(ctx, timed, failures); err != nil || f.enough() {
		return err
	}
	for f.stage = HandMade; f.done < len(streams); {
		s := streams[f.done]
		f.done++
		if err := f.check(ctx, timed, s); err != nil || f.enough() {
			return err
		}
	}
	if f.options.HandMade {
		return nil
	}
	if f.options.Growth > 0 {
		f.stage = Memory
		if err := f.checkGrowth(timed); err != nil || f.enough() {
			return err
		}
	}
	f.stage = Random
	for g := newGenerator(f.options.Seed); ; {
		if err := f.check(ctx, timed, g.stream()); err != nil || f.enough() {
			return err
		}
	}
}

func (f *fuzzer) enough() bool {
	return f.options.Findings > 0 && len(f.report.Findings) >= f.options.Findings
}

func (f *fuzzer) leftOut(what string) { f.report.LeftOut = append(f.report.LeftOut, what) }

// spread puts streams in an order in which neighbours are far apart, since those test the same
// thing, so that the first few streams test much.
func spread(streams []Stream) []Stream {
	n := len(streams)
	step := max(1, n*618/1000)
	for gcd(step, n) > 1 {
		step++
	}
	var all []Stream
	for i := range n {
		all = append(all, streams[i*step%n])
	}
	return all
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// calibrations is how often the plainest stream runs, to measure it.
const calibrations = 3

// calibrate runs the plainest stream, to see that the contract is kept, how the parser ends its
// lines and how long it takes to start.
func (f *fuzzer) calibrate(ctx context.Context) error {
	s := f.options.Frames.translate(Stream{Name: "calibration", Data: []byte("{\"n\":1}\n{\"n\":2,\"text\":\"a\"}\n")})
	var times []time.Duration
	for range calibrations {
		start := time.Now()
		o, err := f.play(ctx, s)
		if err != nil {
			return err
		}
		times = append(times, time.Since(start))
		f.count()
		f.crlf = bytes.Contains(o.output, []byte("\r\n"))
		if p := f.judge(s, o); p != nil {
			return fmt.Errorf("%w: %s: %s: given %s it wrote %s%s", ErrContract, p.Kind, p.Detail, Quote(s.Data), Quote(o.output), stderrNote(o.stderr))
		}
	}
	slices.Sort(times)
	f.command.start = times[calibrations/2]
	// A parser that hangs must be noticed while there is time.
	f.command.deadline = min(f.command.deadline, max(f.options.Time/3, 2*time.Second))
	return nil
}

func stderrNote(stderr []byte) string {
	if len(stderr) == 0 {
		return ""
	}
	return ", and on stderr " + Quote(stderr)
}

func (f *fuzzer) expect(s Stream) []Expected { return f.options.Frames.expect(Expect(s.Data)) }

func (f *fuzzer) judge(s Stream, o *outcome) *Problem {
	if p := o.problem(); p != nil {
		return p
	}
	return judge(f.expect(s), f.options.Frames.output(o.output), f.crlf)
}

// play gives the parser a stream.
func (f *fuzzer) play(ctx context.Context, s Stream) (*outcome, error) {
	if f.options.Persistent {
		return f.server.play(ctx, s)
	}
	return f.command.runStream(ctx, s)
}

// try gives the parser a stream. The failure is nil if all is well.
func (f *fuzzer) try(ctx context.Context, s Stream) (*failure, error) {
	s = f.options.Frames.translate(s)
	o, err := f.play(ctx, s)
	if err != nil {
		return nil, err
	}
	f.count()
	p := f.judge(s, o)
	if p == nil {
		return nil, nil
	}
	o.output = f.options.Frames.output(o.output)
	return newFailure(p, s, o, f.expect(s)), nil
}

// again feeds the stream of a failure to the parser as a file and, if that goes well, by a script
// with pauses. It returns the script if it takes one to show the failure.
func (f *fuzzer) again(ctx context.Context, failed *failure) (script string, ok bool, err error) {
	o, err := f.command.runFile(ctx, failed.stream)
	if err != nil {
		return "", false, err
	}
	f.count()
	if f.shows(o, failed) {
		return "", true, nil
	}
	if _, err := exec.LookPath("sh"); err != nil || f.options.Persistent {
		return "", false, nil
	}
	script = failed.stream.script(f.command.start)
	o, err = f.command.runScript(ctx, int64(len(failed.stream.Data)), script)
	if err != nil {
		return "", false, err
	}
	f.count()
	return script, f.shows(o, failed), nil
}

// shows reports whether a run with the stream of a failure fails in the same way.
func (f *fuzzer) shows(o *outcome, failed *failure) bool {
	p := f.judge(failed.stream, o)
	return p != nil && p.symptom(o).like(failed.symptom)
}

// check gives the parser a stream and explains what goes wrong.
func (f *fuzzer) check(ctx, timed context.Context, s Stream) error {
	failed, err := f.try(timed, s)
	if err != nil || failed == nil {
		return err
	}
	f.report.Failures++
	return f.settle(ctx, timed, failed, time.Now().Add(min(time.Until(f.until)/2, shrinkTime)))
}

// sweep gives the parser the hand-made streams and returns what failed. Once there is a failure,
// half of the time is kept for explaining.
func (f *fuzzer) sweep(ctx context.Context, streams []Stream) ([]*failure, error) {
	f.stage = HandMade
	half := f.began.Add(f.options.Time / 2)
	var all []*failure
	for _, s := range streams {
		if len(all) > 0 && time.Now().After(half) {
			break
		}
		failed, err := f.try(ctx, s)
		if err != nil {
			return all, err
		}
		f.done++
		if failed == nil {
			continue
		}
		f.report.Failures++
		all = append(all, failed)
		if failed.Kind == Hang {
			f.hurry()
		}
	}
	slices.SortStableFunc(all, (*failure).compare)
	return all, nil
}

// hurry shortens the deadline once a parser hung, since it may do so often.
func (f *fuzzer) hurry() {
	f.command.deadline = min(f.command.deadline, max(time.Second, 20*f.command.start))
}
