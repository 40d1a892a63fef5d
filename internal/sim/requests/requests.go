// Package requests has what the CLI does for the requests of the SDK. It owns nothing: it asks the
// owners of the session's state.
package requests

import (
	"sync/atomic"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/permit"
	"github.com/ccwire/ccwire/internal/sim/servers"
	"github.com/ccwire/ccwire/internal/sim/settings"
	"github.com/ccwire/ccwire/internal/sim/template"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/tooluse"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// Parts are the owners that requests ask.
type Parts struct {
	turn.Parts
	Start    time.Time // of the session
	Stage    *turn.Stage
	Gate     *permit.Gate
	Tools    *tools.Set // nil if no tool acts
	Box      *tooluse.Box
	Servers  *servers.Servers
	Settings *settings.Store
	Fence    *fence.Fence
	listed   atomic.Pointer[string] // the model for which the commands were told last

	// SettingsChanged is called when the settings are others.
	SettingsChanged func()
}

// handlers serve requests, by subtype.
type handlers = map[string]control.Handler

// slow says that a request is served in a goroutine of its own.
func slow() bool { return true }

// Memory is the response to a request that the CLI always answers alike.
func (p *Parts) Memory(subtype string) (response object.Object, ok bool) {
	return template.Answer(p.Out.Release(), subtype, template.Session{
		Cwd: p.Place.Dir(), Config: p.Place.ConfigDir(), Home: p.Place.Get("HOME"), Tmp: p.Place.TmpDir(), Version: p.Out.Version(),
	})
}

// templateBody is the body of such a response.
func (p *Parts) templateBody(subtype string) object.Object {
	response, _ := p.Memory(subtype)
	return response.Object("response")
}

// rename gives the session a title.
func (p *Parts) rename(title string) {
	p.Out.Tell("type", "system", "subtype", "session_title_changed", "title", title)
	p.Transcript.Titled(title)
}

// reload reads the commands again, and tells of them if they are for another model now.
func (p *Parts) reload() {
	p.Ext.Load()
	model := p.Chosen.Get()
	if was := p.listed.Swap(&model); was != nil && *was != model && !p.Out.Release().Before("2.1.325") {
		p.Out.Tell("type", "system", "subtype", "commands_changed", "commands", p.commands())
	}
}

// commands are the commands that the user can give.
func (p *Parts) commands() []any {
	var prompts []any
	for _, m := range p.Servers.Prompts() {
		prompts = append(prompts, object.Of("name", m.Server+":"+m.Name+" (MCP)", "description", m.Description, "argumentHint", ""))
	}
	return p.Ext.Commands(prompts...)
}
