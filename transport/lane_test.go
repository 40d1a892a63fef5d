package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
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

func TestLanePolicies(t *testing.T) {
	tests := []struct {
		name        string
		limits      laneLimits
		sizes       []int64
		first, last int // of the items that are kept
		dropped     int
		end         error
	}{
		{"within the limits", laneLimits{3, 30, DropOldest}, []int64{10, 10, 10}, 0, 2, 0, io.EOF},
		{"count", laneLimits{3, -1, DropOldest}, []int64{1, 1, 1, 1, 1}, 2, 4, 2, io.EOF},
		{"bytes", laneLimits{-1, 25, DropOldest}, []int64{10, 10, 10, 5}, 1, 3, 1, io.EOF},
		{"a big one drops several", laneLimits{-1, 25, DropOldest}, []int64{10, 10, 25}, 2, 2, 2, io.EOF},
		{"the newest is kept whatever its size", laneLimits{-1, 25, DropOldest}, []int64{10, 100}, 1, 1, 1, io.EOF},
		{"no limits", laneLimits{-1, -1, DropOldest}, make([]int64, 5000), 0, 4999, 0, io.EOF},
		{"fail by count", laneLimits{2, -1, FailWhenFull}, []int64{1, 1, 1, 1}, 0, 1, 0, ErrMessagesFull},
		{"fail by bytes", laneLimits{-1, 25, FailWhenFull}, []int64{10, 10, 10}, 0, 1, 0, ErrMessagesFull},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := newLane[int](test.limits)
			for i, size := range test.sizes {
				l.push(i, size)
			}
			l.close(nil)
			got, dropped, end := numbers(l, t)
			if len(got) != test.last-test.first+1 || got[0] != test.first || got[len(got)-1] != test.last {
				t.Errorf("got %v, want %d to %d", got, test.first, test.last)
			}
			if dropped != test.dropped || end != test.end {
				t.Errorf("dropped %d, end %v", dropped, end)
			}
		})
	}
}

func TestLaneKeepsOrderWhileItIsFilledAndEmptied(t *testing.T) {
	l := newLane[int](laneLimits{-1, -1, DropOldest})
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
	if l.bytes != int64(next-want) {
		t.Errorf("%d bytes counted for %d items", l.bytes, next-want)
	}
}

func TestLaneTakeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLane[int](laneLimits{-1, -1, DropOldest})
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
		l := newLane[int](laneLimits{-1, -1, DropOldest})
		done := make(chan error)
		for range 3 {
			go func() {
				_, _, err := l.take(t.Context())
				done <- err
			}()
		}
		synctest.Wait()
		l.close(nil)
		for range 3 {
			if err := <-done; err != io.EOF {
				t.Error(err)
			}
		}
	})
}

// A consumer that reads nothing for a million messages.
func TestControlTrafficFlowsPastAMillionUnreadMessages(t *testing.T) {
	const every = 100_000
	count := 1_000_000
	if raceEnabled {
		count /= 10 // the detector makes it ten times as slow
	}
	r, w := io.Pipe()
	answers := &answerCounter{answered: make(chan string, 10)}
	c := NewConn(r, answers, &ConnOptions{Logger: peertest.Quiet, Limits: Limits{Messages: 1000}, Answer: func(context.Context, wire.Request) (appender, error) {
		return nil, nil
	}})
	defer c.Close()
	var batch strings.Builder
	for i := range count {
		fmt.Fprintf(&batch, `{"type":"keep_alive","startup_mark":"%d"}`+"\n", i)
		if (i+1)%every == 0 {
			batch.WriteString(peertest.RequestLine(fmt.Sprint(i), peertest.InterruptBody) + "\n")
			io.WriteString(w, batch.String())
			batch.Reset()
			if line := <-answers.answered; line != peertest.SuccessLine(fmt.Sprint(i), "") {
				t.Fatalf("answered %s", line)
			}
		}
	}
	var after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc); held > 64<<20 {
		t.Errorf("%d bytes are held", held)
	}
	w.Close()
	_, err := c.Receive(t.Context())
	var dropped *DroppedError
	if !errors.As(err, &dropped) || dropped.Messages != count-1000 {
		t.Fatalf("first = %v, want the number of dropped messages", err)
	}
	i := count - 1000
	for f, err := range c.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		if got := *f.(*wire.KeepAlive).StartupMark; got != fmt.Sprint(i) {
			t.Fatalf("message %s, want %d", got, i)
		}
		i++
	}
	if i != count {
		t.Errorf("the last message is %d", i-1)
	}
}

// answerCounter hands out each line that is written.
type answerCounter struct{ answered chan string }

func (w *answerCounter) Write(p []byte) (int, error) {
	w.answered <- strings.TrimSpace(string(p))
	return len(p), nil
}

func TestFailWhenFullKeepsTheOldestAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{WhenFull: FailWhenFull, Limits: Limits{Messages: 2}})
		p.Say(peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.KeepAliveLine)
		only[*DroppedEvent](t, c.events)
		for range 2 {
			if _, err := c.Receive(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if _, err := c.Receive(t.Context()); err != ErrMessagesFull {
			t.Errorf("Receive = %v", err)
		}
		p.Say(peertest.RequestLine("r", peertest.InterruptBody)) // control traffic goes on
		p.One()
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
