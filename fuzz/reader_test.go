package fuzz_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

// FuzzReader holds the framer to the reference splitter, for any bytes, any split into reads, any
// limit.
func FuzzReader(f *testing.F) {
	for _, s := range streams() {
		f.Add(s, []byte{1}, uint16(16), uint16(8))
		f.Add(s, []byte{7, 0, 200}, uint16(0), uint16(0))
	}
	f.Add([]byte("{}\r\n"), []byte{3}, uint16(2), uint16(1))
	f.Fuzz(func(t *testing.T, data, sizes []byte, limit, large uint16) {
		o := codec.ReaderOptions{MaxLine: int(limit), LargeLine: int(large)}
		r := codec.NewReader(&reads{data: data, sizes: sizes}, &o)
		want := split(data, o)
		for i := 0; ; i++ {
			got, err := r.Next()
			if i == len(want) {
				if err != io.EOF {
					t.Fatalf("line %d: %+v, %v, want the end", i, got, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("line %d: %v, want %+v", i, err, want[i])
			}
			if !sameFrame(want[i], got) {
				t.Fatalf("line %d: got %+v, want %+v", i, got, want[i])
			}
		}
	})
}

func sameFrame(a, b codec.Line) bool {
	return a.Kind == b.Kind && a.Notes == b.Notes && a.Len == b.Len && a.Offset == b.Offset &&
		(a.Bytes == nil) == (b.Bytes == nil) && bytes.Equal(a.Bytes, b.Bytes)
}

// reads is a source that returns as many bytes for each read as sizes say, again and again.
type reads struct {
	data  []byte
	sizes []byte
	next  int
}

func (r *reads) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	size := len(p)
	if len(r.sizes) > 0 {
		size = max(1, int(r.sizes[r.next%len(r.sizes)]))
		r.next++
	}
	n := copy(p[:min(size, len(p))], r.data)
	r.data = r.data[n:]
	return n, nil
}

// split is the reference: it has all of the stream and cuts it at each LF.
func split(data []byte, o codec.ReaderOptions) (frames []codec.Line) {
	if o.MaxLine == 0 {
		o.MaxLine = codec.DefaultMaxLine
	}
	if o.LargeLine == 0 {
		o.LargeLine = codec.DefaultLargeLine
	}
	offset := int64(0)
	for len(data) > 0 {
		line, rest, terminated := bytes.Cut(data, []byte("\n"))
		data = rest
		f := codec.Line{Len: int64(len(line)), Offset: offset}
		offset += int64(len(line)) + 1
		if !terminated {
			f.Notes |= codec.Unterminated
		} else if body, ok := bytes.CutSuffix(line, []byte("\r")); ok {
			f.Notes |= codec.CarriageReturn
			line = body
		}
		if len(line) > o.LargeLine || len(line) > o.MaxLine {
			f.Notes |= codec.Large
		}
		if len(line) > o.MaxLine {
			var digest jsontext.Digest
			digest.Write(line)
			f.Kind, f.Bytes = codec.OversizeLine, digest.JSON()
			frames = append(frames, f)
			continue
		}
		if body, ok := bytes.CutPrefix(line, []byte("\ufeff")); ok {
			f.Notes |= codec.ByteOrderMark
			line = body
		}
		f.Bytes = bytes.Trim(line, " \t\r")
		switch {
		case len(f.Bytes) == 0:
			f.Kind = codec.BlankLine
		case f.Bytes[0] == '{':
			f.Kind = codec.ObjectLine
		default:
			f.Kind = codec.TextLine
		}
		frames = append(frames, f)
	}
	return frames
}
