package framing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// The limits of making one stream small.
const (
	shrinkRuns = 3000
	shrinkTime = 15 * time.Second
	overTime   = time.Second // for feeding the first finding again when the time is over
)

// A failure is a stream that the parser gets wrong, before its cause is known.
type failure struct {
	Problem
	stream  Stream
	outcome *outcome
	symptom symptom
	traits  []string // of the stream
	harm    bool     // a frame that must come out did not, or with another value
}

func newFailure(p *Problem, s Stream, o *outcome, expected []Expected) *failure {
	f := &failure{Problem: *p, stream: s, outcome: o, symptom: p.symptom(o), traits: s.traits()}
	switch p.Kind {
	case Crash, Hang:
		f.harm = judge(expected, o.output, true) != nil
	case Lost, Merged, Split, Changed:
		f.harm = true
	}
	return f
}

// shows reports whether a failure with a smaller stream shows the same as one with a larger: it
// does the same harm, and needs no lines that are not frames if the larger does not.
func (f *failure) shows(larger *failure) bool {
	return f.Kind == larger.Kind && f.sameEffect(larger) && (f.harm || !larger.harm) && (valid(f.traits) || !valid(larger.traits))
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
			f.leftOut(fmt.Sprintf("why %s, after finding %d", namesOf(failures[i:]), f.options.Findings))
			return nil
		}
		parts := min(len(failures)-i, 4) // many are explained at once
		share := min(time.Until(end)/time.Duration(parts), shrinkTime)
		err := f.settle(ctx, timed, failed, time.Now().Add(share))
		if more := len(failures) - i - 1; errors.Is(err, errTimeOver) && more > 0 {
			f.leftOut("why " + namesOf(failures[i+1:]))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// namesOf says which streams failed.
func namesOf(failures []*failure) string {
	var names []string
	for _, f := range failures {
		names = append(names, f.stream.Name)
	}
	return fmt.Sprintf("%s failed: %s", count(len(names), "stream"), nameList(names))
}

// An explainer finds the causes of failures: it gives a parser other streams, and makes findings.
// Its methods that return an index return that of the cause among the findings of the report, -1 if
// there is none.
type explainer struct {
	subject subject
	report  *Report // with the causes that are known
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
	known, failed, err := f.explainer.known(timed, failed)
	if known >= 0 {
		return nil
	}
	if err == nil {
		failed, err = f.fresh(timed, failed)
	}
	if err == nil && failed != nil {
		_, err = f.explainer.reduce(timed, failed, until)
	}
	if failed == nil {
		return err
	}
	if !errors.Is(err, errTimeOver) {
		return err
	}
	if len(f.report.Findings) > 0 {
		f.leftOut(fmt.Sprintf("why %s, with the stream %q", failed.Kind, failed.stream.Name))
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, overTime)
	defer cancel()
	if _, err := f.explainer.confirm(ctx, failed, failed); errors.Is(err, context.DeadlineExceeded) {
		f.explainer.add(Finding{Unconfirmed: true}, failed, "")
	} else if err != nil {
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
		return failed, err
	}
	if again == nil {
		f.report.Carried++
	}
	return again, nil
}

// explain counts a failure for the finding that explains it, or makes one of it.
func (e *explainer) explain(ctx context.Context, failed *failure, until time.Time) (int, error) {
	known, failed, err := e.known(ctx, failed)
	if known >= 0 || err != nil {
		return known, err
	}
	return e.reduce(ctx, failed, until)
}

// known counts a failure for the finding that explains it. If there is none, it returns what none
// explains.
func (e *explainer) known(ctx context.Context, failed *failure) (int, *failure, error) {
	name := failed.stream.Name
	for i := range e.report.Findings {
		known := &e.report.Findings[i]
		if known.cause.id == string(failed.Kind) {
			known.also(name)
			return i, nil, nil
		}
		if !known.mayExplain(failed) {
			continue
		}
		rest, less := failed.stream.without(known)
		if !less {
			if known.everywhere() {
				known.also(name)
				return i, nil, nil
			}
			continue
		}
		still, err := e.subject.try(ctx, rest)
		if err != nil {
			return -1, failed, err
		}
		if still == nil {
			known.also(name)
			return i, nil, nil
		}
		failed = still // something else is wrong too
	}
	return -1, failed, nil
}

// reduce makes the stream of a failure small and the failure a finding.
func (e *explainer) reduce(ctx context.Context, failed *failure, until time.Time) (int, error) {
	failed, known, err := e.explainSize(ctx, failed)
	if known >= 0 || err != nil {
		return known, err
	}
	if known, err := e.explainCharacters(ctx, failed); known >= 0 || err != nil {
		return known, err
	}
	if limited, limit, err := e.limit(ctx, failed, until); limit > 0 || err != nil {
		return e.confirmLimit(ctx, limited, limit, failed.stream.Name, err)
	}
	class, simpler, err := e.classOf(ctx, failed)
	if err != nil {
		return -1, err
	}
	if simpler == nil {
		simpler = failed
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
		if smaller == nil || !smaller.shows(simpler) {
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
	if err := e.needsNoEnd(ctx, best); err != nil {
		return -1, err
	}
	if class == nil {
		if class, _, err = e.classOf(ctx, best); err != nil && !errors.Is(err, errTimeOver) {
			return -1, err
		}
	}
	cause, err := e.behaviour(ctx, best, class)
	if err != nil && !errors.Is(err, errTimeOver) {
		return -1, err
	}
	return e.confirmAs(ctx, Finding{cause: cause}, best, failed)
}

// explainSize looks whether short frames show the same failure if they are as many bytes. If so,
// they replace the stream, or the failure counts for a finding about streams in pieces.
func (e *explainer) explainSize(ctx context.Context, failed *failure) (_ *failure, known int, err error) {
	size := len(failed.stream.Data)
	if size < edges[0] { // no buffer is smaller
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
			known.also(failed.stream.Name)
			return nil, i, nil
		}
	}
	plain.stream.Name = failed.stream.Name
	return plain, -1, nil
}

// explainCharacters looks whether a stream that a buffer may cut fails only for its characters of
// several bytes. If so, and the parser is known to break those, the failure counts for that
// finding.
func (e *explainer) explainCharacters(ctx context.Context, failed *failure) (known int, err error) {
	broken := func(f Finding) bool { return f.cause.id == piecesCharacter }
	i := slices.IndexFunc(e.report.Findings, broken)
	if i < 0 || len(failed.stream.Data) < edges[0] || !hasForeign(failed.stream.Data) {
		return -1, nil
	}
	plain := failed.stream
	plain.Data = slices.Clone(plain.Data)
	for j, c := range plain.Data {
		if c >= utf8.RuneSelf { // as many bytes, so that all else is where it was
			plain.Data[j] = 'x'
		}
	}
	still, err := e.subject.try(ctx, plain)
	if err != nil || still != nil {
		return -1, err
	}
	e.report.Findings[i].also(failed.stream.Name)
	return i, nil
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
			return e.add(found, t, script), nil
		}
	}
	found.Unsteady = true
	return e.add(found, larger, ""), nil
}

