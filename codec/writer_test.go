package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
)

// writes records every call of Write. It does not lock: the Writer must.
type writes [][]byte

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, bytes.Clone(p))
	return len(p), nil
}

func TestWriterWritesWholeFramesConcurrently(t *testing.T) {
	const writers, frames = 8, 200
	var got writes
	w := NewWriter(&got)
	var wg sync.WaitGroup
	for g := range writers {
		wg.Go(func() {
			for i := range frames {
				line := fmt.Appendf(nil, `{"writer":%d,"frame":%d,"pad":%q}`, g, i, strings.Repeat("x", i*7%500))
				if err := w.WriteLine(line); err != nil {
					t.Error(err)
				}
				clear(line) // the Writer must not keep it
			}
		})
	}
	wg.Wait()
	if len(got) != writers*frames {
		t.Fatalf("%d writes for %d frames", len(got), writers*frames)
	}
	var next [writers]int // each writer's frames keep their order
	for _, line := range got {
		if bytes.Count(line, []byte("\n")) != 1 || line[len(line)-1] != '\n' {
			t.Fatalf("not one line: %q", line)
		}
		var g, i int
		if _, err := fmt.Sscanf(string(line), `{"writer":%d,"frame":%d,`, &g, &i); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		want := fmt.Sprintf("{\"writer\":%d,\"frame\":%d,\"pad\":%q}\n", g, i, strings.Repeat("x", i*7%500))
		if i != next[g] || string(line) != want {
			t.Fatalf("got %q, want frame %d of writer %d", line, next[g], g)
		}
		next[g]++
	}
}

func TestWriterRefusesALineBreakInsideAFrame(t *testing.T) {
	var got writes
	w := NewWriter(&got)
	for _, line := range []string{"\n", "{}\n", "{\n}", "\n{}"} {
		if err := w.WriteLine([]byte(line)); err != ErrNotOneLine {
			t.Errorf("%q: error %v", line, err)
		}
	}
	if err := w.WriteLine([]byte("{}")); err != nil {
		t.Errorf("a refused frame harms the next: %v", err)
	}
	if len(got) != 1 || string(got[0]) != "{}\n" {
		t.Errorf("written: %q", got)
	}
}

func TestWriterFailsForGoodAfterAnError(t *testing.T) {
	broken := errors.New("pipe broke")
	for _, row := range []struct {
		name string
		n    int
		err  error
		want error
	}{
		{"error", 0, broken, broken},
		{"error after a part", 2, broken, broken},
		{"error after the whole", 3, broken, broken},
		{"part without error", 2, nil, io.ErrShortWrite},
		{"nothing without error", 0, nil, io.ErrShortWrite},
	} {
		t.Run(row.name, func(t *testing.T) {
			calls := 0
			w := NewWriter(writerFunc(func([]byte) (int, error) { calls++; return row.n, row.err }))
			for range 3 {
				if err := w.WriteLine([]byte("{}")); err != row.want {
					t.Errorf("error %v, want %v", err, row.want)
				}
			}
			if calls != 1 {
				t.Errorf("%d calls of Write", calls)
			}
		})
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestWriterGivesUpALargeBuffer(t *testing.T) {
	w := NewWriter(io.Discard)
	if err := w.WriteLine(make([]byte, 2*keepBuffer)); err != nil {
		t.Fatal(err)
	}
	if w.buf != nil {
		t.Errorf("%d bytes kept", cap(w.buf))
	}
	line := []byte("{}")
	if n := testing.AllocsPerRun(100, func() { _ = w.WriteLine(line) }); n != 0 {
		t.Errorf("%v allocations for a frame", n)
	}
}

func TestReaderReadsWhatAWriterWrites(t *testing.T) {
	var pipe bytes.Buffer
	w := NewWriter(&pipe)
	want := []string{"{}", `{"a":"\u2028"}`, `{"b":1}`}
	for _, line := range want {
		if err := w.WriteLine([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	frames, err := readAll(&pipe, nil)
	if err != io.EOF || len(frames) != len(want) {
		t.Fatalf("%d frames, error %v", len(frames), err)
	}
	for i, f := range frames {
		if string(f.Bytes) != want[i] || f.Notes != 0 {
			t.Errorf("got %q, notes %b", f.Bytes, f.Notes)
		}
	}
}
