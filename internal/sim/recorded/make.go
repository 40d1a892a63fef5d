package recorded

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// Options say how a script is made.
type Options struct {
	// Pauses keeps the pauses of the model.
	Pauses bool
	// Home is the folder of the user who recorded; "" if it is not known.
	Home string
	// Secrets are texts that are left out.
	Secrets []string
	// Command is what was run, to run it again; nil if that is not known.
	Command []string
}

// Make makes the script of sessions that one program had, in the order in which they began.
func Make(sessions []*Session, o Options) (*script.Script, error) {
	var made script.Script
	made.Recorded = &script.Recorded{Command: o.Command}
	sessions = slices.DeleteFunc(slices.Clone(sessions), func(s *Session) bool { return !s.Spoke() })
	for _, s := range sessions {
		b := builder{Session: s, Options: o, private: newPrivate(s.Dir, o), several: len(sessions) > 1}
		b.turns(&made)
		b.tools(&made)
		if s.Version != "" {
			made.Recorded.Version = s.Version
		}
		for _, n := range s.notes {
			if !slices.Contains(made.Recorded.Notes, n) {
				made.Recorded.Notes = append(made.Recorded.Notes, n)
			}
		}
	}
	data, err := json.Marshal(&made)
	if err != nil {
		return nil, err
	}
	if _, err := script.Parse("the script", data); err != nil { // what was recorded can be anything
		return nil, fmt.Errorf("the recording does not make a script: %w", err)
	}
	return &made, nil
}

// builder makes the part of one session.
type builder struct {
	*Session
	Options
	private *private
	several bool // sessions are in the script
}

func (b *builder) turns(made *script.Script) {
	for _, a := range b.answers {
		if t := b.turn(a); t != nil {
			made.Turns = append(made.Turns, *t)
		}
	}
}

// turn returns the turn of an answer, nil for one that cannot be told.
func (b *builder) turn(a *answer) *fakeapi.Turn {
	t := &fakeapi.Turn{Match: b.match(a), Model: a.model, StopSequence: a.marker}
	if b.Pauses {
		t.Pace = pace(a)
	} else if a.cut {
		t.Pace = &fakeapi.Pace{Chunk: a.chunk}
	}
	content := a.content
	if a.stalled {
		if a.partial != nil {
			content = append(slices.Clone(content), a.partial)
		}
		after := a.events
		t.Cut = &fakeapi.Cut{How: fakeapi.Stall, After: &after}
		if len(content) == 0 {
			content = []object.Object{object.Of("type", "text", "text", "interrupted")}
		}
	}
	switch {
	case a.fault != nil:
		b.fail(t, a.fault)
		return t
	case len(content) == 0:
		return nil
	case len(content) == 1 && content[0].Text("type") == "text" && len(content[0]) == 2:
		t.Text = b.private.text(content[0].Text("text"))
	default:
		for _, block := range content {
			t.Content = append(t.Content, b.block(block))
		}
	}
	if a.stop != t.DefaultStopReason() {
		t.StopReason = a.stop
	}
	t.Usage = usage(a)
	return t
}

// match returns the requests that an answer is for: nil for the session's own, in their order.
func (b *builder) match(a *answer) *fakeapi.Match {
	switch u := b.uses[a.agent]; {
	case a.agent != "" && u != nil:
		return &fakeapi.Match{From: fakeapi.Subagent, Prompt: b.private.plain(u.input.Text("prompt"))}
	case a.agent != "":
		return &fakeapi.Match{From: fakeapi.Subagent}
	case b.several:
		return &fakeapi.Match{From: fakeapi.Main, Prompt: b.private.plain(b.Prompt)}
	}
	return nil
}

// fail makes a turn an error.
func (b *builder) fail(t *fakeapi.Turn, f *failure) {
	if f.status < 400 || f.status > 599 { // the connection was lost
		none := 0
		t.Text, t.Cut = "lost", &fakeapi.Cut{How: fakeapi.Drop, After: &none}
		return
	}
	t.Error = &fakeapi.Error{Status: f.status, Message: b.private.text(f.message)}
	t.Retries = f.last // the CLI may have tried again without a word
}

// block returns a block without its id, which is made anew.
func (b *builder) block(block object.Object) fakeapi.Block {
	made := fakeapi.Block{}
	for _, m := range block {
		if m.Name != "id" {
			made[m.Name] = raw(b.private.value(m.Value))
		}
	}
	return made
}

// usual is the usage that a turn has without a word.
var usual = map[string]string{
	"input_tokens": "10", "output_tokens": "5", "cache_creation_input_tokens": "0", "cache_read_input_tokens": "0", "service_tier": `"standard"`,
}

// usage returns what an answer has used, as far as it is not what a turn has anyway.
func usage(a *answer) fakeapi.Usage {
	made := fakeapi.Usage{}
	for _, m := range a.usage {
		if _, counts := usual[m.Name]; counts && m.Value != nil && object.Text(m.Value) != usual[m.Name] && (a.final || m.Name != "output_tokens") {
			made[m.Name] = raw(m.Value)
		}
	}
	if len(made) == 0 {
		return nil
	}
	return made
}

// shortest is the shortest pause that counts.
const shortest = 50

// pace returns the pauses of an answer, nil for one without any.
func pace(a *answer) *fakeapi.Pace {
	round := func(ms float64) fakeapi.Duration {
		return fakeapi.Duration(time.Duration(math.Round(ms)) * time.Millisecond)
	}
	var p fakeapi.Pace
	if a.before >= shortest {
		p.Before = round(a.before)
	}
	if a.cut {
		p.Chunk, p.Every = a.chunk, round(a.every)
	}
	if p == (fakeapi.Pace{}) {
		return nil
	}
	return &p
}

// effects are the tools that act as well when their results are played, so that a program finds the
// files that they made, and hears of the subagents that they start.
var effects = []string{"Write", "Edit", "MultiEdit", "NotebookEdit", "Read", "Agent", "Task"}

func (b *builder) tools(made *script.Script) {
	for _, r := range b.results {
		u := b.uses[r.id]
		result := script.Result{Times: 1, IsError: r.block.Bool("is_error"), Acts: slices.Contains(effects, u.name)}
		if !r.changed {
			result.Input = raw(b.private.value(u.input))
		}
		switch content := r.block.Get("content").(type) {
		case string:
			result.Text = b.private.text(content)
		case nil:
		default:
			result.Content = raw(b.private.value(content))
		}
		if r.detail != object.Absent {
			result.Result = raw(b.private.value(r.detail))
		}
		if made.Tools == nil {
			made.Tools = map[string]script.Results{}
		}
		made.Tools[u.name] = append(made.Tools[u.name], result)
		if u.name == "Bash" {
			b.note("commands of Bash do not run again: what they did to files is not done when the script is played")
		}
	}
}
