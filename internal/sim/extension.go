package sim

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/template"
)

// extension is something that files add to the CLI: a command, a skill, or a subagent.
type extension struct {
	name        string
	description string // as lists have it
	hint        string // of the arguments
	text        string
	dir         string // of a skill
	plugin      string // that has it; "" for the project's own
	model       string // of a subagent
}

// plugin is a folder with extensions.
type plugin struct{ name, version, path string }

// extensions are what the files of the project and of plugins add.
type extensions struct {
	commands, skills, agents []*extension
	plugins                  []plugin
	memory                   string // CLAUDE.md
}

// maxExtension is how much of a file is read.
const maxExtension = 1 << 20

// loadExtensions reads what the project and the plugins add.
func (s *Session) loadExtensions() {
	var e extensions
	for _, dir := range []string{filepath.Join(s.place.ConfigDir()), filepath.Join(s.place.Dir(), ".claude")} {
		e.load(dir, "")
	}
	for _, dir := range s.flags.Values("plugin-dir") {
		var manifest object.Object
		if data, err := os.ReadFile(filepath.Join(dir, ".claude-plugin", "plugin.json")); err == nil {
			_ = manifest.UnmarshalJSON(data) // a plugin without a manifest is called as its folder
		}
		p := plugin{manifest.Text("name"), manifest.Text("version"), dir}
		if p.name == "" {
			p.name = filepath.Base(dir)
		}
		e.plugins = append(e.plugins, p)
		e.load(dir, p.name)
	}
	for _, name := range []string{filepath.Join(s.place.ConfigDir(), "CLAUDE.md"), filepath.Join(s.place.Dir(), "CLAUDE.md")} {
		if data, err := readLimited(name); err == nil {
			e.memory += string(data) + "\n"
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ext = e
}

func readLimited(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	return data[:min(len(data), maxExtension)], err
}

// load reads the commands, skills and subagents of a folder.
func (e *extensions) load(dir, plugin string) {
	read := func(pattern string, list *[]*extension, skill bool) {
		files, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is good
		for _, file := range files {
			data, err := readLimited(file)
			if err != nil {
				continue
			}
			head, text := frontMatter(string(data))
			x := &extension{name: strings.TrimSuffix(filepath.Base(file), ".md"), hint: head["argument-hint"], text: text, plugin: plugin, model: head["model"]}
			if skill {
				x.dir = filepath.Dir(file)
				x.name = filepath.Base(x.dir)
			}
			if head["name"] != "" {
				x.name = head["name"]
			}
			about := head["description"]
			if about == "" {
				about, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
			}
			x.description = about + " (project)"
			if plugin != "" {
				x.name = plugin + ":" + x.name
				x.description = "(" + plugin + ") " + about
			}
			*list = append(*list, x)
		}
	}
	read("commands/*.md", &e.commands, false)
	read("skills/*/SKILL.md", &e.skills, true)
	n := len(e.agents)
	read("agents/*.md", &e.agents, false)
	for _, a := range e.agents[n:] {
		a.description = strings.TrimSuffix(strings.TrimPrefix(a.description, "("+plugin+") "), " (project)")
	}
}

// frontMatter splits a file into the members at its top and its text.
func frontMatter(text string) (map[string]string, string) {
	head := map[string]string{}
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return head, text
	}
	top, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return head, text
	}
	for line := range strings.Lines(top) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			head[strings.TrimSpace(name)] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return head, body
}

// findCommand returns the command or skill of a name, nil if there is none.
func (s *Session) findCommand(name string) *extension {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range slices.Concat(s.ext.commands, s.ext.skills) {
		if x.name == name {
			return x
		}
	}
	return nil
}

var inlineCommand = regexp.MustCompile("!`([^`]*)`")

