package run

import (
	"bytes"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// A value may be read more than once: for its tags before its members, as what it most likely is,
// and to be kept raw where it did not decode. If such values nest, all that is in them is read at
// each level, so what is read again is counted. A line in which that comes to more than a few times
// its length is indexed: from then on its objects and arrays are passed over at once, raw values
// share one copy of the line, and nothing is guessed.
const (
	// timesAgain is how many times its length of a line may be read again: a line of a few levels,
	// each of which has its tag last, is searched at each of them.
	timesAgain = 3
	// fewAgain are bytes that may be read again in any line.
	fewAgain = 16 << 10
	// copied is how much more what is kept, and not only passed over, counts.
	copied = 2
	// maxGuesses is how many guesses may be open, each in the value of the one before.
	maxGuesses = 3
	// minSpan is the length from which the index has a value.
	minSpan = 256
)

// spans has the long objects and arrays of a line, by where they begin.
type spans struct{ list []span }

type span struct{ start, end int }

// end returns the end of the value that begins at an offset, if it is there.
func (x *spans) end(at int) (end int, ok bool) {
	low, high := 0, len(x.list)
	for low < high {
		if i := (low + high) / 2; x.list[i].start < at {
			low = i + 1
		} else {
			high = i
		}
	}
	if low == len(x.list) || x.list[low].start != at {
		return 0, false
	}
	return x.list[low].end, true
}

// read reads the next value and what is in it.
func (x *spans) read(s *jsontext.Scanner) bool {
	c := s.Peek()
	if c != '{' && c != '[' {
		return s.Skip()
	}
	at, i := s.Pos, len(x.list)
	x.list = append(x.list, span{start: at})
	object := c == '{'
	if object && !s.Deeper() || !object && !s.OpenArray() {
		return false
	}
	for n := 0; ; n++ {
		more := false
		if object {
			_, more = s.Key()
		} else {
			more = s.More(n)
		}
		if !more {
			break
		}
		if !x.read(s) {
			return false
		}
	}
	if object {
		s.Depth--
	}
	if s.Pos-at < minSpan { // and all in it, which is shorter, is gone
		x.list = x.list[:i]
	} else {
		x.list[i].end = s.Pos
	}
	return s.OK()
}

// readAgain counts bytes that are read again, and indexes the line when they are many. It fails if
// the value in the line is no JSON.
func (d *Decoder) readAgain(n int) bool {
	d.again += n
	if d.long != nil || d.again <= timesAgain*len(d.Data)+fewAgain {
		return true
	}
	x := new(spans)
	s := jsontext.Scanner{Data: d.Data, MaxDepth: d.MaxDepth}
	if !x.read(&s) {
		d.Fault = s.Fault
		return false
	}
	if !d.alias {
		d.Data = bytes.Clone(d.Data)
	}
	d.long = x
	return true
}

// passed passes at once over the next value if it is in the index.
func (d *Decoder) passed() bool {
	if d.long == nil {
		return false
	}
	d.Peek()
	end, ok := d.long.end(d.Pos)
	if ok {
		d.Pos = end
	}
	return ok
}

// mayGuess reports whether one more guess may begin.
func (d *Decoder) mayGuess() bool { return d.long == nil && d.guesses < maxGuesses }
