package transport

// Step 3 of 3 of a request from the peer: its answer becomes a line, which goes out unless the
// request is over. Step 2 is serve.go; a refusal comes from step 1, inbound.go.

import (
	"errors"
	"fmt"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// maxRefusals is how many bytes of refusals may wait for a peer that does not read.
const maxRefusals = 1 << 20

// answer sends the answer of a request that the caller has claimed: a body, where an empty one is
// none, or an error reply. Nothing is sent for ErrNoAnswer. It may wait for the peer.
func (in *inbound) answer(s *serving, body codec.Raw, err error) {
	if err == ErrNoAnswer {
		in.remove(s)
		return
	}
	s.success = wire.SuccessResponse{RequestID: s.id, Response: body}
	if err := in.push(s, responseLine(&s.success, s.request, err)); err != nil {
		in.log.Warn("answer cannot be sent", "request_id", s.id, "error", err)
		return
	}
	in.out.help()
}

// push queues the answer of a request, unless it is over.
func (in *inbound) push(s *serving, line *buffer) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if _, ok := in.open[s]; !ok {
		return nil
	}
	size := int64(len(line.bytes))
	in.held += size
	s.size += size
	s.out = outgoing{line: line.bytes, buf: line, watcher: s}
	err := in.out.pushForHelp(&s.out)
	if err != nil {
		in.removeLocked(s)
	}
	return err
}

// written is called when the answer has gone out, or cannot.
func (s *serving) written(error) { s.in.remove(s) }

func (in *inbound) remove(s *serving) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.removeLocked(s)
}

// removeLocked makes a request one that is over.
func (in *inbound) removeLocked(s *serving) {
	if _, ok := in.open[s]; !ok {
		return
	}
	delete(in.open, s)
	in.forgetIDLocked(s)
	if !s.running {
		in.held -= s.size
	}
	if len(in.open) == 0 && in.empty != nil {
		close(in.empty)
		in.empty = nil
	}
}

// forgetIDLocked takes a request out of those that its id stands for.
func (in *inbound) forgetIDLocked(s *serving) {
	newest := in.byID[s.id]
	switch {
	case newest != s:
		for newest.sameID != s {
			newest = newest.sameID
		}
		newest.sameID = s.sameID
	case s.sameID != nil:
		in.byID[s.id] = s.sameID
	default:
		delete(in.byID, s.id)
	}
	s.sameID = nil
}

// refuse answers a request that was not taken in, or that did not decode and is nil. An error ends
// the connection: ErrBacklog if the peer does not read the refusals.
func (in *inbound) refuse(id string, r wire.Request, body codec.Raw, cause error) error {
	err := in.pushRefusal(responseLine(&wire.SuccessResponse{RequestID: id, Response: body}, r, cause))
	if err == ErrBacklog {
		return err
	}
	if err != nil {
		in.log.Warn("answer cannot be sent", "request_id", id, "error", err)
	}
	return nil
}

func (in *inbound) pushRefusal(line *buffer) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	size := int64(len(line.bytes))
	if in.refused > 0 && in.refused+size > maxRefusals {
		return ErrBacklog
	}
	err := in.out.push(&outgoing{line: line.bytes, buf: line, watcher: refusalWatcher{in, size}})
	if err == nil {
		in.refused += size
	}
	return err
}

// refusalWatcher counts a refusal that has gone out.
type refusalWatcher struct {
	in   *inbound
	size int64
}

func (w refusalWatcher) written(error) {
	w.in.mu.Lock()
	defer w.in.mu.Unlock()
	w.in.refused -= w.size
}

// responseLine makes the answer to a request: success, or an error reply. A body that is not JSON
// becomes an error reply. The request is nil if it did not decode.
func responseLine(success *wire.SuccessResponse, r wire.Request, err error) *buffer {
	if len(success.Response) == 0 {
		success.Response = nil
	}
	line := newBuffer()
	var response wire.Response = success
	if err != nil {
		response = errorResponse(success.RequestID, r, err)
	}
	if line.encode(response) != nil { // a body that is not JSON, or an error that is not UTF-8
		response = &wire.ErrorResponse{RequestID: success.RequestID, Error: "the answer cannot be encoded"}
		if err := line.encode(response); err != nil {
			panic(err) // the id came out of a decoder
		}
	}
	return line
}

func (b *buffer) encode(r wire.Response) error {
	frame := wire.ControlResponse{Response: r}
	line, err := frame.AppendJSON(b.bytes[:0])
	if err == nil {
		b.bytes = line
	}
	return err
}

func errorResponse(id string, r wire.Request, err error) *wire.ErrorResponse {
	var refusal *CallError
	switch {
	case errors.As(err, &refusal) && refusal.Response != nil:
		response := *refusal.Response
		response.RequestID = id
		return &response
	case errors.Is(err, ErrUnsupported) && r != nil:
		code := wire.ErrorResponseErrorCodeUnsupportedRequest
		return &wire.ErrorResponse{RequestID: id, Error: fmt.Sprintf("%v subtype: %s", ErrUnsupported, r.Subtype()), ErrorCode: &code}
	}
	return &wire.ErrorResponse{RequestID: id, Error: err.Error()}
}
