package shell

import (
	"bytes"
	"os"
	"sync"
	"time"
)

// stream keeps what a command writes to one of its streams. The command may end while something
// that it has left behind still holds the other end.
type stream struct {
	limit int
	r, w  *os.File
	idle  chan struct{} // closed when no goroutine reads

	mu   sync.Mutex // guards the fields below
	kept bytes.Buffer
	size int
}

func newStream(limit int) (*stream, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &stream{limit: limit, r: r, w: w}, nil
}

// follow reads until the end of the stream, or until [stream.settle] stops it.
func (s *stream) follow() {
	s.idle = make(chan struct{})
	go func() { // ends with the stream
		defer close(s.idle)
		b := make([]byte, 16<<10)
		for {
			n, err := s.r.Read(b)
			s.add(b[:n])
			if err != nil {
				return
			}
		}
	}()
}

// settle returns when everything is kept that was written until now, and nobody reads any more.
func (s *stream) settle() {
	_ = s.r.SetReadDeadline(time.Now()) // a pipe can have one
	<-s.idle
	drain(s.r, s.add)
}

// goOn reads again.
func (s *stream) goOn() {
	_ = s.r.SetReadDeadline(time.Time{})
	s.follow()
}

func (s *stream) close() {
	s.r.Close()
	s.w.Close()
}

func (s *stream) add(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size += len(b)
	s.kept.Write(b[:min(len(b), max(0, s.limit-s.kept.Len()))])
}

func (s *stream) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.String()
}

func (s *stream) total() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size
}
