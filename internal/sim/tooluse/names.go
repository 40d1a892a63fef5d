package tooluse

import (
	"slices"

	"github.com/ccwire/ccwire/internal/sim/template"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

// Names are the tools that the model can use.
func (b *Box) Names() []string {
	names := template.Texts("init.tools")
	if b.Flags.Has("tools") {
		chosen := b.Flags.Rules("tools")
		if len(chosen) != 1 || chosen[0] != "default" {
			names = chosen
		}
	}
	names = b.Servers.Names(names)
	if b.Structured() {
		names = append(names, "StructuredOutput")
	}
	kept := []string{}
	for _, name := range names {
		if !b.Policy.Disabled(name) && (name != "AskUserQuestion" || b.Flags.Value("permission-prompt-tool") == "stdio") {
			kept = append(kept, name)
		}
	}
	return kept
}

// missing refuses a tool that the session does not have.
func (b *Box) missing(name string) *tools.Refusal {
	if _, ok := b.scripted(name); ok {
		return nil
	}
	if b.Policy.Disabled(name) {
		return tools.Missing(name, true)
	}
	if b.hasTool(name) {
		return nil
	}
	return tools.Missing(name, dormant[name])
}

// dormant are tools that the CLI knows and most sessions do not have.
var dormant = map[string]bool{
	"TodoWrite": true, "AskUserQuestion": true, "TaskCreate": true, "TaskGet": true, "TaskList": true, "TaskUpdate": true, "LSP": true, "DesignSync": true,
}

// otherTools are names that tools have beside those that are listed.
var otherTools = map[string]bool{"Agent": true, "KillShell": true, "KillBash": true, "WebFetch": true, "CronDelete": true}

// hasTool reports whether the model can use a tool.
func (b *Box) hasTool(name string) bool {
	return slices.Contains(b.Names(), name) || otherTools[name]
}

// Structured reports whether the answer of the model must have a form of its own.
func (b *Box) Structured() bool {
	return b.Host.Structured() || b.Flags.Has("json-schema")
}
