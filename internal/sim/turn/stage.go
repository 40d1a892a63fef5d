package turn

import (
	"context"
	"sync"

	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// Stage is where the turns of a session are played, one after the other.
type Stage struct {
	Parts
	Main     *Agent // the session itself
	Tools    Tools
	Servers  Servers
	Settings Settings
	// Init writes the line that opens every turn. It answers the messages with these ids.
	Init func(uuids []string)
	// About is what an agent's model is told of the session.
	About func(a *Agent) *transcript.About

	playing  sync.Mutex // held while a turn is played; guards the fields below
	planning bool       // the model was told that it is in plan mode
	served   bool       // a command was served without the model
	told     told

	telling sync.Mutex // guards state
	state   string     // that was told last; "" for none

	asking sync.Mutex // guards asked
	asked  int        // questions that have no answer yet

	suggestion suggestion // that is being asked for
	limits     limits     // of a subscription

	mu     sync.Mutex // guards the fields below
	turn   *Turn      // that is being played; nil for none
	latest *Turn      // that was played last, or is; nil at the start and after /clear
	level  string     // how much the user wants the model to think; "" if that is not said
}

// NewStage returns a stage. What is not among the parts must be set before a turn is played.
func NewStage(p Parts) *Stage {
	s := &Stage{Parts: p}
	s.Main = &Agent{parts: &s.Parts}
	return s
}

// enter notes that a turn is being played.
func (s *Stage) enter(t *Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn, s.latest = t, t
}

// leave notes that no turn is being played.
func (s *Stage) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn = nil
}

// setLevel sets how much the model is to think.
func (s *Stage) setLevel(level string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = level
}

// forget forgets the last turn: a new session begins.
func (s *Stage) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest = nil
}

// current is the turn that is being played, nil for none.
func (s *Stage) current() *Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn
}

// Playing reports whether a turn is being played.
func (s *Stage) Playing() bool { return s.current() != nil }

// Between calls f while no turn is played. It reports false, without a call, if one is.
func (s *Stage) Between(f func()) bool {
	if !s.playing.TryLock() {
		return false
	}
	defer s.playing.Unlock()
	f()
	return true
}

// Context is that of the turn that is being played, or the other one if none is.
func (s *Stage) Context(otherwise context.Context) context.Context {
	if t := s.current(); t != nil {
		return t.ctx
	}
	return otherwise
}

// Occasion is that of an event in the turn that is being played.
func (s *Stage) Occasion(name string) hooks.Occasion { return s.current().When(nil, name) }

// LastOccasion is that of an event that is not bound to a turn.
func (s *Stage) LastOccasion(name string) hooks.Occasion {
	s.mu.Lock()
	t := s.latest
	s.mu.Unlock()
	return t.When(nil, name)
}

// AwaitReceipt waits until the reply to an interrupt of the turn was written.
func (s *Stage) AwaitReceipt() {
	if t := s.current(); t != nil {
		t.AwaitReceipt()
	}
}

// Adopt gives a subagent its id. It asks the model and writes its lines here.
func (s *Stage) Adopt(a *Agent) {
	a.ID, a.parts = ids.Agent(), &s.Parts
}
