package tap

import (
	"bytes"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
)

func TestAQueueThatIsFullSaysWhatItDropped(t *testing.T) {
	q := newQueue(2*batchSize, 0)
	big := bytes.Repeat([]byte("x"), batchBytes)
	q.put(recording.ToSDK, 1, big)
	q.put(recording.ToSDK, 2, big)
	q.put(recording.ToSDK, 3, big)
	q.put(recording.Stderr, 4, []byte("all of it\n"))
	first := q.take()
	q.put(recording.ToSDK, 5, big[:1]) // a batch that is being recorded is not free
	q.give(first)
	if q.lost() != batchBytes+11 {
		t.Fatalf("%d bytes are lost", q.lost())
	}
	q.put(recording.ToSDK, 6, []byte("on"))
	q.put(recording.Stderr, 7, []byte("on"))
	got := append(slices.Clone(q.take().events), q.take().events...)
	want := []event{
		{dir: recording.ToSDK, at: 2, size: batchBytes},
		{dir: recording.Lost, of: recording.ToSDK, at: 6, lost: batchBytes + 1, inside: true},
		{dir: recording.ToSDK, at: 6, size: 2},
		{dir: recording.Lost, of: recording.Stderr, at: 7, lost: 10},
		{dir: recording.Stderr, at: 7, size: 2},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// fill puts batches of bytes into a queue and returns how long that took.
func fill(q *queue, batches int) time.Duration {
	begin := time.Now()
	for range batches {
		q.put(recording.ToSDK, 0, make([]byte, batchBytes))
	}
	return time.Since(begin)
}

func TestThePathWaitsForARecorderThatWorksAndLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(4*batchSize, 100*time.Millisecond)
		const batches, each = 200, 9 * time.Millisecond
		var recorder sync.WaitGroup
		defer recorder.Wait()
		recorder.Go(func() {
			for range batches {
				time.Sleep(each)
				q.give(q.take())
			}
		})
		if took := fill(q, batches); took != (batches-4)*each || q.lost() != 0 {
			t.Errorf("it takes %v, and %d bytes are lost", took, q.lost())
		}
	})
}

func TestThePathDoesNotWaitForLongForARecorderThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(4*batchSize, 100*time.Millisecond)
		check := func(what string, batches int, want time.Duration, lost int64) {
			t.Helper()
			if took := fill(q, batches); took != want || q.lost() != lost*batchBytes {
				t.Errorf("%s: it takes %v, and %d batches are lost", what, took, q.lost()/batchBytes)
			}
		}
		check("empty", 4, 0, 0)
		go func() { // a recorder that takes 40 ms for a batch, and hangs after three
			for range 3 {
				time.Sleep(40 * time.Millisecond)
				q.give(q.take())
			}
		}()
		check("slow", 2, 80*time.Millisecond, 0)
		check("too slow", 10, 30*time.Millisecond, 10)
		time.Sleep(time.Second)
		check("it hangs, and there is little room", 1, 0, 11)
		q.give(q.take())
		check("half of it is free", 2, 0, 11)
		check("full again", 1, 100*time.Millisecond, 12)
	})
}
