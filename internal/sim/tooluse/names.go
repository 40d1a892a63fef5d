package tooluse

import (
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/sim/template"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// Names are the tools that the model can use.
func (b *Box) Names() []string {
	names := slices.DeleteFunc(template.Texts(b.Out.Release(), "init.tools"), func(name string) bool { return !b.offers(name) })
	if b.Structured() {
		i := slices.IndexFunc(names, func(name string) bool { return name > "StructuredOutput" && name != "Task" })
		if i < 0 {
			i = len(names)
		}
		names = slices.Insert(names, i, "StructuredOutput")
	}
	kept, played := []string{}, b.Ext.Agent(b.Flags.Value("agent"))
	for _, name := range b.Servers.Names(names) {
		if !b.Policy.Disabled(name) && (!played.Lacks(name) || strings.HasPrefix(name, "mcp__")) {
			kept = append(kept, name)
		}
	}
	return kept
}

// offers reports whether the session has a tool that is built in, if no rule takes it away.
func (b *Box) offers(name string) bool {
	chosen, all := b.Flags.Rules("tools"), true
	if b.Flags.Has("tools") && !slices.Equal(chosen, []string{"default"}) {
		all = false
		if !slices.Contains(chosen, name) && (name != "Task" || !slices.Contains(chosen, "Agent")) {
			return false
		}
	}
	if b.Bare() && !slices.Contains([]string{"Bash", "Edit", "Read"}, name) {
		return false
	}
	switch name {
	case "CronCreate", "CronDelete", "CronList":
		if b.Place.On("CLAUDE_CODE_DISABLE_CRON") {
			return false
		}
	case "Workflow":
		if b.Place.On("CLAUDE_CODE_DISABLE_WORKFLOWS") {
			return false
		}
	case "ToolSearch":
		if b.Place.Off("ENABLE_TOOL_SEARCH") || b.Place.On("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS") {
			return false
		}
	}
	if (name == "Glob" || name == "Grep") && !b.Out.Release().Before("2.1.290") { // what Bash does in most sessions
		return !all || b.Place.Embedded() || b.Policy.Denies("Bash") || b.allows(searches) || slices.Contains(b.Ext.Agent(b.Flags.Value("agent")).Tools, name)
	}
	if b.Out.Release().Before("2.1.325") { // their recordings do not show more
		return name != "AskUserQuestion" || b.Flags.Has("permission-prompt-tool")
	}
	switch name {
	case "AskUserQuestion", "EnterPlanMode", "ExitPlanMode":
		return b.Flags.Has("permission-prompt-tool")
	case "Monitor":
		return !b.Policy.Disabled("Bash") && !b.Ext.Agent(b.Flags.Value("agent")).Lacks("Bash")
	case "Skill":
		return !b.Flags.Has("disable-slash-commands")
	case "TaskCreate", "TaskGet", "TaskList", "TaskUpdate":
		return b.Place.On("CLAUDE_CODE_ENABLE_TODO_TOOLS") || b.allows(lists) || models.AbilitiesOf(b.Chosen.Get()).Lists
	}
	return true
}

// Tools that most sessions do not have, and that come if one of their kind is named in
// --allowedTools.
var (
	searches = []string{"Glob", "Grep"}
	lists    = []string{"TodoWrite", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"}
)

// allows reports whether --allowedTools names one of some tools.
func (b *Box) allows(names []string) bool {
	return slices.ContainsFunc(b.Flags.Rules("allowedTools"), func(rule string) bool {
		tool, _, _ := strings.Cut(rule, "(")
		return slices.Contains(names, tool)
	})
}

// missing refuses a tool that the session, or the subagent that wants to use it, does not have.
func (b *Box) missing(a *turn.Agent, name string) *tools.Refusal {
	if why := b.denied(a, name); why != "" {
		text := "Error: No such tool available: " + name + ". " + name + why
		return &tools.Refusal{Text: text, Use: text}
	}
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

// mainOnly are the tools that no subagent has.
var mainOnly = []string{"AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "ScheduleWakeup", "Workflow"}

// denied says why a subagent does not have a tool; "" if it has.
func (b *Box) denied(a *turn.Agent, name string) string {
	if a.ID == "" {
		return ""
	}
	if slices.Contains(mainOnly, name) {
		return " is not available inside subagents."
	}
	if a.Type.Lacks(name) {
		return " is not among the tools available here."
	}
	return ""
}

// dormant are tools that the CLI knows and most sessions do not have.
var dormant = map[string]bool{
	"TodoWrite": true, "AskUserQuestion": true, "TaskCreate": true, "TaskGet": true, "TaskList": true, "TaskUpdate": true, "LSP": true, "DesignSync": true,
}

// otherTools are names that tools have beside those that are listed.
var otherTools = map[string]string{"Agent": "Task", "KillShell": "TaskStop", "KillBash": "TaskStop"}

// Has reports whether the session has a tool that is not disabled.
func (b *Box) Has(name string) bool { return b.hasTool(name) && !b.Policy.Disabled(name) }

// hasTool reports whether the model can use a tool.
func (b *Box) hasTool(name string) bool {
	names := b.Names()
	if slices.Contains(names, name) {
		return true
	}
	if listed, ok := otherTools[name]; ok {
		name = listed
	}
	return slices.Contains(names, name) || b.unlisted(name)
}

// unlisted reports whether an older version may have a tool that its recordings do not list: they
// keep a few elements of each list. Those that have Glob and Grep list them.
func (b *Box) unlisted(name string) bool {
	return name != "Glob" && name != "Grep" && b.Out.Release().Before("2.1.325") && !b.Flags.Has("tools") && slices.Contains(template.Texts(release.Newest(), "init.tools"), name)
}

// Structured reports whether the answer of the model must have a form of its own.
func (b *Box) Structured() bool {
	return b.Host.Form() != nil
}
