package codec

import (
	"bytes"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
)

// A lineSource makes a line of n bytes x out of nothing, then its tail.
type lineSource struct {
	n    int
	tail string
}

var manyX = strings.Repeat("x", firstBuffer)

func (s *lineSource) Read(p []byte) (int, error) {
	if s.n > 0 {
		n := min(len(p), s.n)
		for i := 0; i < n; {
			i += copy(p[i:n], manyX)
		}
		s.n -= n
		return n, nil
	}
	if s.tail == "" {
		return 0, io.EOF
	}
	n := copy(p, s.tail)
	s.tail = s.tail[n:]
	return n, nil
}

func TestReaderSkipsALongLineWithoutHoldingIt(t *testing.T) {
	const long = 64 << 20
	for _, limit := range []int{1000, 1 << 20, DefaultMaxLine} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := NewReader(&lineSource{long, "\r\n{}\n"}, &ReaderOptions{MaxLine: limit})
		f, err := r.Next()
		if err != nil || f.Kind != OversizeLine || f.Bytes != nil {
			t.Fatalf("limit %d: %v, %d bytes held, error %v", limit, f.Kind, len(f.Bytes), err)
		}
		if f.Len != long+1 || f.Notes != Large|CarriageReturn || f.Offset != 0 {
			t.Errorf("limit %d: length %d, notes %b, offset %d", limit, f.Len, f.Notes, f.Offset)
		}
		runtime.ReadMemStats(&after)
		// The buffer doubles up to the limit: twice the limit in all.
		if most := uint64(2*limit + 4*firstBuffer); after.TotalAlloc-before.TotalAlloc > most {
			t.Errorf("limit %d: %d bytes allocated, want at most %d", limit, after.TotalAlloc-before.TotalAlloc, most)
		}
		f, err = r.Next()
		if err != nil || string(f.Bytes) != "{}" || f.Offset != long+2 {
			t.Errorf("limit %d: then %q at %d, error %v", limit, f.Bytes, f.Offset, err)
		}
	}
}

func TestReaderTellsWhatALongLineWas(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, row := range []struct{ name, line, want string }{
		{"type comes late", `{"result":"` + long + `","uuid":"u","subtype":"success","type":"result"}`, `{"uuid":"u","subtype":"success","type":"result"}`},
		{"answer", `{"type":"control_response","response":{"response":{"a":"` + long + `"},"subtype":"success","request_id":"r"}}`,
			`{"type":"control_response","response":{"subtype":"success","request_id":"r"}}`},
		{"mark and CR", "\ufeff{\"type\":\"a\",\"b\":\"" + long + "\"}\r", `{"type":"a"}`},
		{"not an object", long, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(row.line+"\n{}\n"), &ReaderOptions{MaxLine: 100})
			l, err := r.Next()
			if err != nil || l.Kind != OversizeLine || string(l.Bytes) != row.want || l.Len != int64(len(row.line)) {
				t.Errorf("%v of %d bytes: %s, error %v", l.Kind, l.Len, l.Bytes, err)
			}
		})
	}
}

func TestReaderBufferStaysWithinTheLimit(t *testing.T) {
	for _, limit := range []int{10, firstBuffer, 3 * firstBuffer, 1 << 20, 3<<20 + 5} {
		for _, size := range []int{limit - 1, limit, limit + 1, limit + 2, 3 * limit} {
			r := NewReader(&lineSource{size, "\r\n" + strings.Repeat("{}\n", 100)}, &ReaderOptions{MaxLine: limit})
			most, lines := 0, 0
			for {
				f, err := r.Next()
				if err == io.EOF {
					break
				}
				if over := size > limit; lines == 0 && (f.Kind == OversizeLine) != over {
					t.Errorf("limit %d: a line of %d bytes is %v", limit, size, f.Kind)
				}
				lines++
				most = max(most, len(r.buf))
			}
			if most > max(limit+2, firstBuffer) {
				t.Errorf("limit %d: a line of %d bytes makes the buffer %d long", limit, size, most)
			}
			if lines != 101 {
				t.Errorf("limit %d, line of %d bytes: %d lines", limit, size, lines)
			}
		}
	}
}

func TestReaderBufferShrinksBehindALongLine(t *testing.T) {
	const long = 5 << 20
	line := append(bytes.Repeat([]byte("x"), long), '\n')
	src := &chunks{[][]byte{line, []byte("{}\n"), []byte("{}\n")}, io.EOF}
	r := NewReader(src, nil)
	f, err := r.Next()
	if err != nil || len(f.Bytes) != long || f.Notes != Large {
		t.Fatalf("%d bytes, notes %b, error %v", len(f.Bytes), f.Notes, err)
	}
	if len(r.buf) < long {
		t.Fatalf("a buffer of %d bytes", len(r.buf))
	}
	if f, err = r.Next(); err != nil || string(f.Bytes) != "{}" {
		t.Fatalf("got %q, error %v", f.Bytes, err)
	}
	if len(r.buf) != firstBuffer {
		t.Errorf("the buffer keeps %d bytes", len(r.buf))
	}
}

func TestReaderNotesLinesPastTheMark(t *testing.T) {
	for _, row := range []struct {
		length int
		want   Notes
	}{{DefaultLargeLine - 1, 0}, {DefaultLargeLine, 0}, {DefaultLargeLine + 1, Large}} {
		r := NewReader(&lineSource{row.length, "\n"}, nil)
		f, err := r.Next()
		if err != nil || f.Notes != row.want || f.Kind != TextLine {
			t.Errorf("%d bytes: %v, notes %b, error %v", row.length, f.Kind, f.Notes, err)
		}
	}
}

func TestReaderTakesAnyLimit(t *testing.T) {
	for _, limit := range []int{math.MinInt, -1, 0, math.MaxInt - 1, math.MaxInt} {
		r := NewReader(&lineSource{3 * firstBuffer, "\n{}\n"}, &ReaderOptions{MaxLine: limit, LargeLine: limit})
		f, err := r.Next()
		if err != nil || f.Kind != TextLine || f.Notes != 0 || len(f.Bytes) != 3*firstBuffer {
			t.Errorf("limit %d: %v, notes %b, %d bytes, error %v", limit, f.Kind, f.Notes, len(f.Bytes), err)
		}
		if f, err = r.Next(); err != nil || string(f.Bytes) != "{}" {
			t.Errorf("limit %d: then %q, error %v", limit, f.Bytes, err)
		}
	}
}

func TestReaderDoesNotAllocateForShortLines(t *testing.T) {
	r := NewReader(endless("{\"type\":\"x\"}\n"), nil)
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100_000, func() { _, _ = r.Next() }); n != 0 {
		t.Errorf("%v allocations for a line", n)
	}
}

// endless is a source that repeats its text.
type endless string

func (s endless) Read(p []byte) (int, error) {
	n := 0
	for n+len(s) <= len(p) {
		n += copy(p[n:], s)
	}
	if n == 0 {
		return copy(p, s[:1]), nil
	}
	return n, nil
}
