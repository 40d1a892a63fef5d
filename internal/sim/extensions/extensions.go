// Package extensions owns what files and the SDK add to the CLI: commands, skills, subagents,
// plugins, and the instructions for every conversation.
package extensions

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Extension is something that files add to the CLI: a command, a skill, or a subagent.
type Extension struct {
	Name        string
	Description string // as lists have it
	Hint        string // of the arguments
	Text        string
	Dir         string // of a skill
	Plugin      string // that has it; "" for the project's own
	Model       string // of a subagent
}

// Plugin is a folder with extensions.
type Plugin struct{ Name, Version, Path string }

// Extensions are what the files of the project and of plugins add, and the subagents of the SDK.
// Its methods may be called at the same time.
type Extensions struct {
	place   *workspace.Workspace
	dirs    []string // of plugins
	release *release.Release

	mu     sync.Mutex // guards the fields below
	files  files
	agents object.Object // the subagents that the SDK has defined
}

// files are what files add.
type files struct {
	commands, skills, agents []*Extension
	plugins                  []Plugin
	memory                   string // CLAUDE.md
}

// New returns the extensions of a workspace and of plugins in folders, for a version of the CLI.
func New(place *workspace.Workspace, plugins []string, r *release.Release) *Extensions {
	return &Extensions{place: place, dirs: plugins, release: r}
}

// maxExtension is how much of a file is read.
const maxExtension = 1 << 20

// Load reads what the project and the plugins add.
func (e *Extensions) Load() {
	var f files
	for _, dir := range []string{e.place.ConfigDir(), filepath.Join(e.place.Dir(), ".claude")} {
		f.load(dir, "")
	}
	for _, dir := range e.dirs {
		var manifest object.Object
		if data, err := os.ReadFile(filepath.Join(dir, ".claude-plugin", "plugin.json")); err == nil {
			_ = manifest.UnmarshalJSON(data) // a plugin without a manifest is called as its folder
		}
		p := Plugin{manifest.Text("name"), manifest.Text("version"), dir}
		if p.Name == "" {
			p.Name = filepath.Base(dir)
		}
		f.plugins = append(f.plugins, p)
		f.load(dir, p.Name)
	}
	for _, name := range []string{filepath.Join(e.place.ConfigDir(), "CLAUDE.md"), filepath.Join(e.place.Dir(), "CLAUDE.md")} {
		if data, err := Read(name); err == nil {
			f.memory += string(data) + "\n"
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.files = f
}

// Read reads a file that people write, up to a limit.
func Read(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	return data[:min(len(data), maxExtension)], err
}

// load reads the commands, skills and subagents of a folder.
func (f *files) load(dir, plugin string) {
	read := func(pattern string, list *[]*Extension, skill bool) {
		paths, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is good
		for _, file := range paths {
			data, err := Read(file)
			if err != nil {
				continue
			}
			head, text := frontMatter(string(data))
			x := &Extension{Name: strings.TrimSuffix(filepath.Base(file), ".md"), Hint: head["argument-hint"], Text: text, Plugin: plugin, Model: head["model"]}
			if skill {
				x.Dir = filepath.Dir(file)
				x.Name = filepath.Base(x.Dir)
			}
			if head["name"] != "" {
				x.Name = head["name"]
			}
			about := head["description"]
			if about == "" {
				about, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
			}
			x.Description = about + " (project)"
			if plugin != "" {
				x.Name = plugin + ":" + x.Name
				x.Description = "(" + plugin + ") " + about
			}
			*list = append(*list, x)
		}
	}
	read("commands/*.md", &f.commands, false)
	read("skills/*/SKILL.md", &f.skills, true)
	n := len(f.agents)
	read("agents/*.md", &f.agents, false)
	for _, a := range f.agents[n:] {
		a.Description = strings.TrimSuffix(strings.TrimPrefix(a.Description, "("+plugin+") "), " (project)")
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

// Command returns the command or skill of a name, nil if there is none.
func (e *Extensions) Command(name string) *Extension {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range slices.Concat(e.files.commands, e.files.skills) {
		if x.Name == name {
			return x
		}
	}
	return nil
}

var inlineCommand = regexp.MustCompile("!`([^`]*)`")

// Expand is the text of a command with its arguments. The commands of the shell in it are run by
// run; if that is nil they stay as they are.
func (x *Extension) Expand(args string, run func(command string) string) string {
	text := x.Text
	if strings.Contains(text, "$ARGUMENTS") {
		text = strings.ReplaceAll(text, "$ARGUMENTS", args)
	} else if args != "" && x.Dir == "" {
		text += "\n\nARGUMENTS: " + args
	}
	for i, arg := range strings.Fields(args) {
		if i < 9 {
			text = strings.ReplaceAll(text, "$"+string(rune('1'+i)), arg)
		}
	}
	if run != nil {
		text = inlineCommand.ReplaceAllStringFunc(text, func(m string) string { return run(inlineCommand.FindStringSubmatch(m)[1]) })
	}
	if x.Dir != "" {
		text = "Base directory for this skill: " + x.Dir + "\n\n" + text
	}
	return text
}

// Split splits a message that is a command into its name and arguments.
func Split(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !ok {
		return "", "", false
	}
	name, args, _ = strings.Cut(rest, " ")
	return name, strings.TrimSpace(args), name != ""
}

// SetAgents replaces the subagents that the SDK has defined.
func (e *Extensions) SetAgents(agents object.Object) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.agents = agents
}

// AgentPrompt is what a subagent of a type is told; "" for nothing.
func (e *Extensions) AgentPrompt(kind string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.agents.Object(kind).Text("prompt"); p != "" {
		return p
	}
	for _, x := range e.files.agents {
		if x.Name == kind {
			return x.Text
		}
	}
	return ""
}

// AgentModel is the name of the model that the SDK has chosen for a subagent of a type.
func (e *Extensions) AgentModel(kind string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.agents.Object(kind).Text("model")
}

// Memory is what CLAUDE.md tells the model.
func (e *Extensions) Memory() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.files.memory
}

// Plugins are the plugins.
func (e *Extensions) Plugins() []Plugin {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.files.plugins
}

// Skills are the skills of the project and of plugins.
func (e *Extensions) Skills() []*Extension {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.files.skills
}
