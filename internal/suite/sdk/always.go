package sdk

import (
	"fmt"
	"sync"

	"github.com/ccwire/ccwire/internal/suite"
)

// A Rule holds in every session. What breaks it is charged to the scenario that is about it, and to
// no other.
type Rule string

const (
	Objects  Rule = "objects"  // each line of the SDK is a JSON object
	Accepted Rule = "accepted" // each line is one that CLIs take
	Once     Rule = "once"     // a request is answered once, and nothing else is
	Ends     Rule = "ends"     // the session can be closed, and leaves nothing behind
)

// Rules are all of them.
var Rules = []Rule{Objects, Accepted, Once, Ends}

// A violation is a session in which a rule was broken.
type violation struct {
	rule Rule
	text string
	line string // that it is about, "" if it is about none
}

func (v *violation) String() string {
	if v.line == "" {
		return v.text
	}
	return v.text + ": " + v.line
}

// Always returns the rule of a scenario that is not played, because it holds in every session; ""
// for others.
func (s *Scenario) Always() Rule {
	if a, ok := s.Steps[0].op.(always); ok {
		return a.rule
	}
	return ""
}

// ledger has what was seen of the rules in the sessions of a run.
type ledger struct {
	mu     sync.Mutex // guards the fields below
	played int
	broken map[Rule]*breaches
}

// breaches are the sessions that broke a rule.
type breaches struct {
	first     suite.Result // with the trace
	violation violation
	scenarios []string
}

// add notes a session that was played.
func (l *ledger) add(r suite.Result, trace []suite.Event, list []violation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.played++
	for _, v := range list {
		b := l.broken[v.rule]
		if b == nil {
			r.Trace = trace
			b = &breaches{first: r, violation: v}
			if l.broken == nil {
				l.broken = map[Rule]*breaches{}
			}
			l.broken[v.rule] = b
		}
		if n := len(b.scenarios); n == 0 || b.scenarios[n-1] != r.Scenario {
			b.scenarios = append(b.scenarios, r.Scenario)
		}
	}
}

// count returns how many sessions broke a rule.
func (l *ledger) count(rule Rule) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := l.broken[rule]; b != nil {
		return len(b.scenarios)
	}
	return 0
}

// judge returns what came of a rule.
func (l *ledger) judge(r suite.Result, rule Rule) suite.Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.broken[rule]
	switch {
	case b != nil:
		r.Status, r.Trace, r.Stderr = suite.Fail, b.first.Trace, b.first.Stderr
		r.Reason = fmt.Sprintf("%s; first seen in %s", &b.violation, b.scenarios[0])
		if rule == Accepted {
			r.Cause = short(b.violation.text)
		}
		if n := len(b.scenarios) - 1; n > 0 {
			r.Reason += fmt.Sprintf(", and in %d more", n)
		}
	case l.played == 0:
		r.Status, r.Reason = suite.Inconclusive, "no session was played"
	}
	return r
}
