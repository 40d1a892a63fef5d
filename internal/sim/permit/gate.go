package permit

import (
	"sync"

	"github.com/ccwire/ccwire/internal/object"
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
	// Asked and Answered, if set, are called before a question and after its answer.
	Asked, Answered func()
	// API is where the model is asked, "" for its usual place.
	API string
	// Save writes updates to the files of settings that they are for; nil does not.
	Save func(updates []object.Object)

	mu     sync.Mutex // guards warned
	warned bool       // that the mode auto cannot check
}

// apply changes what may be done as the user wants it.
func (g *Gate) apply(updates []any) {
	applied, mode := g.Policy.Apply(updates)
	if mode {
		g.TellMode(g.Policy.Mode())
	}
	if !applied || g.Save == nil {
		return
	}
	var kept []object.Object
	for _, u := range updates {
		switch u := u.(object.Object); permission.Source(u.Text("destination")) {
		case permission.UserSettings, permission.ProjectSettings, permission.LocalSettings:
			kept = append(kept, u)
		}
	}
	if len(kept) > 0 {
		g.Save(kept)
	}
}

// TellMode tells the SDK that the permission mode is another now.
func (g *Gate) TellMode(mode string) {
	g.Out.Tell("type", "system", "subtype", "status", "status", nil, "permissionMode", mode)
}
