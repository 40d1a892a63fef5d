// Package bisect finds the release that changed something, by asking few of them.
package bisect

import (
	"context"
	"fmt"
)

// Change is where something changed.
type Change struct {
	// Before and After are releases that differ. Before is like the first release of the list.
	Before, After string
	// Skipped are the releases between them, none of which could be judged.
	Skipped []string
	// More says that a release was seen that is like neither end of the list: there is more than
	// one change, and this is one of them.
	More bool
}

// Search is a search for a change.
type Search[V any] struct {
	// Judge returns what is to be compared of a release. An error says that the release cannot be
	// judged; the search goes on without it, unless ctx has ended.
	Judge func(ctx context.Context, release string) (V, error)
	// Same reports whether nothing changed from one release to another.
	Same func(a, b V) bool
	// Step, if set, is told of each release; same says whether it is like the first one.
	Step func(release string, v V, same bool, err error)
}

// Find finds a change in a list of releases, the oldest first. It is nil if the first and the last
// release are alike; what is between them is not looked at then.
func (s *Search[V]) Find(ctx context.Context, releases []string) (*Change, error) {
	if len(releases) < 2 {
		return nil, fmt.Errorf("%d releases cannot be compared", len(releases))
	}
	low, high := 0, len(releases)-1
	first, err := s.end(ctx, releases[low], nil)
	if err != nil {
		return nil, err
	}
	last, err := s.end(ctx, releases[high], &first)
	if err != nil || s.Same(first, last) {
		return nil, err
	}
	c := &Change{}
	failed := map[int]bool{}
	for {
		mid := middle(low, high, failed)
		if mid < 0 {
			break
		}
		v, err := s.judge(ctx, releases[mid], &first)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			failed[mid] = true
		case s.Same(first, v):
			low = mid
		default:
			c.More = c.More || !s.Same(v, last)
			high = mid
		}
	}
	c.Before, c.After, c.Skipped = releases[low], releases[high], releases[low+1:high]
	return c, nil
}

// end judges an end of the list, which must be possible.
func (s *Search[V]) end(ctx context.Context, release string, first *V) (V, error) {
	v, err := s.judge(ctx, release, first)
	if ctx.Err() != nil {
		return v, context.Cause(ctx)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", release, err)
	}
	return v, err
}

func (s *Search[V]) judge(ctx context.Context, release string, first *V) (V, error) {
	v, err := s.Judge(ctx, release)
	if s.Step != nil && ctx.Err() == nil {
		s.Step(release, v, err == nil && (first == nil || s.Same(*first, v)), err)
	}
	return v, err
}

// middle returns what is nearest to the middle between two and has not failed, -1 if there is none.
func middle(low, high int, failed map[int]bool) int {
	at := (low + high) / 2
	for d := range high - low {
		for _, i := range []int{at - d, at + d} {
			if low < i && i < high && !failed[i] {
				return i
			}
		}
	}
	return -1
}
