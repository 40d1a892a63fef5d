package tooluse

import (
	"context"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/template"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// Names are the tools that the model can use.
func (b *Box) Names() []string {
	names := template.Texts(b.Out.Release(), "init.tools")
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
	if b.Model.HasTool(name) {
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
var dormant = map[string]bool{"TodoWrite": true, "AskUserQuestion": true}

// otherTools are names that tools have beside those that are listed.
var otherTools = map[string]bool{"Agent": true, "KillShell": true, "KillBash": true, "WebFetch": true, "CronDelete": true}

// hasTool reports whether the model can use a tool.
func (b *Box) hasTool(name string) bool {
	return slices.Contains(b.Names(), name) || otherTools[name]
}

func (b *Box) searchTools(_ context.Context, u *turn.Use) turn.Result {
	query := u.Input.Text("query")
	matches, blocks := []any{}, []any{}
	names, selected := strings.CutPrefix(query, "select:")
	for _, name := range b.Names() {
		for _, word := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' }) {
			if name == word || !selected && strings.Contains(strings.ToLower(name), strings.ToLower(word)) {
				matches = append(matches, name)
				blocks = append(blocks, object.Of("type", "tool_reference", "tool_name", name))
				break
			}
		}
	}
	return secondID(u, blocks, object.Of("matches", matches, "query", query, "total_deferred_tools", deferredTools))
}

// deferredTools is how many tools the model has to search for.
const deferredTools = 13

// Structured reports whether the answer of the model must have a form of its own.
func (b *Box) Structured() bool {
	return b.Host.Structured() || b.Flags.Has("json-schema")
}
