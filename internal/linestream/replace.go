package linestream

import (
	"bytes"
	"errors"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// AppendWith appends the line with other texts in the place of its parts, one for each, and a LF.
// The rest of an entry of a recording stays as it is, and so does a whole entry whose line is not
// UTF-8.
func (l *Line) AppendWith(dst []byte, texts [][]byte) ([]byte, error) {
	text := bytes.Join(texts, []byte("\n"))
	switch {
	case !l.recorded:
		return append(append(dst, text...), '\n'), nil
	case l.end == 0:
		return append(dst, l.Raw...), nil
	}
	dst = append(dst, l.Raw[:l.start]...)
	dst, ok := jsontext.AppendString(dst, string(text))
	if !ok {
		return dst, errNotUTF8
	}
	return append(dst, l.Raw[l.end:]...), nil
}

var errNotUTF8 = errors.New("the text is not UTF-8")
