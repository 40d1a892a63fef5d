package canonical

import (
	"bytes"
	"fmt"
	"io"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/linestream"
)

// Line returns the canonical form of one protocol line. The error is a [*codec.Error].
func Line(line []byte) ([]byte, error) {
	frame, err := wire.Decode(line)
	if err != nil {
		return nil, err
	}
	return wire.Append(nil, frame)
}

// Format copies the input to dst, each frame in its canonical form. What is not a frame is copied
// byte for byte: noise, and also lines that do not decode or are too long. Those are reported, with
// their number from 1 and the reason. The error is that of reading or writing.
func Format(dst io.Writer, src io.Reader, maxLine int, report func(line int, err error)) error {
	r := linestream.NewReader(src, linestream.Options{MaxLine: maxLine, Oversize: dst})
	var out []byte
	for {
		l, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		texts, changed := rewrite(l, report)
		out = append(out[:0], l.Raw...)
		if changed {
			if out, err = l.AppendWith(out[:0], texts); err != nil {
				report(l.Number, err)
				out = append(out[:0], l.Raw...)
			}
		}
		if _, err := dst.Write(out); err != nil {
			return err
		}
	}
}

// rewrite returns the canonical text of every part of a line, and whether one of them, or the end
// of a frame's line, is other than it was.
func rewrite(l *linestream.Line, report func(line int, err error)) (texts [][]byte, changed bool) {
	if l.Err != nil {
		report(l.Number, l.Err)
	}
	for _, p := range l.Parts {
		text := p.Text
		switch p.Kind {
		case codec.ObjectLine:
			canonical, err := Line(p.Bytes)
			if err != nil {
				report(l.Number, err)
				break
			}
			changed = changed || !bytes.Equal(canonical, text) || !bytes.HasSuffix(l.Raw, []byte("\n"))
			text = canonical
		case codec.OversizeLine:
			report(l.Number, &codec.Error{Kind: codec.TooLong, Offset: -1, Want: fmt.Sprintf("it has %d bytes", p.Len)})
		}
		texts = append(texts, text)
	}
	return texts, changed
}
