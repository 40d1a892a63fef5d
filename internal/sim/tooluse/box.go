// Package tooluse uses tools for the model: it has the hooks before them called, asks whether they
// are allowed, runs them, and has the hooks after them called. Tools that act on the session itself
// are here; those that act on files and in the shell are in the package tools.
package tooluse

import (
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/permit"
	"github.com/ccwire/ccwire/internal/sim/servers"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// Box has the tools of a session.
type Box struct {
	turn.Parts
	Stage   *turn.Stage
	Tools   *tools.Set // nil if no tool acts
	Servers *servers.Servers
	Gate    *permit.Gate
	// Repository says that the session began in a repository.
	Repository bool

	mu    sync.Mutex      // guards the fields below
	plan  string          // the file of the model's plan; "" for none yet
	found map[string]bool // the tools that the model has searched for
	fresh []string        // those that Found has not returned yet
}

// scripted reports whether the script has a result for a use of a tool.
func (b *Box) scripted(u *turn.Use) bool {
	return b.Model.HasResult(u.Name, object.Append(nil, u.Input))
}

// Crons are the jobs that the model has planned.
func (b *Box) Crons() []any {
	if b.Tools == nil {
		return []any{}
	}
	return b.Tools.Jobs()
}
