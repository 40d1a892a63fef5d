package recording

// maxTries is how many requests a reply is compared with.
const maxTries = 8

// Pick returns the index of the request that a reply answers, among the open ones with its id, the
// oldest first. It is -1 if there is none. If fits is nil, the reply fits none of them.
//
// A peer may use an id again before the first reply has come. A reply then answers the oldest open
// request that it fits, or the oldest if it fits none: peers answer in the order in which they were
// asked, but for requests that take long.
func Pick[T any](open []T, fits func(T) bool) int {
	if len(open) == 0 {
		return -1
	}
	if len(open) > 1 && fits != nil {
		for i, request := range open[:min(len(open), maxTries)] {
			if fits(request) {
				return i
			}
		}
	}
	return 0
}
