package fakeapi

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// Answer is what decided how a request was answered.
type Answer string

const (
	// FromTurn is an answer by a turn of the script.
	FromTurn Answer = "turn"
	// ByDefault is the fixed answer to a helper call, or to a subagent that no turn matches.
	ByDefault Answer = "default"
	// Exhausted is the fixed answer to a main conversation that has no turn left.
	Exhausted Answer = "exhausted"
	// Counted is the answer to count_tokens.
	Counted Answer = "counted"
	// Refused is an error because the request is not valid.
	Refused Answer = "refused"
	// OffScript is the answer to a request that is not for the Messages API.
	OffScript Answer = "off-script"
)

const (
	doneText   = "done"
	helperText = `{"title":"helper"}`
)

// director decides which turn answers which call.
type director struct {
	script   Script
	patterns []*regexp.Regexp // of the turns' matches; nil for those without one

	mu      sync.Mutex      // guards the fields below
	taken   []int           // how many requests each turn has answered, without their retries
	uses    []int           // the same with their retries
	fitted  []int           // how many requests each turn with a count ([Match.Nth]) has fitted
	retries map[digest]int  // the turns that answer retries too, by the request
	prompts map[string]bool // the prompts of subagents that the taken turns start
	others  map[string]int  // how many answers without a turn there were, by the prefix of their key
}

// newDirector returns the director of a script that was checked.
func newDirector(s Script) *director {
	n := len(s.Turns)
	d := &director{
		script: s, patterns: make([]*regexp.Regexp, n), taken: make([]int, n), uses: make([]int, n), fitted: make([]int, n), retries: make(map[digest]int),
		prompts: make(map[string]bool), others: make(map[string]int),
	}
	for i := range s.Turns {
		if m := s.Turns[i].Match; m != nil && m.Pattern != "" {
			d.patterns[i] = regexp.MustCompile(m.Pattern)
		}
	}
	return d
}

// cue is the director's decision on one call.
type cue struct {
	turn   *Turn
	number int    // of the turn in the script, from 1; 0 if it is not in the script
	key    string // stands for the answer in all its ids
	from   Source
	answer Answer
	msg    Message // the turn's message
	fill   func(*Turn) *Turn
}

// cue decides on a call and takes the turn that answers it.
func (d *director) cue(c *call, h http.Header) cue {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := cue{from: c.source(h, d.prompts, d.script.NoHelpers), answer: FromTurn}
	i, fit := d.pickLocked(c, q.from)
	times := 0
	if i >= 0 {
		d.uses[i]++
		if _, again := d.retries[c.digest]; !again {
			d.taken[i]++
		}
		if d.script.Turns[i].Retries {
			d.retries[c.digest] = i
		}
		q.turn, q.number, q.key = &d.script.Turns[i], i+1, fmt.Sprintf("%04d", i+1)
		times = d.taken[i]
		if d.uses[i] > 1 {
			q.key = fmt.Sprintf("%sr%d", q.key, d.uses[i])
		}
	} else {
		switch q.from {
		case Main:
			q.turn, q.answer, q.key = cmp.Or(d.script.Default, &Turn{Text: doneText}), Exhausted, d.keyLocked("done")
		case Subagent:
			q.turn, q.answer, q.key = &Turn{Text: doneText}, ByDefault, d.keyLocked("subagent")
		case Helper:
			q.turn, q.answer, q.key = &Turn{Text: helperText}, ByDefault, d.keyLocked("helper")
		}
	}
	q.fill = func(t *Turn) *Turn { return t }
	if d.script.Fills() {
		f := filler{c, fit, times}
		q.fill = f.turn
	}
	if q.number > 0 || q.turn == d.script.Default {
		q.turn = q.fill(q.turn)
	}
	q.msg = newMessage(q.turn, q.key, c.Model)
	for _, p := range q.msg.prompts() {
		d.prompts[strings.TrimSpace(p)] = true
	}
	return q
}

// key makes a key for an answer that is not in the script.
func (d *director) key(prefix string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.keyLocked(prefix)
}

func (d *director) keyLocked(prefix string) string {
	d.others[prefix]++
	return fmt.Sprintf("%s_%04d", prefix, d.others[prefix])
}

// pickLocked returns the index of the turn for a call, -1 if there is none, and how it fits.
func (d *director) pickLocked(c *call, from Source) (int, fitting) {
	if i, ok := d.retries[c.digest]; ok {
		fit, _ := d.fits(i, c, from)
		return i, fit
	}
	picked, how := -1, fitting{}
	for i := range d.script.Turns {
		m := d.script.Turns[i].Match
		if m == nil || picked >= 0 && m.Nth == 0 {
			continue
		}
		fit, ok := d.fits(i, c, from)
		if !ok {
			continue
		}
		if m.Nth > 0 {
			d.fitted[i]++ // also by those that another turn answers
		}
		if picked < 0 && d.freeLocked(i) && (m.Nth == 0 || m.Nth == d.fitted[i]) {
			picked, how = i, fit
		}
	}
	if picked < 0 && from == Main {
		for i := range d.script.Turns {
			if d.script.Turns[i].Match == nil && d.freeLocked(i) {
				picked = i
				break
			}
		}
		how, _ = d.fits(picked, c, from)
	}
	return picked, how
}

// fits reports whether a call fits the match of a turn; without one, every call does.
func (d *director) fits(i int, c *call, from Source) (fitting, bool) {
	if i < 0 || d.script.Turns[i].Match == nil {
		return (&Match{}).fits(c, from, nil)
	}
	return d.script.Turns[i].Match.fits(c, from, d.patterns[i])
}

func (d *director) freeLocked(i int) bool {
	times := d.script.Turns[i].Times
	return times < 0 || d.taken[i] < max(times, 1)
}

// unused returns the numbers of the turns that were never taken.
func (d *director) unused() []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []int
	for i, n := range d.uses {
		if n == 0 {
			list = append(list, i+1)
		}
	}
	return list
}
