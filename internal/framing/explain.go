package framing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
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
	end := f.began.Add(f.options.Time * 3 / 4) // the rest is for what comes after
	for i, failed := range failures {
		if f.enough() {
			f.leftOut(fmt.Sprintf("%d more sorts of failure, after finding %d", len(failures)-i, f.options.Findings))
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

// An explainer finds the causes of failures: it gives a parser other streams, and makes findings.
// Its methods that return an index return that of the cause among the findings of the report, -1 if
// there is none.
type explainer struct {
	subject subject
	report  *Report // with the causes that are known
	size    int     // from how many bytes on a stream may fail for its length alone
	edges   bool    // try whether a line fails that ends at the edge of a buffer; it takes many runs
}

// A subject is a parser that can be given any stream.
type subject interface {
	// try gives the parser a stream. The failure is nil if all is well.
	try(ctx context.Context, s Stream) (*failure, error)

	// again feeds the stream of a failure to the parser once more, as a user would, and reports
	// whether it fails again. The script is what a shell needs for it, if it needs any.
	again(ctx context.Context, failed *failure) (script string, ok bool, err error)
}

// settle explains a failure until the time is over. Without a finding it is confirmed all the same.
func (f *fuzzer) settle(ctx, timed context.Context, failed *failure, until time.Time) error {
	failed, err := f.fresh(timed, failed)
	if failed == nil || err != nil {
		return err
	}
	_, err = f.explainer.explain(timed, failed, until)
	if !errors.Is(err, errTimeOver) {
		return err
	}
	if len(f.report.Findings) > 0 {
		f.leftOut(fmt.Sprintf("why %s, with the stream %q", failed.Kind, failed.stream.Name))
		return err
	}
	if _, err := f.explainer.confirm(ctx, failed, failed); err != nil {
		return err
	}
	return errTimeOver
}

// fresh returns the failure, unless it is of a persistent parser that gets the stream right in a
// process of its own.
func (f *fuzzer) fresh(ctx context.Context, failed *failure) (*failure, error) {
	if !f.options.Persistent {
		return failed, nil
	}
	f.server.stop(0)
	again, err := f.try(ctx, failed.stream)
	if err != nil {
		return nil, err
	}
	if again == nil {
		f.report.Carried += failed.count
		return nil, nil
	}
	again.count = failed.count
	return again, nil
}

// explain counts a failure for the finding that explains it, or makes one of it.
func (e *explainer) explain(ctx context.Context, failed *failure, until time.Time) (int, error) {
	for i := range e.report.Findings {
		known := &e.report.Findings[i]
		if known.edge > 0 || known.limit == 0 && !known.symptom.like(failed.symptom) {
			continue
		}
		rest, less := failed.stream.without(known)
		if !less {
			if known.everywhere() {
				known.Streams += failed.count
				return i, nil
			}
			continue
		}
		still, err := e.subject.try(ctx, rest)
		if err != nil {
			return -1, err
		}
		if still == nil {
			known.Streams += failed.count
			return i, nil
		}
		still.count = failed.count
		failed = still // something else is wrong too
	}
	return e.reduce(ctx, failed, until)
}

// reduce makes the stream of a failure small and the failure a finding.
func (e *explainer) reduce(ctx context.Context, failed *failure, until time.Time) (int, error) {
	failed, known, err := e.explainSize(ctx, failed)
	if known >= 0 || err != nil {
		return known, err
	}
	simpler, limit, err := e.simplify(ctx, failed, until)
	if err != nil {
		return -1, err
	}
	if limit > 0 {
		simpler.count = failed.count
		return e.confirmLimit(ctx, simpler, limit)
	}
	if edge, at, err := e.findEdge(ctx, failed, edges); at > 0 || err != nil {
		return e.confirmEdge(ctx, edge, at, failed, err)
	}
	best := simpler
	var stopped error
	shrinker := shrinker{until: until, runs: shrinkRuns}
	shrinker.fails = func(candidate Stream) bool {
		smaller, err := e.subject.try(ctx, candidate)
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
		return -1, stopped
	}
	if ends := best.stream.lines()[1:]; stopped == nil && len(best.stream.Data) >= long && len(ends) <= mostEnds {
		if edge, at, err := e.findEdge(ctx, best, ends); at > 0 || err != nil {
			return e.confirmEdge(ctx, edge, at, failed, err)
		}
	}
	best.count = failed.count
	return e.confirm(ctx, best, failed)
}

// pipeSize is what a pipe holds. A longer stream arrives in pieces, whatever the cuts are.
const pipeSize = 64 << 10

// explainSize looks whether short frames show the same failure if they are as many bytes. If so,
// they replace the stream, or the failure counts for a finding about streams in pieces.
func (e *explainer) explainSize(ctx context.Context, failed *failure) (_ *failure, known int, err error) {
	size := len(failed.stream.Data)
	if size < e.size {
		return failed, -1, nil
	}
	short := sized(0, 100, "x") + "\n"
	plain, err := e.subject.try(ctx, Stream{Name: "short frames", Data: []byte(manyFrames(size/len(short)+1, short))})
	if err != nil {
		return nil, -1, err
	}
	if plain == nil || !plain.symptom.like(failed.symptom) {
		return failed, -1, nil
	}
	for i := range e.report.Findings {
		known := &e.report.Findings[i]
		if slices.Contains(known.traits, inPieces) && known.symptom.like(failed.symptom) {
			known.Streams += failed.count
			return nil, i, nil
		}
	}
	plain.count = failed.count
	return plain, -1, nil
}

// simplify looks for a plainer stream with the same symptom, so that a cause is called by its name:
// a frame instead of any other long line, which finds the limit of a line's length, and plain noise
// instead of special noise.
func (e *explainer) simplify(ctx context.Context, failed *failure, until time.Time) (simpler *failure, limit int, err error) {
	if n := failed.stream.longest(); n >= long && n <= MaxLine {
		simpler, err := e.subject.try(ctx, lineOf(n))
		if err != nil {
			return nil, 0, err
		}
		if simpler != nil {
			return e.findLimit(ctx, simpler, n, until)
		}
	}
	if t := failed.traits; !slices.Contains(t, noise) && !slices.Contains(t, odd) {
		return failed, 0, nil
	}
	simpler, err = e.subject.try(ctx, Stream{Name: "text", Data: []byte(between("noise"))})
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
func (e *explainer) findLimit(ctx context.Context, failed *failure, n int, until time.Time) (*failure, int, error) {
	fine := 32 // bytes: a plain frame, as in the calibration
	for n-fine > 1 && time.Now().Before(until) {
		middle := (fine + n) / 2
		smaller, err := e.subject.try(ctx, lineOf(middle))
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
func (e *explainer) confirmLimit(ctx context.Context, failed *failure, limit int) (int, error) {
	how := failed.Problem
	failed.Problem = Problem{LineLimit, fmt.Sprintf("lines of %d bytes and more: %s: %s", limit, how.Kind, how.Detail)}
	found := Finding{limit: limit}
	return e.confirmAs(ctx, found, failed, failed)
}

// confirm makes a finding of a failure. The stream is fed to the parser again, as a user would who
// has it in a file; if that does not show the failure, the larger stream is tried.
func (e *explainer) confirm(ctx context.Context, failed, larger *failure) (int, error) {
	return e.confirmAs(ctx, Finding{}, failed, larger)
}

func (e *explainer) confirmAs(ctx context.Context, found Finding, failed, larger *failure) (int, error) {
	tries := []*failure{failed, larger}
	if failed == larger {
		tries = tries[:1]
	}
	for _, t := range tries {
		script, ok, err := e.subject.again(ctx, t)
		if err != nil {
			return -1, err
		}
		if ok {
			return e.add(ctx, found, t, script)
		}
	}
	found.Unsteady = true
	return e.add(ctx, found, larger, "")
}

// add completes a finding and puts it into the report, or counts it for the one with the same
// cause.
func (e *explainer) add(ctx context.Context, found Finding, failed *failure, script string) (int, error) {
	found.Problem, found.Stream, found.Script, found.Streams = failed.Problem, failed.stream, script, failed.count
	found.symptom, found.outcome = failed.symptom, failed.outcome
	found.traits = failed.traits
	if slices.Contains(found.traits, noLastLF) {
		ended := found.Stream
		ended.Data = append(slices.Clone(ended.Data), '\n')
		same, err := e.subject.try(ctx, ended)
		if err != nil && !errors.Is(err, errTimeOver) {
			return -1, err
		}
		if same != nil && same.symptom.like(found.symptom) {
			found.traits = ended.traits()
		}
	}
	return e.report.add(found), nil
}
