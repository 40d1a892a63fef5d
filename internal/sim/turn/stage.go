// Package turn plays turns: what the CLI does for the messages that it took at once, up to a
// result. It asks the model, writes what it says, has its tools used, and calls the hooks that see
// it. It owns the turn that is being played and what the session itself has said to the model.
package turn

import (
	"context"
	"sync"

	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/checkpoint"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/flags"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/host"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/result"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/transcript"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Parts are the owners of a session's state that turns ask.
type Parts struct {
	Flags       *flags.Set
	Place       *workspace.Workspace
	Life        *life.Life
	Out         *output.Session
	Calls       *calls.Calls
	Queue       *queue.Queue
	Results     *result.Results
	Spent       *ledger.Ledger
	Hooks       *hooks.Caller
	Policy      *permission.Policy
	Host        *host.Host
	Tasks       *tasks.Tasks
	Transcript  *transcript.Transcript
	Checkpoints *checkpoint.Checkpoints
	Ext         *extensions.Extensions
	Chosen      *models.Choice
	Model       *script.Model
}

// Servers are the MCP servers, as turns see them.
type Servers interface {
	// Ready waits until they are connected.
	Ready(ctx context.Context)
	// Command returns the text of a prompt that the user has named as a command.
	Command(ctx context.Context, name, args string) (text string, ok bool)
	// Meta is the member tool_use_meta for a use of a tool, Absent for none.
	Meta(id, tool string) any
}

// Settings are the settings, as turns see them.
type Settings interface {
	// Look notes how the files of the settings are.
	Look()
	// Settle reads those again that have changed meanwhile.
	Settle(o hooks.Occasion)
}

// Stage is where the turns of a session are played, one after the other.
type Stage struct {
	Parts
	Main     *Agent // the session itself
	Tools    Tools
	Servers  Servers
	Settings Settings
	// Init writes the line that opens every turn. It answers the messages with these ids.
	Init func(uuids []string)

	playing sync.Mutex // held while a turn is played

	mu     sync.Mutex // guards the fields below
	turn   *Turn      // that is being played; nil for none
	latest *Turn      // that was played last, or is; nil at the start and after /clear
}

// NewStage returns a stage. What is not among the parts must be set before a turn is played.
func NewStage(p Parts) *Stage {
	s := &Stage{Parts: p}
	s.Main = &Agent{stage: s}
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

// ModelOf is the model that an agent asks.
func (s *Stage) ModelOf(a *Agent) string {
	if a.Model != "" {
		return a.Model
	}
	return s.Chosen.Get()
}

// Begun takes what the hooks of a session's events have to say.
func (s *Stage) Begun(v hooks.Verdict) {
	s.Hooks.Watch(v.Watch)
	for _, text := range v.Contexts {
		s.Main.Talk.Tell(text)
	}
	s.Hooks.Say(v.Messages)
}
