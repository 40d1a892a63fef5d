package recorded

import "github.com/ccwire/ccwire/internal/object"

// result takes the end of a turn, which tells what was used in it. Lines of messages have only what
// was used when they began; the rest goes to the last message, so that the sums are right.
func (s *Session) result(line object.Object) {
	list := s.since
	s.since = nil
	if line.Text("terminal_reason") == "aborted_streaming" {
		s.interrupted(list)
	}
	var own, others []*answer // whose usage is not known: of the session itself, of subagents
	known, all := 0.0, 0.0    // tokens that are: of the session itself, of all
	for _, a := range list {
		n, _ := a.usage.Number("output_tokens")
		switch {
		case a.fault != nil:
		case a.final && a.agent == "":
			known, all = known+n, all+n
		case a.final:
			all += n
		case a.agent == "":
			own = append(own, a)
		default:
			others = append(others, a)
		}
	}
	if total, ok := line.Object("usage").Number("output_tokens"); ok {
		all += s.share(own, total-known)
	}
	spent := 0.0
	for _, m := range line.Object("modelUsage") {
		model, _ := m.Value.(object.Object)
		n, _ := model.Number("outputTokens")
		spent += n
	}
	s.share(others, spent-s.spent-all)
	s.spent = spent
}

// share gives answers the tokens that they have used together, and returns how many that are.
func (s *Session) share(list []*answer, tokens float64) float64 {
	if len(list) == 0 || tokens < float64(len(list)) {
		return 0
	}
	if len(list) > 1 {
		s.note("how many tokens each of several answers has is not in the recording: their sum is right")
	}
	rest := tokens
	for i, a := range list {
		n := 1.0
		if i == len(list)-1 {
			n = rest
		}
		rest -= n
		a.usage, a.final = a.usage.With("output_tokens", n), true
	}
	return tokens
}

// interrupted takes the end of a turn by an interrupt, while the model answered.
func (s *Session) interrupted(list []*answer) {
	if n := len(list); n > 0 && list[n-1].events > 0 && !list[n-1].ended {
		list[n-1].stalled = true
		return
	}
	s.answers = append(s.answers, &answer{stalled: true, final: true})
	s.note("an interrupt came before the model had said anything that is in the recording")
}

// finish looks at what is open at the end.
func (s *Session) finish() {
	for _, a := range s.answers {
		if a.fault == nil && !a.final {
			s.note("what some answers used is not in the recording")
		}
		if a.fault == nil && len(a.content) == 0 && !a.stalled {
			s.note("an answer was cut before its first block was whole: it is not in the script")
		}
	}
}
