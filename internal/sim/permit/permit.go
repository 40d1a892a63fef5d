// Package permit decides on each use of a tool: by the hooks before it, by the rules and the mode
// of the session, and in the end by the SDK, which it asks.
package permit

import (
	"context"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/permission"
)

// ByHook is why a tool is not used that a hook has denied.
func (g *Gate) ByHook(u *Use, reason string) *Refusal {
	if !g.Out.Release().Before("2.1.200") { // these do not count it
		u.Denied()
	}
	return refuse(reason, "permission-rule", reject("hook", "hook")).Refusal
}

// Decide decides on a use of a tool after its hooks have said what they think of it.
func (g *Gate) Decide(ctx context.Context, u *Use, v *hooks.Verdict) Permit {
	d := g.judge(u, v)
	d.Silent = v.Decision == "allow" && !d.Unchecked || u.Alone
	switch d.Behavior {
	case permission.Allow:
		source := "config"
		switch {
		case d.Reason == "hook":
			source = "hook"
		case d.Source == permission.SessionRules:
			source = "user_temporary"
		case (d.Source == permission.UserSettings || d.Source == permission.LocalSettings) && !g.Out.Release().Before("2.1.325"):
			source = "user_permanent"
		}
		return Permit{Decision: accept(source, d.Reason)}
	case permission.Deny:
		return g.denied(ctx, u, d)
	}
	if !g.Asks || u.Alone {
		if g.hooksAnswer(u) && !u.Alone {
			if a := g.callHooks(ctx, u, d, u.Occasion); a != nil {
				p := g.answeredByHook(u, a)
				if p.Refusal != nil {
					denied.Tell(g.Out, &denial{u, permission.Decision{Reason: "hook", Text: a.Text("message"), Message: hookMessage(a)}})
				}
				return p
			}
		}
		if !u.Alone {
			denied.Tell(g.Out, &denial{u, d})
		}
		u.Denied()
		return refuse(d.Message, "user-rejected", reject("config", ""))
	}
	return g.ask(ctx, u, d)
}

// Forbids returns why a file is not used that a rule denies, nil if none does.
func (g *Gate) Forbids(ctx context.Context, u *Use) *Refusal {
	if d := g.decide(u); d.Behavior == permission.Deny && d.Refused {
		return g.denied(ctx, u, d).Refusal
	}
	return nil
}

// Denies decides by the rules and the mode alone. It reports true if that denies the use, and
// nobody is asked.
func (g *Gate) Denies(u *Use) (permission.Decision, bool) {
	d := g.decide(u)
	return d, d.Behavior == permission.Deny && !d.Unchecked || d.Behavior == permission.Ask && !g.Asks && !g.hooksAnswer(u)
}

// Unchecked reports whether the mode denies a use because it cannot be checked, and no hook is
// called for that.
func (g *Gate) Unchecked(u *Use) bool {
	d := g.decide(u)
	return d.Behavior == permission.Deny && d.Unchecked && len(g.Hooks.Match("PermissionDenied", u.Name)) == 0
}

// decide decides by the rules and the mode alone.
func (g *Gate) decide(u *Use) permission.Decision {
	return g.Policy.Decide(permission.Request{
		Tool: u.Name, Input: u.Input, Free: free(u.Name), Now: u.Now, Fresh: u.Fresh, Mode: u.Mode, Changes: u.Changes, Brings: u.Brings, About: u.About,
	})
}

// judge decides by the rules and the mode, with what hooks have decided before.
func (g *Gate) judge(u *Use, v *hooks.Verdict) permission.Decision {
	d := g.decide(u)
	switch {
	case d.Behavior == permission.Deny && d.Reason != "mode" && !d.Unchecked:
		return d // a rule beats a hook
	case v.Decision == "allow" && g.planned(u, d):
		return d // so does the mode plan
	case v.Decision == "allow" && !d.Interactive && !d.ByRule:
		return permission.Decision{Behavior: permission.Allow, Reason: "hook"}
	case v.Decision == "ask":
		return permission.Decision{Behavior: permission.Ask, Reason: "hook", Text: v.Reason, Description: d.Description, Message: v.Reason,
			Blank: u.Name == "Bash", HookEvent: "PreToolUse", HookSource: "settings"}
	}
	return d
}

// planned reports whether the mode plan keeps a file from being changed, or a command from running.
func (g *Gate) planned(u *Use, d permission.Decision) bool {
	return g.Policy.Mode() == "plan" && (d.Behavior == permission.Ask && d.Reason == "mode" || d.Unchecked && u.Name == "Bash")
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
		u.Denied()
		return Permit{Refusal: &Refusal{Text: d.Message, Wrong: true, Decision: reject(g.denier(d), d.Reason)}}
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
	return refuse(d.Message, kind, reject(g.denier(d), d.Reason))
}

// denier is who has denied a tool: its user, by a rule of their own, or the configuration.
func (g *Gate) denier(d permission.Decision) string {
	own := (d.Source == permission.UserSettings || d.Source == permission.LocalSettings) && !g.Out.Release().Before("2.1.325")
	if d.Source == permission.SessionRules || own && d.Reason == "rule" {
		return "user_reject"
	}
	return "config"
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
	api := "the API that is asked"
	if g.API != "" {
		api = g.API
	}
	g.Out.Line(object.Of("type", "system", "subtype", "informational", "content", "The session is in the mode auto, in which a check by the server "+
		"decides on tools that can do harm. That check does not run in this session: "+api+" does not have it. "+
		"So tools that would need it are not used. Tools that read, and tools that change files in the working directory, are used as before. "+
		"Choose another permission mode to be asked for the others.",
		"isMeta", false, "timestamp", ids.Now(), "uuid", ids.UUID(), "level", "warning", "tag", "auto_mode_no_server_check", "session_id", g.Out.ID()))
}
