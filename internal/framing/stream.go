package framing

import (
	"bytes"
	"slices"
)

// A Stream is what a parser gets on its standard input.
type Stream struct {
	Name string // what is nasty about it
	Data []byte
	Cuts []int // offsets at which one write ends and the next begins, ascending; none means one write
	Size int   // how long the stream is, if it is too long for Data, which is empty then

	// AtEnd says that the last bytes come together with io.EOF, which only a parser that is a
	// function can tell from an end after them.
	AtEnd bool
}

// Chunks returns the pieces in which the stream is written.
func (s Stream) Chunks() [][]byte {
	var chunks [][]byte
	from := 0
	for _, to := range s.Cuts {
		if to > from && to < len(s.Data) {
			chunks = append(chunks, s.Data[from:to])
			from = to
		}
	}
	return append(chunks, s.Data[from:])
}

// splice returns the stream with other bytes in the place of a range. Cuts inside the range go to
// its start, those after it move along.
func (s Stream) splice(from, to int, with []byte) Stream {
	out := Stream{Name: s.Name, Data: slices.Concat(s.Data[:from], with, s.Data[to:]), AtEnd: s.AtEnd}
	for _, cut := range s.Cuts {
		switch {
		case cut >= to:
			cut += len(with) - (to - from)
		case cut > from:
			cut = from
		}
		out.Cuts = append(out.Cuts, cut)
	}
	out.Cuts = slices.Compact(out.Cuts)
	return out
}

// lines returns the offsets at which lines begin, and the end of the stream.
func (s Stream) lines() []int {
	starts := []int{0}
	for i := 0; ; {
		lf := bytes.IndexByte(s.Data[i:], '\n')
		if lf < 0 {
			break
		}
		i += lf + 1
		starts = append(starts, i)
	}
	if starts[len(starts)-1] != len(s.Data) {
		starts = append(starts, len(s.Data))
	}
	return starts
}

// everyByte returns the cuts of a stream that arrives byte by byte.
func everyByte(n int) []int { return every(1, n) }

// every returns the cuts of a stream of n bytes that arrives in steps.
func every(step, n int) []int {
	var cuts []int
	for at := step; at < n; at += step {
		cuts = append(cuts, at)
	}
	return cuts
}