// add completes a finding and puts it into the report, or counts it for the one with the same
// cause.
func (e *explainer) add(found Finding, failed *failure, script string) int {
	found.Problem, found.Stream, found.Script, found.Streams = failed.Problem, failed.stream, script, 1
	found.symptom, found.outcome = failed.symptom, failed.outcome
	found.traits = failed.traits
	if found.cause.id == "" {
		found.cause = behaviour{id: failed.symptom.effect(), rule: rule(failed.Kind, failed.traits)}
	}
	return e.report.add(found)
}

// needsNoEnd forgets that the last line has no LF if the failure is the same with one. How deep is
// too deep for a stack varies from run to run: then it must matter for a plain line, too.
func (e *explainer) needsNoEnd(ctx context.Context, failed *failure) error {
	if !slices.Contains(failed.traits, noLastLF) {
		return nil
	}
	ended := failed.stream
	ended.Data = append(slices.Clone(ended.Data), '\n')
	same, err := e.subject.try(ctx, ended)
	if err != nil && !errors.Is(err, errTimeOver) {
		return err
	}
	if err == nil && same == nil && slices.Contains(failed.traits, nesting) {
		plain, err := e.subject.try(ctx, Stream{Name: "probe", Data: bytes.TrimSuffix([]byte(between("{}")), []byte("\n"))})
		if err != nil || plain != nil {
			return err
		}
		failed.traits = ended.traits()
	}
	if same != nil && same.shows(failed) {
		failed.traits = ended.traits()
	}
	return nil
}
