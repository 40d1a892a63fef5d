package turn

import (
	"context"
	"strings"

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
	// States are the states of the servers by their names.
	States() map[string]string
	// Meta is the member tool_use_meta for a use of a tool, Absent for none.
	Meta(id, tool string, there bool) any
}

// Settings are the settings, as turns see them.
type Settings interface {
	// Look notes how the files of the settings are.
	Look()
	// Settle reads those again that have changed meanwhile.
	Settle(o hooks.Occasion)
	// Style chooses the style of the model's texts.
	Style(name string)
}

// Bare reports whether the session has little beside its conversation.
func (p *Parts) Bare() bool { return p.Flags.Has("bare") || p.Place.On("CLAUDE_CODE_SIMPLE") }

// systemPrompt is what the model is told beside every conversation.
func (p *Parts) systemPrompt() string {
	instead, after := p.Host.SystemPrompt()
	return strings.Join([]string{instead, after, p.Flags.Value("system-prompt"), p.Flags.Value("append-system-prompt"),
		p.Ext.AgentPrompt(p.Flags.Value("agent")), p.Ext.Memory()}, "\n")
}
