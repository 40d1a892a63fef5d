package framing

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The limits of a [Check].
const (
	funcDeadline = 5 * time.Second        // for a stream, longer for large ones
	hungDeadline = 500 * time.Millisecond // once the parser hung
	explainTime  = 2 * time.Second        // for one failure
	explainAll   = time.Minute            // for all failures
	mostHangs    = 3                      // after which the parser gets no more streams
)

// A Check judges a parser that is a function, stream by stream.
type Check struct {
	parser    Func
	deadline  time.Duration
	patience  time.Duration // for explaining one failure
	streams   int           // that were judged
	failed    int           // of these
	hangs     int
	report    Report        // the causes
	first     []string      // for each cause the name of the stream that showed it first
	explained time.Duration // what explaining took until now
	explainer explainer
}

// NewCheck returns a Check of the parser.
func NewCheck(p Func) *Check {
	c := &Check{parser: p, deadline: funcDeadline, patience: explainTime}
	c.explainer = explainer{subject: c, report: &c.report, edges: true}
	return c
}

// Stream gives the parser a stream: as it is cut, and also in other reads, if it is not long. It
// returns what is wrong, with the cause, as a text of several lines for people, and "" if all is
// well.
func (c *Check) Stream(s Stream) string {
	c.streams++
	for _, s := range deliveries(s) {
		if failed := c.judge(s); failed != nil {
			c.failed++
			return c.explain(failed)
		}
	}
	return ""
}

// Once gives the parser a stream as it is cut. It returns what is wrong, with a smaller stream that
// is wrong in the same way if there is one, and "" if all is well.
func (c *Check) Once(s Stream) string {
	failed := c.judge(s)
	if failed == nil {
		return ""
	}
	like := func(f Finding) bool { return f.limit > 0 || f.symptom.like(failed.symptom) }
	cause := slices.IndexFunc(c.report.Findings, like)
	if cause < 0 {
		cause = c.cause(failed)
	}
	if cause < 0 {
		return failed.text(rule(failed.Kind, failed.traits))
	}
	f := &c.report.Findings[cause]
	return fmt.Sprintf("%s\nsmaller:\n%s", failed.text(f.rule()), f.text())
}

// GaveUp reports whether the parser hung so often that there is no point in going on.
func (c *Check) GaveUp() bool { return c.hangs >= mostHangs }

// Summary lists the causes of all that went wrong, and is empty if nothing did.
func (c *Check) Summary() string {
	if c.failed == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %s went wrong", c.failed, count(c.streams, "stream"))
	if c.hangs > 0 {
		fmt.Fprintf(&b, "\nthe parser hung with %s", count(c.hangs, "stream"))
	}
	for i := range c.report.Findings {
		f := &c.report.Findings[i]
		fmt.Fprintf(&b, "\ncause %d, of %s, first seen with %q:\n%s", i+1, count(f.Streams, "stream"), c.first[i], f.text())
	}
	return b.String()
}

// judge gives the parser a stream, and once more if it hung, since the machine may have been busy.
func (c *Check) judge(s Stream) *failure {
	failed, _ := c.try(context.Background(), s)
	if failed == nil || failed.Kind != Hang {
		return failed
	}
	if failed, _ = c.try(context.Background(), s); failed != nil && failed.Kind == Hang {
		c.hangs++
		c.deadline = hungDeadline
	}
	return failed
}

// try gives the parser a stream once. The error is nil.
func (c *Check) try(_ context.Context, s Stream) (*failure, error) {
	c.report.Runs++
	o := c.parser.run(s, c.deadline+time.Duration(len(s.Data)>>20)*time.Second)
	p, expected := o.problem(), Expect(s.Data)
	if p == nil {
		p = judgeObjects(expected, withoutEnds(o.objects, s.Data), false)
	}
	if p == nil {
		return nil, nil
	}
	o.output = bytes.Join(o.objects, []byte("\n"))
	return newFailure(p, s, o, expected), nil
}

// withoutEnds returns the objects without what is left of the line's end, other than the carriage
// return that stands before the LF.
func withoutEnds(objects [][]byte, data []byte) [][]byte {
	all := make([][]byte, len(objects))
	for i, o := range objects {
		o = bytes.TrimSuffix(o, []byte("\n"))
		if bytes.HasSuffix(o, []byte("\r")) && bytes.Contains(data, append(bytes.Clone(o), '\r')) {
			o = bytes.TrimRight(o, "\r") // one that is white space of the line
		}
		all[i] = o
	}
	return all
}

// again says that the failure happens again: a function does the same each time.
func (c *Check) again(context.Context, *failure) (script string, ok bool, err error) {
	return "", true, nil
}

// explain returns the text of a failure, with its cause.
func (c *Check) explain(failed *failure) string {
	cause := c.cause(failed)
	if cause < 0 {
		return failed.text(rule(failed.Kind, failed.traits)) + "\ncause: not looked for"
	}
	f := &c.report.Findings[cause]
	return fmt.Sprintf("%s\ncause %d, first seen with %q: %s", failed.text(f.rule()), cause+1, c.first[cause], f.Problem)
}

// cause returns the index of the cause of a failure, or -1 if it is not looked for: that of a hang,
// since each try would take the whole deadline, and of others when that took long already.
func (c *Check) cause(failed *failure) int {
	if failed.Kind == Hang || c.explained > explainAll {
		return -1
	}
	usual := c.deadline
	c.deadline = min(usual, c.patience/2)
	defer func() { c.deadline = usual }()
	start := time.Now()
	defer func() { c.explained += time.Since(start) }()
	cause, _ := c.explainer.explain(context.Background(), failed, time.Now().Add(c.patience))
	if cause == len(c.first) {
		c.first = append(c.first, failed.stream.Name)
	}
	return cause
}

// deliveries returns the stream in the ways in which a parser gets it.
func deliveries(s Stream) []Stream {
	all := []Stream{s}
	n := len(s.Data)
	if n == 0 {
		return all
	}
	other := func(cuts []int, atEnd bool) {
		o := s
		o.Cuts, o.AtEnd = cuts, atEnd
		all = append(all, o)
	}
	if n <= 1<<20 {
		other(s.Cuts, true)
	}
	if len(s.Cuts) > 0 {
		return all
	}
	for _, d := range []struct{ step, most int }{{1, 4 << 10}, {7, 64 << 10}, {509, 1 << 20}} {
		if n > d.step && n <= d.most {
			other(every(d.step, n), false)
		}
	}
	return all
}