// expand is the text of a command with its arguments.
func (s *Session) expand(ctx context.Context, x *extension, args string) string {
	text := x.text
	if strings.Contains(text, "$ARGUMENTS") {
		text = strings.ReplaceAll(text, "$ARGUMENTS", args)
	} else if args != "" && x.dir == "" {
		text += "\n\nARGUMENTS: " + args
	}
	for i, arg := range strings.Fields(args) {
		if i < 9 {
			text = strings.ReplaceAll(text, "$"+string(rune('1'+i)), arg)
		}
	}
	if s.tools != nil {
		text = inlineCommand.ReplaceAllStringFunc(text, func(m string) string {
			r := s.tools.Run(ctx, "Bash", object.Of("command", inlineCommand.FindStringSubmatch(m)[1]))
			out, _ := r.Content.(string)
			return out
		})
	}
	if x.dir != "" {
		text = "Base directory for this skill: " + x.dir + "\n\n" + text
	}
	return text
}

// splitCommand splits a message that is a command into its name and arguments.
func splitCommand(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !ok {
		return "", "", false
	}
	name, args, _ = strings.Cut(rest, " ")
	return name, strings.TrimSpace(args), name != ""
}

// commands are the commands that the user can give, as the reply to initialize lists them: those of
// the project first, those of plugins after the skills that are built in.
func (s *Session) commands() []any {
	list := template.List("commands")
	if s.place.Get("CLAUDE_CODE_ENTRYPOINT") != "claude-desktop" {
		list = slices.DeleteFunc(list, func(c any) bool { return !c.(object.Object).Has("builtin") })
	}
	if s.place.Embedded() {
		list = slices.DeleteFunc(list, func(c any) bool { return c.(object.Object).Text("name") == "code-review" })
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var own, plugged []any
	for _, x := range slices.Concat(s.ext.skills, s.ext.commands) {
		o := object.Of("name", x.name, "description", x.description, "argumentHint", x.hint)
		if x.plugin == "" {
			own = append(own, o)
		} else {
			plugged = append(plugged, o)
		}
	}
	list = slices.Insert(list, 1, plugged...)
	for _, p := range s.mcp.servers.Prompts() {
		list = append(list, object.Of("name", p.Server+":"+p.Name+" (MCP)", "description", p.Description, "argumentHint", ""))
	}
	return append(own, list...)
}

// commandNames are the commands that system/init lists.
func (s *Session) commandNames() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := template.List("init.slash_commands")
	var own, plugged []any
	for _, x := range slices.Concat(s.ext.skills, s.ext.commands) {
		if x.plugin == "" {
			own = append(own, x.name)
		} else {
			plugged = append(plugged, x.name)
		}
	}
	list = slices.Insert(list, 1, plugged...)
	for _, p := range s.mcp.servers.Prompts() {
		list = append(list, p.Command)
	}
	return append(own, list...)
}

// skillNames are the skills that system/init lists.
func (s *Session) skillNames() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []any
	for _, x := range s.ext.skills {
		list = append(list, x.name)
	}
	return append(list, template.List("init.skills")...)
}

// agentNames are the subagents that system/init lists.
func (s *Session) agentNames() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := template.List("init.agents")
	for _, x := range s.ext.agents {
		list = append(list, x.name)
	}
	for _, m := range s.agents {
		list = append(list, m.Name)
	}
	return list
}

// agentList are the subagents that the reply to initialize lists.
func (s *Session) agentList() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := template.List("agents")
	if s.place.Desktop() || s.place.Embedded() {
		list = slices.Insert(list, 1, any(object.Of("name", "claude-code-guide", "description", "Answers questions about the CLI and its SDKs.", "model", "haiku")))
	}
	for _, x := range s.ext.agents {
		list = append(list, object.Of("name", x.name, "description", x.description, "model", object.If(x.model != "", x.model)))
	}
	for _, m := range s.agents {
		if o, ok := m.Value.(object.Object); ok {
			list = append(list, object.Of("name", m.Name, "description", o.Text("description"), "model", object.If(o.Has("model"), o.Get("model"))))
		}
	}
	return list
}

// pluginList are the plugins that system/init lists.
func (s *Session) pluginList() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []any
	for _, p := range s.ext.plugins {
		list = append(list, object.Of("name", p.name, "path", p.path, "source", p.name+"@inline", "version", object.If(p.version != "", p.version)))
	}
	return append(list, template.List("init.plugins")...)
}
