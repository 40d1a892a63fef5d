package permit

import (
	"sync"

	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/permission"
)

// Gate decides on uses of tools.
type Gate struct {
	Policy *permission.Policy
	Hooks  *hooks.Caller
	Out    *output.Session
	Calls  *calls.Calls
	Life   *life.Life
	// Asks says that the SDK can be asked.
	Asks bool

	mu     sync.Mutex // guards warned
	warned bool       // that the mode auto cannot check
}

// apply changes what may be done as the user wants it.
func (g *Gate) apply(updates []any) {
	if len(updates) > 0 && g.Policy.Apply(updates) {
		g.TellMode(g.Policy.Mode())
	}
}

// TellMode tells the SDK that the permission mode is another now.
func (g *Gate) TellMode(mode string) {
	g.Out.Tell("type", "system", "subtype", "status", "status", nil, "permissionMode", mode)
}
