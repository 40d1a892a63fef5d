// Package queue owns the messages that wait for their turn.
package queue

import (
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/output"
)

// Prompt is a message that waits for its turn.
type Prompt struct {
	Content any           // a text, a list of blocks, or nil
	UUID    string        // that the SDK gave it; "" for none
	Line    object.Object // as the SDK wrote it; nil if it is the CLI's own
	Origin  object.Object // what has caused a message of the CLI itself

	Priority string // "now" or "later"; any other is in between
	Verbatim bool   // it is no command, whatever it looks like

	made string // the id that it has if the SDK gave it none
}

// ID returns the id of the message: that which the SDK gave it, or one that stays the same. Only
// one goroutine may call it at a time.
func (p *Prompt) ID() string {
	if p.UUID != "" {
		return p.UUID
	}
	if p.made == "" {
		p.made = ids.UUID()
	}
	return p.made
}

// rank orders messages by their priority.
func (p *Prompt) rank() int {
	switch p.Priority {
	case "now":
		return 0
	case "later":
		return 2
	}
	return 1
}

// Blocks returns the content as a list of blocks.
func (p *Prompt) Blocks() []any { return conversation.Blocks(p.Content) }

// Images returns the forms of the images: "png".
func (p *Prompt) Images() (forms []string) {
	for _, v := range p.Blocks() {
		if b, _ := v.(object.Object); b.Text("type") == "image" {
			forms = append(forms, strings.TrimPrefix(b.Object("source").Text("media_type"), "image/"))
		}
	}
	return forms
}

// Text returns the text of the content, with a line for each block of text.
func (p *Prompt) Text() string {
	if s, ok := p.Content.(string); ok {
		return s
	}
	return conversation.Text(p.Blocks())
}

// Command reports whether the message looks like a command.
func (p *Prompt) Command() bool {
	return !p.Verbatim && strings.HasPrefix(strings.TrimSpace(p.Text()), "/")
}

// Queue are the messages that wait. Its methods may be called at the same time.
type Queue struct {
	// Woken, if set, is called when the user has a new message.
	Woken func()

	out     *output.Session
	replays bool // messages are repeated to the SDK
	wake    chan struct{}

	mu   sync.Mutex // guards the fields below
	list []*Prompt
	seen map[string]bool // the ids of messages that have come; true for those of an earlier process
	done bool            // no more will come from outside
}

// New returns a queue that tells on out what becomes of messages. If replays is true it repeats
// them.
func New(out *output.Session, replays bool) *Queue {
	return &Queue{out: out, replays: replays, wake: make(chan struct{}, 1), seen: map[string]bool{}}
}

// Take takes a message of the user. One that has come before is only repeated; that it is done with
// is said of one that came in an earlier process.
func (q *Queue) Take(p *Prompt) {
	if isNew, earlier := q.see(p.UUID); p.UUID != "" && !isNew {
		q.Replay(p, false)
		if earlier {
			q.Tell(p.UUID, "completed")
		}
		return
	}
	if q.Woken != nil {
		q.Woken()
	}
	q.Tell(p.UUID, "queued")
	q.Add(p)
}

// Recall notes the id of a message that came in an earlier process.
func (q *Queue) Recall(uuid string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.seen[uuid] = true
}

// see notes the id of a message. It reports whether that is new, and whether it came in an earlier
// process.
func (q *Queue) see(uuid string) (isNew, earlier bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	earlier, seen := q.seen[uuid]
	if !seen {
		q.seen[uuid] = false
	}
	return !seen, earlier
}

// Add adds a message without a word.
func (q *Queue) Add(p *Prompt) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, p)
	q.wakeLocked()
}

// End says that no more messages will come from outside.
func (q *Queue) End() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done = true
	q.wakeLocked()
}

// Done reports whether nothing waits and nothing more will come from outside.
func (q *Queue) Done() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.done && len(q.list) == 0
}

// Wake has a value when something has changed.
func (q *Queue) Wake() <-chan struct{} { return q.wake }

func (q *Queue) wakeLocked() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Next removes the messages that the next turn is for: those that wait with the highest priority,
// up to a command, which has a turn of its own. If idle is true, nothing was done when they came,
// and only the first of them is taken.
func (q *Queue) Next(idle bool) []*Prompt {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return nil
	}
	first := slices.MinFunc(q.list, func(a, b *Prompt) int { return a.rank() - b.rank() })
	alone := idle || first.Command()
	return q.take(func(p *Prompt) bool {
		if p == first {
			return true
		}
		alone = alone || p.rank() == first.rank() && p.Command()
		return !alone && p.rank() == first.rank()
	})
}

// Meanwhile removes the messages that the turn that is being played takes in: those that need not
// wait for its end, as commands must.
func (q *Queue) Meanwhile() []*Prompt {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.take(func(p *Prompt) bool { return p.Priority != "later" && !p.Command() })
}

// take removes the messages that are wanted. The queue is locked.
func (q *Queue) take(wanted func(*Prompt) bool) (list []*Prompt) {
	q.list = slices.DeleteFunc(q.list, func(p *Prompt) bool {
		if wanted(p) {
			list = append(list, p)
			return true
		}
		return false
	})
	return list
}

// Urgent reports whether a message waits that goes before the turn that is being played.
func (q *Queue) Urgent() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.ContainsFunc(q.list, func(p *Prompt) bool { return p.Priority == "now" })
}

// Cancel removes the messages with these ids, all that have one if it is nil, and returns the ids.
func (q *Queue) Cancel(only []string) []string {
	cancelled := []string{}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = slices.DeleteFunc(q.list, func(p *Prompt) bool {
		gone := p.UUID != "" && (only == nil || slices.Contains(only, p.UUID))
		if gone {
			cancelled = append(cancelled, p.UUID)
		}
		return gone
	})
	return cancelled
}

// UUIDs are the ids of the messages that wait.
func (q *Queue) UUIDs() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := []string{}
	for _, p := range q.list {
		if p.UUID != "" {
			list = append(list, p.UUID)
		}
	}
	return list
}

// Tell tells what becomes of a message that has an id.
func (q *Queue) Tell(uuid, state string) {
	if uuid != "" {
		q.out.Tell("type", "command_lifecycle", "command_uuid", uuid, "state", state)
	}
}

// Replay repeats a message to the SDK, if it wants that.
func (q *Queue) Replay(p *Prompt, first bool) {
	message := any(object.Of("role", "user", "content", p.Content))
	if p.Line != nil {
		message = p.Line.Get("message")
	}
	q.replay(p, message, first)
}

// ReplayAs is Replay with another text.
func (q *Queue) ReplayAs(p *Prompt, text string) {
	q.replay(p, object.Of("role", "user", "content", text), true)
}

func (q *Queue) replay(p *Prompt, message any, first bool) {
	if !q.replays {
		return
	}
	q.out.Line(object.Of("type", "user", "message", message, "session_id", q.out.ID(), "parent_tool_use_id", nil,
		"uuid", p.ID(), "timestamp", object.If(first, ids.Now()), "isReplay", true, "origin", object.If(p.Origin != nil, p.Origin)))
}
