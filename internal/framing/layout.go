package framing

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// The layouts that say one thing; all others are drawn at random.
const (
	InOneRead   = 0
	ByteByByte  = 1
	AtTheEnd    = 2  // in one read, together with io.EOF
	FirstAtEdge = 16 // and the numbers after it: the line before the data ends near the edge of a usual buffer
)

// LayoutsAtEdges are the layouts that put a line before the data which ends with the last byte of a
// usual buffer, one byte before or one byte after it.
func LayoutsAtEdges() []uint16 {
	var all []uint16
	for i := range edgeStreams * len(edges) {
		all = append(all, uint16(FirstAtEdge+i))
	}
	return all
}

// Layout returns a stream of the data for a fuzzer that chooses both. The layout says how it is cut
// into reads, and which frames stand before the data, so that its lines end anywhere in the buffers
// of a parser. Equal arguments give equal streams.
func Layout(data []byte, layout uint16) Stream {
	s := Stream{Name: fmt.Sprintf("layout %d", layout), Data: data}
	switch edge := int(layout) - FirstAtEdge; {
	case layout == InOneRead:
	case layout == ByteByByte:
		s.Cuts = everyByte(len(data))
	case layout == AtTheEnd:
		s.AtEnd = true
	case edge >= 0 && edge < edgeStreams*len(edges):
		s.Data = slices.Concat([]byte(sized(0, edges[edge/edgeStreams]+edge%edgeStreams-2, "x")+"\n"), data)
	default:
		drawLayout(&s, layout)
	}
	return s
}

// drawLayout lays a stream out at random. It depends on the data too, so that a fuzzer which
// changes nothing else tries many layouts.
func drawLayout(s *Stream, layout uint16) {
	hash := fnv.New64a()
	hash.Write(s.Data)
	g := &generator{rand: rand.New(rand.NewPCG(uint64(layout), hash.Sum64()))}
	if g.rand.IntN(8) > 0 {
		s.Data = slices.Concat([]byte(g.padding(g.paddingSize())), s.Data)
	}
	if g.rand.IntN(2) > 0 {
		s.Cuts = g.cuts(s.Data)
	}
	s.AtEnd = g.rand.IntN(8) == 0
}

// smallPadding is the length of the shortest padding, with its LF.
const smallPadding = 32

// paddingSize draws a number of bytes up to 64 KiB, of any order of magnitude.
func (g *generator) paddingSize() int {
	most := edges[len(edges)-1]
	return int(smallPadding * math.Pow(float64(most)/smallPadding, g.rand.Float64()))
}

// padding returns frames of so many bytes, with their LFs: one, or many short ones.
func (g *generator) padding(size int) string {
	var b strings.Builder
	if g.rand.IntN(2) == 0 {
		for size-b.Len() > 4*smallPadding {
			b.WriteString(sized(0, smallPadding+g.rand.IntN(smallPadding), "x") + "\n")
		}
	}
	return b.String() + sized(0, size-b.Len()-1, "x") + "\n"
}
