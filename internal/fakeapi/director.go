package fakeapi

import (
	"fmt"
	"net/http"
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
	script Script

	mu      sync.Mutex      // guards the fields below
	taken   []int           // how many requests each turn has answered, without their retries
	uses    []int           // the same with their retries
	retries map[digest]int  // the turns that answer retries too, by the request
	prompts map[string]bool // the prompts of subagents that the taken turns start
	others  map[string]int  // how many answers without a turn there were, by the prefix of their key
}

func newDirector(s Script) *director {
	return &director{
		script: s, taken: make([]int, len(s.Turns)), uses: make([]int, len(s.Turns)), retries: make(map[digest]int),
		prompts: make(map[string]bool), others: make(map[string]int),
	}
}

// cue is the director's decision on one call.
type cue struct {
	turn   *Turn
	number int    // of the turn in the script, from 1; 0 if it is not in the script
	key    string // stands for the answer in all its ids
	from   Source
	answer Answer
	msg    Message // the turn's message
}

// cue decides on a call and takes the turn that answers it.
func (d *director) cue(c *call, h http.Header) cue {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := cue{from: c.source(h, d.prompts, d.script.NoHelpers), answer: FromTurn}
	if i := d.pickLocked(c, q.from); i >= 0 {
		d.uses[i]++
		if _, again := d.retries[c.digest]; !again {
			d.taken[i]++
		}
		if d.script.Turns[i].Retries {
			d.retries[c.digest] = i
		}
		q.turn, q.number, q.key = &d.script.Turns[i], i+1, fmt.Sprintf("%04d", i+1)
		if d.uses[i] > 1 {
			q.key = fmt.Sprintf("%sr%d", q.key, d.uses[i])
		}
	} else {
		switch q.from {
		case Main:
			q.turn, q.answer, q.key = &Turn{Text: doneText}, Exhausted, d.keyLocked("done")
		case Subagent:
			q.turn, q.answer, q.key = &Turn{Text: doneText}, ByDefault, d.keyLocked("subagent")
		case Helper:
			q.turn, q.answer, q.key = &Turn{Text: helperText}, ByDefault, d.keyLocked("helper")
		}
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

// pickLocked returns the index of the turn for a call, -1 if there is none.
func (d *director) pickLocked(c *call, from Source) int {
	if i, ok := d.retries[c.digest]; ok {
		return i
	}
	for i := range d.script.Turns {
		if m := d.script.Turns[i].Match; m != nil && d.freeLocked(i) && m.fits(c, from) {
			return i
		}
	}
	if from == Main {
		for i := range d.script.Turns {
			if d.script.Turns[i].Match == nil && d.freeLocked(i) {
				return i
			}
		}
	}
	return -1
}

func (d *director) freeLocked(i int) bool {
	times := d.script.Turns[i].Times
	return times < 0 || d.taken[i] < max(times, 1)
}

func (m *Match) fits(c *call, from Source) bool {
	return (m.From == "" || m.From == from) &&
		strings.Contains(c.Model, m.Model) &&
		strings.Contains(c.lastUser().matchText(), m.Text) &&
		strings.Contains(c.firstUser().matchText(), m.Prompt) &&
		(m.Told == "" || c.tells(m.Told)) &&
		(m.ToolResult == "" || c.hasResult(m.ToolResult))
}

// tells reports whether the model is told a text anywhere in the call.
func (c *call) tells(text string) bool {
	if strings.Contains(c.System.text, text) {
		return true
	}
	for _, m := range c.Messages {
		for _, b := range m.Content {
			if m.Role != "assistant" && (strings.Contains(b.Text, text) || strings.Contains(b.Content.text, text)) {
				return true
			}
		}
	}
	return false
}

// hasResult reports whether the last user message has a result of the tool use, named by its id or
// its tool.
func (c *call) hasResult(tool string) bool {
	for _, b := range c.lastUser() {
		if b.Type == "tool_result" && (b.ToolUseID == tool || c.toolNames[b.ToolUseID] == tool) {
			return true
		}
	}
	return false
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
