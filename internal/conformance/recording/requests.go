package recording

// Requests finds the request that a reply answers, by its id. A peer may use an id again before the
// first reply has come: a reply then answers the oldest request that has none, as the CLI replies
// in the order in which it was asked. One more reply than there were requests answers the last of
// them. The zero value has no requests.
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

// Answer returns the request that a reply answers, and false if there was none with that id.
func (r *Requests[T]) Answer(id string) (request T, ok bool) {
	if waiting := r.open[id]; len(waiting) > 0 {
		r.last[id] = waiting[0]
		r.open[id] = waiting[1:]
	}
	request, ok = r.last[id]
	return request, ok
}
