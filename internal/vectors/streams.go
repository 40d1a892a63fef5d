package vectors

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/framing"
)

// maxStream is the length of the longest stream: a little over 64 KiB, the size of a pipe and of
// many buffers.
const maxStream = 68 << 10

// streams returns the streams that break parsers of lines, with what a parser finds in each.
func streams() (all []Vector) {
	for i, s := range framing.Nasties() {
		if len(s.Data) > maxStream {
			continue
		}
		v := Vector{ID: fmt.Sprintf("%s/%d", Framing, i), Source: Framing, Title: s.Name, Cuts: s.Cuts, Frames: []Frame{}}
		v.Stream, v.Stream64 = text(s.Data)
		for _, e := range framing.Expect(s.Data) {
			f := Frame{Line: e.Line}
			if e.Must {
				f.Value = e.Text
			}
			v.Frames = append(v.Frames, f)
		}
		all = append(all, v)
	}
	return all
}
