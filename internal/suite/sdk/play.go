package sdk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/suite"
)

// A Judge plays scenarios with one subject, and knows what it has seen of it so far. Its methods
// may be called from several goroutines.
type Judge struct {
	Options
	gate   suite.Gate
	ledger ledger
	basics map[string]*Scenario // those that others build on, by feature
	// working, if set, bounds the cases whose processes work.
	working chan struct{}

	mu       sync.Mutex // guards the fields below
	results  map[string]*judged
	hangs    map[string]string // causes of hangs that were played twice, and the scenario
	problems []string
	notes    []string
	oneWay   bool // the program uses no control protocol
	stopped  bool
}

// judged is a scenario that is played once, whoever asks for it.
type judged struct {
	once   sync.Once
	result suite.Result
}

// NewJudge returns a judge. Its scenarios may build on built-in ones.
func NewJudge(o Options) *Judge {
	j := &Judge{Options: o, basics: map[string]*Scenario{}, results: map[string]*judged{}, hangs: map[string]string{}}
	all, _ := All() // they are built in, and a test parses them
	for _, s := range slices.Concat(all, o.Scenarios) {
		for _, f := range s.Basic {
			j.basics[f] = s
		}
	}
	return j
}

// Stop lets the scenarios that have not begun be inconclusive.
func (j *Judge) Stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stopped = true
}

// Finish adds to the report what was seen beside the scenarios.
func (j *Judge) Finish(r *suite.Report) {
	j.mu.Lock()
	defer j.mu.Unlock()
	slices.Sort(j.problems) // they come in the order of chance
	slices.Sort(j.notes)
	r.Problems = append(r.Problems, j.problems...)
	r.Notes = append(r.Notes, j.notes...)
	if missing := j.Subject.undeclared(j.Scenarios); missing != "" {
		r.Notes = append(r.Notes, missing)
	}
}

// Play plays a scenario, after those that it builds on. A rule of every session is judged by what
// was played so far.
func (j *Judge) Play(ctx context.Context, s *Scenario) suite.Result {
	r := suite.Result{Scenario: s.Name, Title: s.Title, Level: s.Level, Harm: s.Harm, Target: j.Subject.Target(), Status: suite.Pass}
	if why := j.lacks(s); why != "" {
		r.Status, r.Reason = suite.NotApplicable, why
		return r
	}
	if rule := s.Always(); rule != "" {
		return j.ledger.judge(r, rule)
	}
	for _, b := range j.buildsOn(s) {
		base := j.Play(ctx, b)
		if base.Status == suite.Fail || base.Status == suite.Inconclusive {
			r.Status, r.Reason = suite.Inconclusive, fmt.Sprintf("it builds on %s, which %s", b.Name, word(base.Status))
			if !slices.Contains(j.Scenarios, b) {
				j.problem(fmt.Sprintf("%s, which others build on, %s: %s", b.Name, word(base.Status), base.Reason))
			}
			return r
		}
	}
	j.mu.Lock()
	own, stopped := j.results[s.Name], j.stopped
	if own == nil && stopped {
		j.mu.Unlock()
		r.Status, r.Reason = suite.Inconclusive, notPlayed
		return r
	}
	if own == nil {
		own = &judged{}
		j.results[s.Name] = own
	}
	j.mu.Unlock()
	own.once.Do(func() { own.result = j.often(ctx, s, r) })
	return own.result
}

// notPlayed is the reason of what [Judge.Stop] has kept from being played.
const notPlayed = "the run was ended before it was played"

func word(s suite.Status) string {
	if s == suite.Fail {
		return "does not hold"
	}
	return "is inconclusive"
}

// buildsOn returns the scenarios that show the plain use of what a scenario needs.
func (j *Judge) buildsOn(s *Scenario) (list []*Scenario) {
	needs := s.Needs
	switch plain := "session"; {
	case j.Subject.Spawn:
		needs = []string{program}
	case !slices.Contains(needs, "session") && !slices.Contains(needs, "query"):
		if !slices.Contains(j.Subject.Features, plain) {
			plain = "query"
		}
		needs = append([]string{plain}, needs...)
	}
	for _, n := range needs {
		b := j.basics[n]
		switch {
		case b == nil || b.Name == s.Name || slices.Contains(s.Basic, n) || slices.Contains(list, b):
		case len(s.Basic) > 0 && !slices.Contains(b.Basic, "session"): // a plain use needs sessions at most
		case j.lacks(b) == "":
			list = append(list, b)
		}
	}
	return list
}

// lacks says why a scenario is not for the subject, "" if it is.
func (j *Judge) lacks(s *Scenario) string {
	j.mu.Lock()
	oneWay := j.oneWay
	j.mu.Unlock()
	missing := j.Subject.lacks(s)
	switch {
	case j.Subject.Spawn && !s.Driverless:
		return "needs a driver"
	case missing != "":
		return "the SDK has no " + missing
	case oneWay && s.control():
		return string(oneWayOnly)
	}
	for _, f := range s.Except {
		if slices.Contains(j.Subject.Features, f) {
			return "it is not for SDKs with " + f
		}
	}
	return ""
}

