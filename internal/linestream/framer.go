package linestream

import "github.com/ccwire/ccwire/codec"

// A Framer says what single lines are that somebody else has cut. It is for one goroutine.
type Framer struct {
	feed   feed
	frames *codec.Reader
}

// NewFramer returns a Framer of lines up to a length; 0 means [codec.DefaultMaxLine].
func NewFramer(maxLine int) *Framer {
	f := new(Framer)
	f.frames = codec.NewReader(&f.feed, &codec.ReaderOptions{MaxLine: maxLine})
	return f
}

// Frame returns a line, which is given without its LF and holds no other. It is valid until the
// next call.
func (f *Framer) Frame(text []byte) codec.Line {
	f.feed.put(text)
	l, _ := f.frames.Next() // the feed never fails
	return l
}
