package framing

import (
	"context"
	"fmt"
	"slices"
)

// edges are sizes of buffers up to 64 KiB.
var edges = []int{512, 1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10}

// Edges returns streams in which a line ends with the last byte of a usual buffer, one byte before
// or one byte after it.
func Edges() []Stream {
	var all []Stream
	for _, size := range edges {
		all = append(all, edgeAt(size, edgeTail)...)
	}
	return all
}

const (
	edgeStreams = 3   // how many streams there are for each edge
	minEdge     = 64  // the smallest edge that there are streams for
	mostEnds    = 500 // how many line ends of a stream are tried as edges
	edgeTail    = "{\"n\":3}\n{\"n\":4}\n"
	otherTail   = "{\"n\":3,\"text\":\"of another length\"}\n"
)

// edgeAt returns the streams for a buffer of so many bytes, with a tail after the line.
func edgeAt(size int, tail string) []Stream {
	var all []Stream
	for end := size - 1; end <= size+1; end++ {
		first := sized(1, size/2, "x") + "\n"
		second := sized(2, end-len(first)-1, "x") + "\n"
		all = append(all, Stream{Name: fmt.Sprintf("line end at byte %d", end), Data: []byte(first + second + tail)})
	}
	return all
}

// findEdge looks for a place in the stream, of some, at which a line fails in the same way if it
// ends there, and not if it ends one byte or two away. It is 0 if there is none.
func (e *explainer) findEdge(ctx context.Context, failed *failure, places []int) (_ *failure, at int, err error) {
	if !e.edges {
		return nil, 0, nil
	}
	for _, at := range places {
		if at < minEdge {
			continue
		}
		fails, err := e.failsAt(ctx, failed, at, edgeTail)
		if err != nil {
			return nil, 0, err
		}
		i := slices.IndexFunc(fails, func(f *failure) bool { return f != nil })
		if i < 0 || !slices.Contains(fails, nil) {
			continue
		}
		others, err := e.failsAt(ctx, failed, at, otherTail)
		if err != nil {
			return nil, 0, err
		}
		if slices.EqualFunc(fails, others, func(f, g *failure) bool { return (f == nil) == (g == nil) }) {
			return fails[i], at, nil // it is this line, and none after it
		}
	}
	return nil, 0, nil
}

// failsAt returns how the streams for an edge fail, nil for one that does not fail in the same way.
func (e *explainer) failsAt(ctx context.Context, failed *failure, at int, tail string) ([]*failure, error) {
	var all []*failure
	for _, s := range edgeAt(at, tail) {
		f, err := e.subject.try(ctx, s)
		if err != nil {
			return nil, err
		}
		if f != nil && !f.symptom.like(failed.symptom) {
			f = nil
		}
		all = append(all, f)
	}
	return all, nil
}

// confirmEdge makes a finding of a line that ends at the edge of a buffer, unless there was an
// error.
func (e *explainer) confirmEdge(ctx context.Context, edge *failure, at int, failed *failure, err error) (int, error) {
	if err != nil {
		return -1, err
	}
	edge.stream.Name = failed.stream.Name
	edge.Detail = fmt.Sprintf("a line that ends at byte %d of the stream, as a buffer of that size does: %s", at, edge.Detail)
	return e.confirmAs(ctx, Finding{edge: at, cause: behaviour{
		id: "edge", text: "loses what stands at the edge of a buffer", rule: edgeRule,
	}}, edge, edge)
}
