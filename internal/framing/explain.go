package framing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// The limits of making one stream small.
const (
	shrinkRuns = 3000
	shrinkTime = 15 * time.Second
)

// A failure is a stream that the parser gets wrong, before its cause is known.
type failure struct {
	Problem
	stream  Stream
	outcome *outcome
	symptom symptom
	traits  []string // of the stream
	count   int      // of streams like it
}

func newFailure(p *Problem, s Stream, o *outcome) *failure {
	return &failure{Problem: *p, stream: s, outcome: o, symptom: p.symptom(o), traits: s.traits(), count: 1}
}

// addFailure keeps the best stream of those with the same symptom and the same traits.
func addFailure(all []*failure, failed *failure) []*failure {
	for i, other := range all {
		if other.symptom != failed.symptom || !slices.Equal(other.traits, failed.traits) {
			continue
		}
		failed.count += other.count
		other.count = failed.count
		if failed.compare(other) < 0 {
			all[i] = failed
		}
		return all
	}
	return append(all, failed)
}

// compare says which of two failures shows a cause better: that with a stream of valid frames, then
// that with the shorter stream.
func (f *failure) compare(g *failure) int {
	return compareStreams(f.stream, f.traits, g.stream, g.traits)
}

func compareStreams(s Stream, traits []string, t Stream, others []string) int {
	if a, b := valid(traits), valid(others); a != b {
		if a {
			return -1
		}
		return 1
	}
	return cmp.Compare(weight(s), weight(t))
}

// valid reports whether a stream has frames only, and such that each good parser understands.
func valid(traits []string) bool {
	return !slices.ContainsFunc(traits, func(t string) bool { return t == noise || t == odd || t == blank })
}

