package transport

import (
	"context"
	"io"
	"math"
	"testing"
	"testing/synctest"
)

func numbers(l *lane[int], t testing.TB) (got []int, dropped int, end error) {
	t.Helper()
	for {
		v, n, err := l.take(t.Context())
		switch {
		case n > 0:
			dropped += n
		case err != nil:
			return got, dropped, err
		default:
			got = append(got, v)
		}
	}
}

func TestLaneDropsTheOldest(t *testing.T) {
	tests := []struct {
		name        string
		count       int
		bytes       int64
		sizes       []int64
		first, last int // of the items that are kept
		dropped     int
	}{
		{"within the limits", 3, 30, []int64{10, 10, 10}, 0, 2, 0},
		{"count", 3, 1000, []int64{1, 1, 1, 1, 1}, 2, 4, 2},
		{"bytes", -1, 25, []int64{10, 10, 10, 5}, 1, 3, 1},
		{"a big one drops several", -1, 25, []int64{10, 10, 25}, 2, 2, 2},
		{"the newest is kept whatever its size", -1, 25, []int64{10, 100}, 1, 1, 1},
		{"no limit of the number", -1, 25, make([]int64, 5000), 0, 4999, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := newLane[int](test.count, test.bytes)
			for i, size := range test.sizes {
				l.push(i, size)
			}
			l.close()
			got, dropped, end := numbers(l, t)
			if len(got) != test.last-test.first+1 || got[0] != test.first || got[len(got)-1] != test.last {
				t.Errorf("got %v, want %d to %d", got, test.first, test.last)
			}
			if dropped != test.dropped || end != io.EOF {
				t.Errorf("dropped %d, end %v", dropped, end)
			}
		})
	}
}

func TestLaneKeepsOrderWhileItIsFilledAndEmptied(t *testing.T) {
	l := newLane[int](-1, math.MaxInt64)
	next, want := 0, 0
	for round := range 200 {
		for range round % 97 {
			l.push(next, 1)
			next++
		}
		for range round % 89 {
			if want == next {
				break
			}
			if v, _, err := l.take(t.Context()); err != nil || v != want {
				t.Fatalf("take = %d, %v, want %d", v, err, want)
			}
			want++
		}
	}
	if l.held != int64(next-want) {
		t.Errorf("%d bytes counted for %d items", l.held, next-want)
	}
}

func TestLaneTakeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLane[int](-1, math.MaxInt64)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, _, err := l.take(ctx)
			done <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-done; err != context.Canceled {
			t.Error(err)
		}
	})
}

func TestLaneWakesEveryConsumerAtItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLane[int](-1, math.MaxInt64)
		done := make(chan error)
		for range 3 {
			go func() {
				_, _, err := l.take(t.Context())
				done <- err
			}()
		}
		synctest.Wait()
		l.close()
		for range 3 {
			if err := <-done; err != io.EOF {
				t.Error(err)
			}
		}
	})
}

func TestUnreadEventsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{Limits: Limits{Events: 10}})
		for range 25 {
			p.Say("noise")
		}
		events := drain(c.events)
		if lost, ok := events[0].(*EventsLostEvent); len(events) != 11 || !ok || lost.Events != 15 {
			t.Errorf("%d events, the first is %+v", len(events), events[0])
		}
	})
}
