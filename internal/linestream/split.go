package linestream

import (
	"bufio"
	"io"
)

// splitter cuts a stream at LF and keeps the exact bytes of each line, which [codec.Reader] does
// not.
type splitter struct {
	src   *bufio.Reader
	limit int
	spill io.Writer // gets the bytes of lines over the limit
	buf   []byte
}

// next returns the next line with its LF, if it has one, and its length without it. The bytes are
// nil where the line is longer than the limit; they are valid until the next call. At the end of
// the stream the error is io.EOF.
func (s *splitter) next() (raw []byte, length int64, err error) {
	s.buf = s.buf[:0]
	for {
		piece, err := s.src.ReadSlice('\n')
		s.buf = append(s.buf, piece...)
		switch {
		case err == nil && len(s.buf) <= s.limit+2: // with CR LF
			return s.buf, int64(len(s.buf) - 1), nil
		case len(s.buf) > s.limit+2:
			length, err := s.skip(err)
			return nil, length, err
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(s.buf) > 0:
			return s.buf, int64(len(s.buf)), nil
		default:
			return nil, 0, err
		}
	}
}

// skip moves past a line of which the beginning is in the buffer. The error is that of the read
// before.
func (s *splitter) skip(err error) (length int64, _ error) {
	length = int64(len(s.buf))
	piece := s.buf
	for {
		if _, err := s.spill.Write(piece); err != nil {
			return length, err
		}
		if err != bufio.ErrBufferFull {
			break
		}
		piece, err = s.src.ReadSlice('\n')
		length += int64(len(piece))
	}
	s.buf = nil
	switch err {
	case nil:
		return length - 1, nil
	case io.EOF:
		return length, nil
	}
	return length, err
}
