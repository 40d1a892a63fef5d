package requests

import (
	"os"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/transcript"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// About is what an agent's model is told of the session.
func (p *Parts) About(a *turn.Agent) *transcript.About {
	model := p.Stage.ModelOf(a)
	s := &transcript.About{
		Dir: p.Place.Cwd(), Repository: p.Box.Repository, Worktree: p.Place.Entered() != nil, Folders: p.Policy.Folders(), System: system(),
		Model: transcript.Model{
			ID: model, Title: models.Title(model), Cutoff: models.Cutoff(model), Turns: !models.AbilitiesOf(model).Lists,
		},
		Connected: a.ID == "",
	}
	known, deferred := p.Box.Split(a)
	s.Tools = known
	if slices.Contains(known, "ToolSearch") {
		s.Deferred = deferred
	}
	if slices.Contains(known, "Agent") && !a.Background {
		s.Agents, s.BuiltIn = p.agents()
	}
	if slices.Contains(known, "Skill") {
		for _, v := range p.Ext.Reloaded() {
			o := v.(object.Object)
			s.Skills = append(s.Skills, transcript.Listed{Name: o.Text("name"), About: o.Text("description")})
		}
	}
	for _, f := range p.Ext.Files() {
		s.Files = append(s.Files, object.Of("path", f.Path, "type", f.Whose, "content", strings.TrimSpace(f.Text)))
	}
	return s
}

// agents are the types of subagents, and those that are built in.
func (p *Parts) agents() (all []transcript.Listed, builtIn []string) {
	for _, v := range p.Ext.AgentList() {
		o := v.(object.Object)
		name := o.Text("name")
		kind, tools := p.Ext.Agent(name), "*"
		switch {
		case len(kind.Tools) > 0:
			tools = strings.Join(kind.Tools, ", ")
		case len(kind.Disallowed) > 0:
			tools = "All tools except " + strings.Join(kind.Disallowed, ", ")
		}
		all = append(all, transcript.Listed{Name: name, About: o.Text("description"), Tools: tools})
		if p.Ext.BuiltIn(name) {
			builtIn = append(builtIn, name)
		}
	}
	return all, builtIn
}

// system is the operating system and its version.
func system() string {
	version, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "Linux"
	}
	return "Linux " + strings.TrimSpace(string(version))
}
