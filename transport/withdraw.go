package transport

// A request from the peer ends without an answer, at any of its three steps, if the peer cancels it
// or if its input is closed.

import "context"

// cancel ends the requests with an id: the context of their AnswerFunc ends and nothing is sent. An
// unknown id is ignored.
func (in *inbound) cancel(id string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for s := in.byID[id]; s != nil; s = in.byID[id] {
		in.withdrawLocked(s)
		if s.out.line != nil {
			in.out.withdraw(&s.out) // if it is being written it is too late
		}
	}
}

// close refuses all further requests and queues the last line, after which the outbox refuses
// others with the error. If there are open requests it does so only by force, and ends them.
func (in *inbound) close(force bool, last *outgoing, end error) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.closed && len(in.open) > 0 && !force {
		return &InputBusyError{Requests: len(in.open)}
	}
	in.abortLocked()
	return in.out.pushLast(last, end)
}

// abort refuses all further requests and ends the open ones.
func (in *inbound) abort() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.abortLocked()
}

func (in *inbound) abortLocked() {
	in.closed = true
	for s := range in.open {
		in.withdrawLocked(s)
	}
}

func (in *inbound) withdrawLocked(s *serving) {
	s.queue.drop(s)
	in.removeLocked(s)
	s.end(context.Canceled)
}

// idle returns a channel that is closed the next time that no request is open any more.
func (in *inbound) idle() <-chan struct{} {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.empty == nil {
		in.empty = make(chan struct{})
	}
	return in.empty
}
