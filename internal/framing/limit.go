package framing

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// limit looks whether a plain frame that is as long as the longest line fails, too, and from which
// length on. The limit is 0 if it does not.
func (e *explainer) limit(ctx context.Context, failed *failure, until time.Time) (*failure, int, error) {
	n := failed.stream.longest()
	if n < long || n > MaxLine {
		return nil, 0, nil
	}
	plain, err := e.subject.try(ctx, lineOf(n))
	if err != nil || plain == nil || plain.Kind == Repeated || plain.Kind == Reordered {
		return nil, 0, err
	}
	return e.findLimit(ctx, plain, n, until)
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

// confirmLimit makes a finding of a line that is too long for the parser, unless there was an
// error.
func (e *explainer) confirmLimit(ctx context.Context, failed *failure, limit int, name string, err error) (int, error) {
	if err != nil {
		return -1, err
	}
	how := failed.Problem
	failed.Problem = Problem{LineLimit, fmt.Sprintf("lines of %d bytes and more: %s: %s", limit, how.Kind, how.Detail)}
	failed.stream.Name = name
	found := Finding{limit: limit, cause: behaviour{id: "limit", text: "cannot take long lines", rule: lengthRule}}
	return e.confirmAs(ctx, found, failed, failed)
}
