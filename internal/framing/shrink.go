package framing

import (
	"slices"
	"time"
)

// A shrinker makes a stream smaller that a parser fails on.
type shrinker struct {
	fails func(Stream) bool // whether the parser fails on it in the same way
	until time.Time
	runs  int // that are left
}

// shrink returns the smallest stream found.
func (s *shrinker) shrink(stream Stream) Stream {
	for before := -1; before != weight(stream) && !s.spent(); {
		before = weight(stream)
		stream = s.cuts(stream)
		stream = s.lines(stream)
		stream = s.runLengths(stream)
		stream = s.bytes(stream)
		stream = s.ranges(stream)
	}
	return stream
}

func weight(s Stream) int { return len(s.Data) + len(s.Cuts) }

func (s *shrinker) spent() bool { return s.runs <= 0 || time.Now().After(s.until) }

func (s *shrinker) try(candidate Stream) bool {
	if s.spent() {
		return false
	}
	s.runs--
	return s.fails(candidate)
}

// cuts takes away cuts, and an end with the last bytes, that do not matter.
func (s *shrinker) cuts(stream Stream) Stream {
	if stream.AtEnd {
		after := stream
		after.AtEnd = false
		if s.try(after) {
			stream = after
		}
	}
	if len(stream.Cuts) == 0 {
		return stream
	}
	without := stream
	without.Cuts = nil
	if s.try(without) {
		return without
	}
	for size := (len(stream.Cuts) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(stream.Cuts) && len(stream.Cuts) > size; {
			fewer := stream
			fewer.Cuts = slices.Delete(slices.Clone(stream.Cuts), from, min(from+size, len(stream.Cuts)))
			if s.try(fewer) {
				stream = fewer
			} else {
				from += size
			}
		}
	}
	return stream
}

// lines takes away whole lines, many at a time first.
func (s *shrinker) lines(stream Stream) Stream {
	for size := (len(stream.lines()) + 1) / 2; size > 0; size /= 2 {
		for at := 0; ; {
			starts := stream.lines()
			if at >= len(starts)-1 || s.spent() {
				break
			}
			fewer := stream.splice(starts[at], starts[min(at+size, len(starts)-1)], nil)
			if s.try(fewer) {
				stream = fewer
			} else {
				at += size
			}
		}
	}
	return stream
}

// runLengths shortens each long run of one byte as far as it goes.
func (s *shrinker) runLengths(stream Stream) Stream {
	for i := 0; i < len(stream.Data); {
		n := runLength(stream.Data[i:])
		if n < 8 {
			i += n
			continue
		}
		most, least := n, 0 // fails with most; not known to fail with less than least
		for least < most && !s.spent() {
			middle := (least + most) / 2
			if shorter := stream.splice(i+middle, i+most, nil); s.try(shorter) {
				stream, most = shorter, middle
			} else {
				least = middle + 1
			}
		}
		i += max(most, 1)
	}
	return stream
}

// bytes takes away pieces of any size, large ones first. Of a stream that stays large, single bytes
// are not tried.
func (s *shrinker) bytes(stream Stream) Stream {
	for size := len(stream.Data) / 2; size > 0 && size*256 > len(stream.Data); size /= 2 {
		for at := 0; at < len(stream.Data) && !s.spent(); {
			fewer := stream.splice(at, min(at+size, len(stream.Data)), nil)
			if s.try(fewer) {
				stream = fewer
			} else {
				at += size
			}
		}
	}
	return stream
}

// ranges takes away every range of a few bytes that a short stream can do without, wherever it
// begins.
func (s *shrinker) ranges(stream Stream) Stream {
	const short, most = 64, 8
	for size := most; size > 1 && len(stream.Data) <= short; size-- {
		for at := 0; at+size <= len(stream.Data) && !s.spent(); {
			if fewer := stream.splice(at, at+size, nil); s.try(fewer) {
				stream = fewer
			} else {
				at++
			}
		}
	}
	return stream
}
