package transport

import (
	"context"
	"sync"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
)

// serving is one request from the peer on its way through inbound.go, serve.go and answer.go, and
// the context of its AnswerFunc. It is over when it was answered or withdrawn: it is not open then.
type serving struct {
	in      *inbound
	id      string
	request wire.Request
	ctx     context.Context // itself, or one that is made of it
	size    int64           // bytes that it holds; grows under the lock of inbound
	slots   string          // the name of those that it runs in; set by the role
	timeout time.Duration   // 0 or less means none; set by the role
	success wire.SuccessResponse

	// Guarded by inbound.
	queue   *slotQueue
	sameID  *serving // an older open one with the same id; nil if there is none
	before  *serving // in the queue; nil for the first one, and for one that does not wait
	after   *serving // in the queue; nil for the last one, and for one that does not wait
	waits   bool     // in the queue
	running bool     // in a slot
	claimed bool     // somebody answers it
	out     outgoing // the answer, if it has one

	mu       sync.Mutex // guards the fields below
	deadline time.Time
	timer    *time.Timer   // nil without a timeout
	done     chan struct{} // made when somebody asks for it
	over     func()        // called when the context ends; may be nil
	err      error
}

// startTimer calls expired when the time is over, which must be limited.
func (s *serving) startTimer(expired func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deadline = time.Now().Add(s.timeout)
	if s.err == nil {
		s.timer = time.AfterFunc(s.timeout, expired)
	}
}

// end ends the context. Only the first call counts.
func (s *serving) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	s.err = err
	if s.done != nil {
		close(s.done)
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.over != nil {
		s.over()
	}
}

// whenOver calls f when the context ends, or now if it has. F must not block.
func (s *serving) whenOver(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		f()
	}
	s.over = f
}

// Deadline implements [context.Context].
func (s *serving) Deadline() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deadline, !s.deadline.IsZero()
}

// Done implements [context.Context].
func (s *serving) Done() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done == nil {
		s.done = make(chan struct{})
		if s.err != nil {
			close(s.done)
		}
	}
	return s.done
}

// Err implements [context.Context].
func (s *serving) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Value implements [context.Context].
func (s *serving) Value(key any) any {
	if key == (requestIDKey{}) {
		return s.id
	}
	return nil
}
