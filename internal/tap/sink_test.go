package tap

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/internal/conformance/recording"
)

// A disk is a writer with room for so many bytes.
type disk struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("no space left")

func (d *disk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	d.room -= n
	d.Buffer.Write(p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestAFullDiskLeavesAGapThatTheRecordingTellsOf(t *testing.T) {
	d := &disk{room: 30}
	s := sink{out: d}
	put := func(text string) bool {
		s.buf = append(s.buf, text+"\n"...)
		s.add(len(text))
		return s.flush(time.Second)
	}
	if !put("the first entry") || put("the second entry, which does not fit") || put("the third") {
		t.Fatal("what fits is not what is written")
	}
	d.room = 1000
	s.last()
	if !put("the fourth") {
		t.Fatal("there is room again")
	}
	want := "the first entry\nthe second ent\n" + `{"dir":"lost","t_ms":1000,"lost":45}` + "\nthe fourth\n"
	if d.String() != want || s.lost != 45 || !errors.Is(s.err, errFull) {
		t.Errorf("got %q, %d bytes lost, %v", d.String(), s.lost, s.err)
	}
}

func TestAFileHasNoTornEntry(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := sink{out: tearing{f}}
	s.buf = append(s.buf, "whole\n"...)
	s.add(5)
	s.flush(0)
	s.buf = append(s.buf, "torn torn torn\n"...)
	s.add(14)
	s.flush(0)
	if got, err := os.ReadFile(f.Name()); err != nil || string(got) != "whole\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

// tearing is a file that takes ten bytes at a time and fails behind them.
type tearing struct{ *os.File }

func (f tearing) Write(p []byte) (int, error) {
	if len(p) <= 10 {
		return f.File.Write(p)
	}
	n, _ := f.File.Write(p[:10])
	return n, errFull
}

func TestLinesAreCutHoweverTheBytesCome(t *testing.T) {
	text := "one\n\ntwo" + strings.Repeat("x", 2000) + "\nthree"
	for _, size := range []int{1, 2, 3, 7, 4096} {
		c := cutter{limit: 1500}
		var got []piece
		emit := func(p piece) { p.text = bytes.Clone(p.text); got = append(got, p) }
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			c.write(rest[:n], emit)
			rest = rest[n:]
		}
		c.end(emit)
		if len(got) != 4 || string(got[0].text) != "one" || len(got[1].text) != 0 ||
			got[2].length != 2003 || len(got[2].text) != headLine || string(got[3].text) != "three" || !got[3].unterminated {
			t.Errorf("in pieces of %d: %+v", size, got)
		}
	}
}

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

func TestThePathWaitsForASlowRecorderOnceAndInAllForALimitedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(4*batchSize, 100*time.Millisecond)
		big := make([]byte, batchBytes)
		fill := func(n int) time.Duration {
			begin := time.Now()
			for range n {
				q.put(recording.ToSDK, 0, big)
			}
			return time.Since(begin)
		}
		if took := fill(4); took != 0 || q.lost() != 0 {
			t.Errorf("an empty queue takes %v, %d bytes are lost", took, q.lost())
		}
		go func() { // a recorder that takes 40 ms for a batch, and hangs after three
			for range 3 {
				time.Sleep(40 * time.Millisecond)
				q.give(q.take())
			}
		}()
		if took := fill(2); took != 80*time.Millisecond || q.lost() != 0 {
			t.Errorf("with a slow recorder it takes %v, %d bytes are lost", took, q.lost())
		}
		if took := fill(10); took != 20*time.Millisecond || q.lost() != 10*batchBytes {
			t.Errorf("then it takes %v, %d bytes are lost", took, q.lost())
		}
		synctest.Wait()
		time.Sleep(time.Second)
		if took := fill(1); took != 0 || q.lost() != 11*batchBytes {
			t.Errorf("with little room it takes %v, %d bytes are lost", took, q.lost())
		}
		q.give(q.take()) // now half of it is free
		if took := fill(2); took != 0 || q.lost() != 11*batchBytes {
			t.Errorf("with half of the room it takes %v, %d bytes are lost", took, q.lost())
		}
		if took := fill(1); took != 100*time.Millisecond {
			t.Errorf("full again, it takes %v", took)
		}
	})
}

func TestBehindAGapTheRecordingGoesOnWithAWholeLine(t *testing.T) {
	c := cutter{limit: 1500}
	var got []string
	emit := func(p piece) { got = append(got, string(p.text)) }
	c.write([]byte("one\ntw"), emit)
	c.broken(10, emit)
	c.gap = 10
	for _, text := range []string{"the en", "d\nthree\nfour\n"} {
		p, missing := c.skip([]byte(text))
		if want := int64(0); text[0] == 'd' && missing != 18 || text[0] != 'd' && missing != want {
			t.Errorf("%d bytes are missing at %q", missing, text)
		}
		c.write(p, emit)
	}
	if want := []string{"one", "tw", "three", "four"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
