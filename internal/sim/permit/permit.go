// Package permit decides on each use of a tool: by the hooks before it, by the rules and the mode
// of the session, and in the end by the SDK, which it asks.
package permit

import (
	"context"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
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

// Use is a use of a tool.
type Use struct {
	ID, Name string
	Input    object.Object // as hooks and the SDK see it
	Agent    string        // the subagent that uses it; "" for the session itself
	Server   any           // the member mcp_server, Absent for none
	Title    string        // for people
	Now      string        // where a command runs; "" for the working directory
	Occasion hooks.Occasion
	// Observed returns another input as hooks and the SDK see it.
	Observed func(input object.Object) object.Object
	// Denied is called when the tool is denied, Interrupt when the turn is to end by it.
	Denied, Interrupt func()
}

// Permit is what was decided of a use.
type Permit struct {
	Input    object.Object // in place of the one that was asked for; nil to leave it
	Decision object.Object // the member permission_decision
	Refusal  *Refusal      // why the tool is not used; nil if it is
}

// Refusal is why a tool is not used.
type Refusal struct {
	Text     string // that the model is told
	Kind     string // non_execution_kind; "" for none
	Decision object.Object
	// Wrong says that the tool is refused as one with a wrong input, Interrupted that the turn has
	// ended before it was decided on.
	Wrong, Interrupted bool
}

func accept(source, reason string) object.Object { return decision("accept", source, reason) }

func reject(source, reason string) object.Object { return decision("reject", source, reason) }

// decision is the member permission_decision of a result.
func decision(what, source, reason string) object.Object {
	return object.Of("decision", what, "source", source, "reason_type", object.If(reason != "", reason))
}

// refuse is the permit for a tool that is not used.
func refuse(text, kind string, decision object.Object) Permit {
	return Permit{Refusal: &Refusal{Text: text, Kind: kind, Decision: decision}}
}

// interrupted is the permit for a tool whose turn has ended.
func interrupted() Permit { return Permit{Refusal: &Refusal{Interrupted: true}} }

// ByHook is why a tool is not used that a hook has denied.
func (g *Gate) ByHook(u *Use, reason string) *Refusal {
	u.Denied()
	return refuse(reason, "permission-rule", reject("hook", "hook")).Refusal
}

// Decide decides on a use of a tool after its hooks have said what they think of it.
func (g *Gate) Decide(ctx context.Context, u *Use, v *hooks.Verdict) Permit {
	d := g.judge(u, v)
	d.Silent = v.Decision == "allow"
	switch d.Behavior {
	case permission.Allow:
		source := "config"
		switch {
		case d.Reason == "hook":
			source = "hook"
		case d.Source == permission.SessionRules:
			source = "user_temporary"
		}
		return Permit{Decision: accept(source, d.Reason)}
	case permission.Deny:
		return g.denied(ctx, u, d)
	}
	if !g.Asks {
		denied.Tell(g.Out, &denial{u, d})
		u.Denied()
		return refuse(d.Message, "user-rejected", reject("config", ""))
	}
	return g.ask(ctx, u, d)
}

// judge decides by the rules and the mode, with what hooks have decided before.
func (g *Gate) judge(u *Use, v *hooks.Verdict) permission.Decision {
	d := g.Policy.Decide(permission.Request{Tool: u.Name, Input: u.Input, Free: free(u.Name), Now: u.Now})
	switch {
	case d.Behavior == permission.Deny && d.Reason != "mode" && !d.Unchecked:
		return d // a rule beats a hook
	case v.Decision == "allow" && !d.Interactive && !d.ByRule:
		return permission.Decision{Behavior: permission.Allow, Reason: "hook"}
	case v.Decision == "ask":
		return permission.Decision{Behavior: permission.Ask, Reason: "hook", Text: v.Reason, Description: d.Description, Message: v.Reason,
			HookEvent: "PreToolUse", HookSource: "settings"}
	}
	return d
}

// Readable reports whether a file may be read without asking.
func (g *Gate) Readable(path string) bool {
	d := g.Policy.Decide(permission.Request{Tool: "Read", Input: object.Of("file_path", path)})
	return d.Behavior == permission.Allow
}

// asked are the built-in tools that the user is asked for.
var asked = map[string]bool{"WebFetch": true, "WebSearch": true, "Monitor": true}

// free reports whether a tool never asks.
func free(name string) bool { return !strings.HasPrefix(name, "mcp__") && !asked[name] }

// denied is the permit for a tool that a rule or the mode denies.
func (g *Gate) denied(ctx context.Context, u *Use, d permission.Decision) Permit {
	if d.Refused {
		return Permit{Refusal: &Refusal{Text: d.Message, Wrong: true, Decision: reject("config", d.Reason)}}
	}
	kind := "permission-rule"
	if d.Unchecked {
		kind = "automode-unavailable"
		g.warnUnchecked()
	}
	if !d.Silent {
		denied.Tell(g.Out, &denial{u, d})
	}
	u.Denied()
	if d.Unchecked {
		g.Hooks.Call(ctx, "PermissionDenied", u.Occasion, "tool_name", u.Name, "tool_input", u.Input, "tool_use_id", u.ID, "reason", d.Text)
	}
	return refuse(d.Message, kind, reject("config", d.Reason))
}

// warnUnchecked says, once, that the mode auto cannot check what tools do.
func (g *Gate) warnUnchecked() {
	g.mu.Lock()
	warned := g.warned
	g.warned = true
	g.mu.Unlock()
	if warned {
		return
	}
	g.Out.Line(object.Of("type", "system", "subtype", "informational", "content", "The session is in the mode auto, in which a check by the server "+
		"decides on tools that can do harm. That check does not run in this session: the address of the API is not the one that has it. "+
		"So tools that would need it are not used. Tools that read, and tools that change files in the working directory, are used as before. "+
		"Choose another permission mode to be asked for the others.",
		"isMeta", false, "timestamp", ids.Now(), "uuid", ids.UUID(), "level", "warning", "tag", "auto_mode_no_server_check", "session_id", g.Out.ID()))
}

// TellMode tells the SDK that the permission mode is another now.
func (g *Gate) TellMode(mode string) {
	g.Out.Tell("type", "system", "subtype", "status", "status", nil, "permissionMode", mode)
}
