package turn

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/models"
)

// absent are the commands that need a terminal.
var absent = commandSet(`add-dir advisor allowed-tools branch brief btw bug chrome copy desktop diff exit export extra-usage feedback fork help hooks ide
	install-github-app keybindings login logout memory mobile passes permissions plan plugin privacy-settings quit release-notes
	remote-control remote-env resume rewind sandbox schedule skills status statusline stickers tasks terminal-setup theme tui upgrade vim voice web-setup`)

func commandSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

// spoken are the commands that the CLI answers with a text.
var spoken = map[string]func(s *Stage, args string) string{
	"agents": func(*Stage, string) string {
		return "There is no dialog for subagents here. They are files in .claude/agents."
	},
	"autocompact": func(*Stage, string) string {
		return "The conversation is compacted when the model's window is nearly full."
	},
	"color":        func(_ *Stage, args string) string { return "Session color set to: " + cmp.Or(args, "orange") },
	"config":       func(*Stage, string) string { return "Usage: /config key=value [key=value ...]" },
	"effort":       (*Stage).effortText,
	"fast":         func(*Stage, string) string { return "Fast mode is not available here." },
	"focus":        func(*Stage, string) string { return "/focus isn't available here yet" },
	"goal":         func(*Stage, string) string { return "There is no goal. Usage: `/goal <condition>`" },
	"list-agents":  func(*Stage, string) string { return "There are no other agents." },
	"mcp":          (*Stage).serversText,
	"model":        (*Stage).modelText,
	"output-style": (*Stage).styleText,
	"reload-plugins": func(s *Stage, _ string) string {
		s.Ext.Load()
		return fmt.Sprintf("Reloaded: %d plugins · 0 skills · %d agents · 0 hooks · 0 plugin LSP servers", len(s.Ext.PluginList()), len(s.Ext.AgentList()))
	},
	"reload-skills": func(s *Stage, _ string) string {
		s.Ext.Load()
		return "The skills were read again."
	},
}

// modelText says which model is asked, after it was chosen if that is wanted.
func (s *Stage) modelText(name string) string {
	if name == "" {
		return "Current model: `" + models.Title(s.Chosen.Get()) + "`\nUsage: /model <name>"
	}
	s.Chosen.Set(name)
	return "Set model to `" + models.Title(s.Chosen.Get()) + "` for this session only"
}

// serversText tells of the MCP servers.
func (s *Stage) serversText(args string) string {
	const usage, none = "Usage: /mcp [reconnect|enable|disable [<server>|all]]. No name means all of them.",
		"No MCP server is known here. `claude mcp add` adds one."
	states := s.Servers.States()
	words := strings.Fields(args)
	switch {
	case len(words) == 0 && len(states) == 0:
		return none + "\n" + usage
	case len(words) == 0:
		count := map[string]int{}
		for _, state := range states {
			count[state]++
		}
		return fmt.Sprintf("%d MCP server(s): %d connected, %d not connected, %d disabled. A terminal with `/mcp` tells more.", len(states),
			count["connected"], len(states)-count["connected"]-count["disabled"], count["disabled"])
	case words[0] == "help":
		return usage
	case words[0] != "reconnect" && words[0] != "enable" && words[0] != "disable":
		return fmt.Sprintf("/mcp does not know %q. It knows reconnect, enable and disable.", words[0])
	case len(words) > 1 && words[1] != "all" && states[words[1]] == "":
		return fmt.Sprintf("No MCP server is named %q. A terminal with `/mcp` lists them.", words[1])
	case len(states) == 0:
		return none
	}
	return "A session like this one cannot reconnect, enable or disable servers."
}

// effortText sets how much the model thinks, and says so.
func (s *Stage) effortText(args string) string {
	switch level := strings.ToLower(args); level {
	case "":
		return "Usage: /effort <low|medium|high|xhigh|max|auto|ultracode [on|off]>"
	case "low", "medium", "high", "xhigh", "max":
		s.setLevel(level)
		return "Set effort level to " + level + " (this session only): the model thinks as much from now on"
	case "auto":
		s.setLevel("")
		return "Effort level set to auto (this session only)"
	case "ultracode", "ultracode on", "ultracode off":
		return "Ultracode is " + cmp.Or(strings.TrimPrefix(level, "ultracode "), "on") + " (this session only). The effort stays " + s.effort(s.Chosen.Get()) + "."
	}
	text := "Unknown option: " + args + ". Options: "
	if s.Out.Release().Before("2.1.327") {
		text = "Invalid argument: " + args + ". Valid options are: "
	}
	return text + "low, medium, high, xhigh, max, auto, ultracode [on|off]"
}

// chooseStyle has the model's texts written in a style, if there is one of that name.
func (s *Stage) chooseStyle(name string) {
	for _, known := range s.Ext.StyleNames() {
		if style := known.(string); name != "" && strings.EqualFold(style, name) {
			s.Settings.Style(style)
		}
	}
}

// styleText says which style is chosen, or lists the styles of the model's texts.
func (s *Stage) styleText(name string) string {
	var b strings.Builder
	if name != "" {
		fmt.Fprintf(&b, "The style %s was asked for. ", name)
	}
	b.WriteString("The styles are:\n")
	for _, name := range s.Ext.StyleNames() {
		b.WriteString("- " + name.(string) + "\n")
	}
	return b.String()
}

// speak answers a command that needs no more than a text. It reports false if it is none.
func (t *Turn) speak(name, args string) (Outcome, bool) {
	said := func(text string, more ...any) Outcome {
		o := t.say(text, "<local-command-stdout>"+text+"</local-command-stdout>", more...)
		o.Subtype, o.Silent = "success", true
		return o
	}
	text, ok := spoken[name]
	if !ok && !absent[name] {
		return Outcome{}, false
	}
	if name == "output-style" {
		t.stage.chooseStyle(args)
	}
	t.stage.Init(t.uuids)
	if !ok {
		return said("/"+name+" isn't available in this environment.", "local_command_outcome", object.Of("kind", "unavailable_headless")), true
	}
	o := said(text(t.stage, args), "local_command_run", object.Of("command", name, "args", args))
	o.Command = strings.ReplaceAll(name, "-", "_")
	return o, true
}
