package recording

import (
	"slices"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// Requests finds the request that a reply answers, by its id and the rule of [Pick]. One
// more reply than there were requests answers the one that was answered last. The zero value has no
// requests.
type Requests[T any] struct {
	open map[string][]T // without a reply, the oldest first
	last map[string]T   // the one that was answered last
}

// Ask notes a request.
func (r *Requests[T]) Ask(id string, request T) {
	if r.open == nil {
		r.open, r.last = map[string][]T{}, map[string]T{}
	}
	r.open[id] = append(r.open[id], request)
}

// Answer returns the request that a reply answers, and false if there was none with that id. It
// takes the requests that the reply fits first.
func (r *Requests[T]) Answer(id string, fits func(T) bool) (request T, ok bool) {
	open := r.open[id]
	if i := Pick(open, fits); i >= 0 {
		r.last[id] = open[i]
		r.open[id] = slices.Delete(open, i, i+1)
	}
	request, ok = r.last[id]
	return request, ok
}

// Fits reports whether the body of a reply may answer a request of a subtype; a reply without one
// may answer any.
func Fits(subtype string, body []byte) bool {
	if len(body) == 0 {
		return true
	}
	_, err := wire.DecodeAnswer(subtype, body, &codec.Options{Strict: true})
	return err == nil
}
