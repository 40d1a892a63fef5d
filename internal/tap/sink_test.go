package tap

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"
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

// tearing is a file that takes ten bytes at a time and fails after them.
type tearing struct{ *os.File }

func (f tearing) Write(p []byte) (int, error) {
	if len(p) <= 10 {
		return f.File.Write(p)
	}
	n, _ := f.File.Write(p[:10])
	return n, errFull
}
