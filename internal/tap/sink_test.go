package tap

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
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
	q := newQueue(1000, 0)
	big := make([]byte, 600)
	q.put(recording.ToSDK, 1, big)
	q.put(recording.ToSDK, 2, big)
	q.put(recording.ToSDK, 3, big[:1]) // behind a gap nothing is recorded, though it would fit
	var b batch
	q.take(&b)
	if len(b.events) != 1 || q.lost() != 601 {
		t.Fatalf("%d events, %d bytes lost", len(b.events), q.lost())
	}
	b.reset()
	q.put(recording.ToSDK, 4, big)
	q.take(&b)
	if len(b.events) != 2 || b.events[0].dir != recording.Lost || b.events[0].lost != 601 || b.events[1].size != 600 {
		t.Errorf("got %+v", b.events)
	}
}