// often plays a scenario as many times as is asked for.
func (j *Judge) often(ctx context.Context, s *Scenario, r suite.Result) suite.Result {
	if j.Repeat < 2 {
		return j.twice(ctx, s, r)
	}
	var last suite.Result
	passed, failed, open := 0, 0, 0
	for range j.Repeat {
		one := j.once(ctx, s, r, j.limitsOf(s)).result
		switch one.Status {
		case suite.Fail:
			failed++
			last = one
			continue
		case suite.Pass:
			passed++
		case suite.Inconclusive:
			open++
		}
		if last.Status != suite.Fail {
			last = one
		}
	}
	last.Played, last.Failed = j.Repeat, failed
	if failed > 0 && passed+open > 0 {
		last.Cause = "a race: it does not always come out the same"
		last.Reason = fmt.Sprintf("a race: it failed %d times of %d; %s", failed, j.Repeat, last.Reason)
	}
	return last
}

// twice plays a scenario, and again, alone, if it fails by a limit, unless another one of the same
// cause did so twice.
func (j *Judge) twice(ctx context.Context, s *Scenario, r suite.Result) suite.Result {
	var first attempt
	j.gate.First(func() { first = j.once(ctx, s, r, j.limitsOf(s)) })
	// What nobody has done is not done the second time.
	still := first.idle && first.result.Status == suite.Inconclusive
	if !first.limit || still || j.NoRetry || j.Known.Lists(s.Name, j.Subject.Version) {
		return first.result
	}
	longer := j.limitsOf(s)
	if !first.idle {
		longer = longer.times(suite.Patience)
	}
	var second attempt
	before := ""
	played := j.gate.Alone(func() {
		j.mu.Lock()
		before = j.hangs[first.signature]
		j.mu.Unlock()
		if before == "" || !first.idle {
			before = ""
			second = j.once(ctx, s, r, longer)
		}
	})
	switch {
	case !played:
		first.result.Reason += "; not played again, since second plays took too long"
		return first.result
	case before != "":
		first.result.Reason += "; not played again, since " + before + " hangs in the same way, twice"
		return first.result
	}
	if second.result.Status != suite.Pass && second.limit {
		j.mu.Lock()
		j.hangs[second.signature] = s.Name
		j.mu.Unlock()
		second.result.Reason += "; played twice, the second time alone"
	}
	second.result.First = first.result.Reason
	second.result.Duration += first.result.Duration
	j.mu.Lock()
	j.notes = append(j.notes, fmt.Sprintf("%s was played twice, the second time alone: %s; the first time: %s",
		s.Name, second.result.Status, second.result.First))
	j.mu.Unlock()
	return second.result
}

// attempt is what came of one play.
type attempt struct {
	result      suite.Result
	limit, idle bool   // it failed by a limit, in which nobody did anything
	signature   string // of a hang
}

// once plays a scenario one time.
func (j *Judge) once(ctx context.Context, s *Scenario, r suite.Result, l limits) (one attempt) {
	release := func() {}
	if j.working != nil {
		j.working <- struct{}{}
		release = sync.OnceFunc(func() { <-j.working })
	}
	defer release()
	p := &play{subject: j.Subject, scenario: s, board: newBoard(), ids: map[string]int{}, limits: l, rests: release}
	v := p.run(ctx)
	r.Duration = p.board.since()
	one.result = r
	res := &one.result
	if na := errNotApplicable(""); errors.As(v.err, &na) {
		res.Status, res.Reason = suite.NotApplicable, na.Error()
		j.mu.Lock()
		j.oneWay = j.oneWay || na == oneWayOnly
		j.mu.Unlock()
		return one
	}
	trace := p.trace()
	refused := ""
	if i := slices.IndexFunc(v.violations, func(v violation) bool { return v.rule == Accepted }); i >= 0 {
		refused = short(v.violations[i].text)
	} else if slices.Contains(v.notes, undecided) {
		refused = strings.TrimPrefix(undecided, "unusual: ")
	}
	if v.err != nil && v.open == "" { // a line that a scenario is about is charged there
		v.violations = slices.DeleteFunc(v.violations, func(v violation) bool { return v.rule == Accepted || v.rule == Once })
	}
	j.ledger.add(r, trace, v.violations)
	for _, n := range v.notes {
		j.note(n)
	}
	if v.fault != "" && (p.board.started() || len(s.Basic) > 0) { // some SDKs start a CLI when it has something to do
		j.problem(v.fault)
	}
	if v.err != nil {
		one.limit, one.idle = isLimit(v.err)
		res.Cause, one.signature = p.cause(v.err)
		if res.Cause == "" {
			res.Cause = refused
		}
	}
	switch {
	case v.open != "":
		res.Status, res.Reason, res.Cause = suite.Inconclusive, v.open, ""
		return one
	case v.err == nil:
		return one
	}
	res.Status, res.Reason, res.Trace, res.Stderr = suite.Fail, v.err.Error(), trace, p.process.Stderr()
	var step *stepError
	if errors.As(v.err, &step) {
		res.Line, res.Step = step.step.Line, step.step.Source
	}
	if name, text := p.failed(); name != "" && !strings.Contains(res.Reason, text) {
		res.Reason += fmt.Sprintf("; before that %s failed: %s", name, cut([]byte(text)))
	}
	if unanswered, _ := p.unanswered(); len(unanswered) > 0 && !strings.Contains(res.Reason, "answer") {
		res.Reason += "; without an answer: " + strings.Join(unanswered, ", ")
	}
	return one
}

// problem notes what is wrong with the run, once.
func (j *Judge) problem(text string) { j.say(&j.problems, text) }

// note notes what is unusual, once.
func (j *Judge) note(text string) { j.say(&j.notes, text) }

// maxSaid bounds what is said of a run.
const maxSaid = 100

func (j *Judge) say(list *[]string, text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !slices.Contains(*list, text) && len(*list) < maxSaid {
		*list = append(*list, text)
	}
}
