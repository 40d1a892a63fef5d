package tap

import (
	"io"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
)

// again is how long a sink waits before it tries again to write where it could not.
const again = time.Second

// A sink writes entries. Where it cannot, it counts the bytes of the session that are missing, and
// tries again from time to time; the first entry after a gap tells of it.
type sink struct {
	out    io.Writer
	buf    []byte
	number int   // of entries in the file, and in buf
	held   int   // of these, in buf
	bytes  int64 // of the session, in buf

	good   int64 // bytes of the file up to the last whole entry
	torn   bool  // the file ends in a part of an entry
	err    error // the first one
	failed time.Time
	gap    int64 // bytes of the session that are missing since the last entry that was written
	lost   int64 // all of them
}

// add counts an entry that the caller has appended to buf, with bytes of the session.
func (s *sink) add(bytes int) {
	s.number++
	s.held++
	s.bytes += int64(bytes)
}

// flush writes what there is. It is false if that is lost.
func (s *sink) flush(at time.Duration) bool {
	if s.held == 0 {
		return true
	}
	ok := s.write(at)
	if !ok {
		s.number -= s.held
		s.gap += s.bytes
		s.lost += s.bytes
	}
	const keep = 4 << 20
	if cap(s.buf) > keep {
		s.buf = nil
	}
	s.buf, s.held, s.bytes = s.buf[:0], 0, 0
	return ok
}

func (s *sink) write(at time.Duration) bool {
	if s.gap > 0 {
		if time.Since(s.failed) < again || !s.tell(at) {
			return false
		}
		s.number++
		s.gap = 0
	}
	return s.try(s.buf)
}

// tell writes an entry about a gap.
func (s *sink) tell(at time.Duration) bool {
	var b []byte
	if s.torn {
		b = append(b, '\n')
	}
	e := recording.Entry{Dir: recording.Lost, Time: milliseconds(at), Lost: s.gap}
	return s.try(append(b, encode(&e)...))
}

// try writes bytes. If that fails, a file is made to end where it ended before.
func (s *sink) try(p []byte) bool {
	n, err := s.out.Write(p)
	if err == nil {
		s.good += int64(n)
		s.torn = false
		return true
	}
	if s.err == nil {
		s.err = err
	}
	s.failed = time.Now()
	s.torn = s.torn || n > 0
	type file interface {
		Truncate(size int64) error
		io.Seeker
	}
	if f, ok := s.out.(file); ok && s.torn {
		if f.Truncate(s.good) == nil {
			_, err := f.Seek(s.good, io.SeekStart)
			s.torn = err != nil
		}
	}
	return false
}

// last gives a sink that has failed one more chance now.
func (s *sink) last() { s.failed = time.Time{} }