// explainAll makes findings of failures, within three quarters of the time.
func (f *fuzzer) explainAll(ctx, timed context.Context, failures []*failure) error {
	f.stage = Reducing
	end := f.began.Add(f.options.Time * 3 / 4) // the rest is for what comes behind
	for i, failed := range failures {
		if f.enough() {
			f.leftOut(fmt.Sprintf("%d more sorts of failure, behind finding %d", len(failures)-i, f.options.Findings))
			return nil
		}
		parts := min(len(failures)-i, f.options.Findings-len(f.report.Findings), 4) // many are explained at once
		share := min(time.Until(end)/time.Duration(parts), shrinkTime)
		err := f.settle(ctx, timed, failed, time.Now().Add(share))
		if more := len(failures) - i - 1; errors.Is(err, errTimeOver) && more > 0 {
			f.leftOut(fmt.Sprintf("%d more sorts of failure", more))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// settle explains a failure until the time is over. Without a finding it is confirmed all the same.
func (f *fuzzer) settle(ctx, timed context.Context, failed *failure, until time.Time) error {
	err := f.explain(timed, failed, until)
	if !errors.Is(err, errTimeOver) {
		return err
	}
	if len(f.report.Findings) > 0 {
		f.leftOut(fmt.Sprintf("why %s, with the stream %q", failed.Kind, failed.stream.Name))
		return err
	}
	if err := f.confirm(ctx, failed, failed); err != nil {
		return err
	}
	return errTimeOver
}

// explain counts a failure for the finding that explains it, or makes one of it.
func (f *fuzzer) explain(ctx context.Context, failed *failure, until time.Time) error {
	for i := range f.report.Findings {
		known := &f.report.Findings[i]
		if known.limit == 0 && !known.symptom.like(failed.symptom) {
			continue
		}
		rest, less := failed.stream.without(known)
		if !less {
			if known.everywhere() {
				known.Streams += failed.count
				return nil
			}
			continue
		}
		still, err := f.try(ctx, rest)
		if err != nil {
			return err
		}
		if still == nil {
			known.Streams += failed.count
			return nil
		}
		still.count = failed.count
		failed = still // something else is wrong too
	}
	return f.reduce(ctx, failed, until)
}

// reduce makes the stream of a failure small and the failure a finding.
func (f *fuzzer) reduce(ctx context.Context, failed *failure, until time.Time) error {
	failed, done, err := f.explainSize(ctx, failed)
	if done || err != nil {
		return err
	}
	simpler, limit, err := f.simplify(ctx, failed, until)
	if err != nil {
		return err
	}
	if limit > 0 {
		simpler.count = failed.count
		return f.confirmLimit(ctx, simpler, limit)
	}
	best := simpler
	var stopped error
	shrinker := shrinker{until: until, runs: shrinkRuns}
	shrinker.fails = func(candidate Stream) bool {
		smaller, err := f.try(ctx, candidate)
		if err != nil {
			stopped, shrinker.runs = err, 0
			return false
		}
		if smaller == nil || !smaller.symptom.like(failed.symptom) {
			return false
		}
		best = smaller
		return true
	}
	shrinker.shrink(simpler.stream)
	if stopped != nil && !errors.Is(stopped, errTimeOver) {
		return stopped
	}
	best.count = failed.count
	return f.confirm(ctx, best, failed)
}

// pipeSize is what a pipe holds. A longer stream arrives in pieces, whatever the cuts are.
const pipeSize = 64 << 10

// explainSize looks whether short frames show the same failure if they are as many bytes. If so,
// they replace the stream, or the failure counts for a finding about streams in pieces.
func (f *fuzzer) explainSize(ctx context.Context, failed *failure) (_ *failure, done bool, err error) {
	size := len(failed.stream.Data)
	if size < pipeSize {
		return failed, false, nil
	}
	short := sized(0, 100, "x") + "\n"
	plain, err := f.try(ctx, Stream{Name: "short frames", Data: []byte(manyFrames(size/len(short)+1, short))})
	if err != nil {
		return nil, false, err
	}
	if plain == nil || !plain.symptom.like(failed.symptom) {
		return failed, false, nil
	}
	for i := range f.report.Findings {
		known := &f.report.Findings[i]
		if slices.Contains(known.traits, inPieces) && known.symptom.like(failed.symptom) {
			known.Streams += failed.count
			return nil, true, nil
		}
	}
	plain.count = failed.count
	return plain, false, nil
}

// simplify looks for a plainer stream with the same symptom, so that a cause is called by its name:
// a frame instead of any other long line, which finds the limit of a line's length, and plain noise
// instead of special noise.
func (f *fuzzer) simplify(ctx context.Context, failed *failure, until time.Time) (simpler *failure, limit int, err error) {
	if n := failed.stream.longest(); n >= long && n <= MaxLine {
		simpler, err := f.try(ctx, lineOf(n))
		if err != nil {
			return nil, 0, err
		}
		if simpler != nil {
			return f.findLimit(ctx, simpler, n, until)
		}
	}
	if t := failed.traits; !slices.Contains(t, noise) && !slices.Contains(t, odd) {
		return failed, 0, nil
	}
	simpler, err = f.try(ctx, Stream{Name: "text", Data: []byte(between("noise"))})
	if err != nil {
		return nil, 0, err
	}
	if simpler == nil || !simpler.symptom.like(failed.symptom) {
		return failed, 0, nil
	}
	return simpler, 0, nil
}

// lineOf is a stream with a plain frame of so many bytes in its middle.
func lineOf(n int) Stream {
	return Stream{Name: fmt.Sprintf("line of %d bytes", n), Data: []byte(between(sized(7, n, "x")))}
}

// longest is the length of the longest line.
func (s Stream) longest() int {
	most := 0
	for line := range bytes.Lines(s.Data) {
		most = max(most, len(bytes.TrimSuffix(line, []byte("\n"))))
	}
	return most
}

// findLimit looks for the shortest line that fails, given one of n bytes that does.
func (f *fuzzer) findLimit(ctx context.Context, failed *failure, n int, until time.Time) (*failure, int, error) {
	fine := 32 // bytes: a plain frame, as in the calibration
	for n-fine > 1 && time.Now().Before(until) {
		middle := (fine + n) / 2
		smaller, err := f.try(ctx, lineOf(middle))
		if err != nil {
			return nil, 0, err
		}
		if smaller == nil {
			fine = middle
		} else {
			failed, n = smaller, middle
		}
	}
	return failed, n, nil
}

// confirmLimit makes a finding of a line that is too long for the parser.
func (f *fuzzer) confirmLimit(ctx context.Context, failed *failure, limit int) error {
	how := failed.Problem
	failed.Problem = Problem{LineLimit, fmt.Sprintf("lines of %d bytes and more: %s: %s", limit, how.Kind, how.Detail)}
	found := Finding{limit: limit}
	return f.confirmAs(ctx, found, failed, failed)
}

// confirm makes a finding of a failure. The stream is fed to the parser again, as a user would who
// has it in a file; if that does not show the failure, the larger stream is tried.
func (f *fuzzer) confirm(ctx context.Context, failed, larger *failure) error {
	return f.confirmAs(ctx, Finding{}, failed, larger)
}

func (f *fuzzer) confirmAs(ctx context.Context, found Finding, failed, larger *failure) error {
	tries := []*failure{failed, larger}
	if failed == larger {
		tries = tries[:1]
	}
	for _, t := range tries {
		script, ok, err := f.again(ctx, t)
		if err != nil {
			return err
		}
		if ok {
			return f.add(ctx, found, t, script)
		}
	}
	found.Unsteady = true
	return f.add(ctx, found, larger, "")
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
	if _, err := exec.LookPath("sh"); err != nil {
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

// add completes a finding and puts it into the report, or counts it for the one with the same
// cause.
func (f *fuzzer) add(ctx context.Context, found Finding, failed *failure, script string) error {
	found.Problem, found.Stream, found.Script, found.Streams = failed.Problem, failed.stream, script, failed.count
	found.symptom, found.outcome = failed.symptom, failed.outcome
	found.traits = failed.traits
	if slices.Contains(found.traits, noLastLF) {
		ended := found.Stream
		ended.Data = append(slices.Clone(ended.Data), '\n')
		same, err := f.try(ctx, ended)
		if err != nil && !errors.Is(err, errTimeOver) {
			return err
		}
		if same != nil && same.symptom.like(found.symptom) {
			found.traits = ended.traits()
		}
	}
	f.report.add(found)
	return nil
}
