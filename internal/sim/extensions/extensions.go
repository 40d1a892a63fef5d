// Package extensions owns what files and the SDK add to the CLI: commands, skills, subagents,
// output styles, plugins, and the instructions for every conversation.
package extensions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Extension is something that files add to the CLI: a command, a skill, a subagent, or an output
// style.
type Extension struct {
	Name        string
	Title       string // that its file gives it, if that is another
	Description string // as lists have it
	Purpose     string // the same, as its file has it
	Hint        string // of the arguments
	Text        string
	Dir         string    // of a skill
	Plugin      string    // that has it; "" for those of the user and the project
	Source      string    // "userSettings", "projectSettings" or "plugin"
	Model       string    // that is asked for it; "" for the session's
	Allowed     []string  // rules for the tools that a command may use
	Fork        bool      // it has a conversation of its own
	As          string    // the type of the subagent that has it; "" for the usual one
	Hidden      bool      // only the model can use it
	ByHand      bool      // only the user can
	Unexplained bool      // a skill that does not say what it is for
	Agent       AgentType // of a subagent
}

// Plugin is a folder with extensions.
type Plugin struct{ Name, Version, Path string }

// Options say where extensions are looked for.
type Options struct {
	Plugins              []string         // folders of plugins
	User, Project, Local bool             // whose files count
	NoCommands           bool             // there are neither commands nor skills
	Release              *release.Release // nil is the newest
}

// Extensions are what the files of the user, of the project and of plugins add, and the subagents
// of the SDK. Its methods may be called at the same time.
type Extensions struct {
	place   *workspace.Workspace
	options Options

	mu     sync.Mutex // guards the fields below
	files  files
	agents object.Object // the subagents that the SDK has defined
}

// files are what files add.
type files struct {
	commands, skills, agents, styles []*Extension
	plugins                          []Plugin
	missing                          []Plugin // that are not there
	memory                           []Instructions
	rules                            []Rule
}

// New returns the extensions of a workspace.
func New(place *workspace.Workspace, o Options) *Extensions {
	if o.Release == nil {
		o.Release = release.Newest()
	}
	return &Extensions{place: place, options: o}
}

// maxExtension is how much of a file is read.
const maxExtension = 1 << 20

// Load reads what the user, the project and the plugins add.
func (e *Extensions) Load() {
	var f files
	if e.options.User {
		f.load(e.place.ConfigDir(), "userSettings", "")
	}
	if e.options.Project {
		f.load(filepath.Join(e.place.Dir(), ".claude"), "projectSettings", "")
	}
	slices.SortStableFunc(f.commands, func(a, b *Extension) int { return strings.Compare(a.Name, b.Name) })
	f.commands = slices.CompactFunc(f.commands, func(a, b *Extension) bool { return a.Name == b.Name })
	for i, dir := range e.options.Plugins {
		if _, err := os.Stat(dir); err != nil {
			f.missing = append(f.missing, Plugin{Name: fmt.Sprintf("inline[%d]", i), Path: dir})
			continue
		}
		var manifest object.Object
		if data, err := os.ReadFile(filepath.Join(dir, ".claude-plugin", "plugin.json")); err == nil {
			_ = manifest.UnmarshalJSON(data) // a plugin without a manifest is called as its folder
		}
		p := Plugin{manifest.Text("name"), manifest.Text("version"), dir}
		if p.Name == "" {
			p.Name = filepath.Base(dir)
		}
		f.plugins = append(f.plugins, p)
		f.load(dir, "plugin", p.Name)
	}
	f.memory, f.rules = e.remember()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.files = f
}

// Read reads a file that people write, up to a limit.
func Read(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	return data[:min(len(data), maxExtension)], err
}

// load reads the commands, skills, subagents and output styles of a folder.
func (f *files) load(dir, source, plugin string) {
	each := func(kind string, add func(x *Extension, rel string, head map[string]string)) {
		root := filepath.Join(dir, kind)
		for _, rel := range markdown(root) {
			data, err := Read(filepath.Join(root, rel))
			if err != nil {
				continue
			}
			head, text := frontMatter(string(data))
			x := &Extension{
				Description: head["description"], Hint: head["argument-hint"], Text: text, Plugin: plugin, Source: source, Model: head["model"],
				Allowed: list(head["allowed-tools"]), Hidden: head["user-invocable"] == "false", ByHand: head["disable-model-invocation"] == "true",
				Fork: head["context"] == "fork", As: head["agent"],
			}
			add(x, rel, head)
		}
	}
	each("commands", func(x *Extension, rel string, head map[string]string) {
		x.Name = strings.ReplaceAll(strings.TrimSuffix(filepath.ToSlash(rel), ".md"), "/", ":")
		f.commands = append(f.commands, x.listed())
	})
	each("skills", func(x *Extension, rel string, head map[string]string) {
		if folder, ok := strings.CutSuffix(filepath.ToSlash(rel), "/SKILL.md"); ok && !strings.Contains(folder, "/") {
			x.Name, x.Dir, x.Unexplained = folder, filepath.Join(dir, "skills", folder), head["description"] == ""
			if head["name"] != folder {
				x.Title = head["name"]
			}
			f.skills = append(f.skills, x.listed())
		}
	})
	each("agents", func(x *Extension, rel string, head map[string]string) {
		if x.Name = head["name"]; x.Name == "" || x.Description == "" {
			return
		}
		if plugin != "" {
			x.Name = plugin + ":" + x.Name
		}
		turns, _ := strconv.Atoi(head["maxTurns"])
		x.Agent = AgentType{
			Tools: list(head["tools"]), Disallowed: list(head["disallowedTools"]), Mode: head["permissionMode"], MaxTurns: turns, Background: head["background"] == "true",
		}
		f.agents = append(f.agents, x)
	})
	each("output-styles", func(x *Extension, rel string, head map[string]string) {
		if x.Name = head["name"]; x.Name == "" {
			x.Name = strings.TrimSuffix(filepath.Base(rel), ".md")
		}
		f.styles = append(f.styles, x)
	})
}

// listed gives a command or skill the name and the description that lists have.
func (x *Extension) listed() *Extension {
	if x.Description == "" {
		x.Description, _, _ = strings.Cut(strings.TrimSpace(x.Text), "\n")
	}
	x.Purpose = x.Description
	switch {
	case x.Plugin != "":
		x.Name, x.Description = x.Plugin+":"+x.Name, "("+x.Plugin+") "+x.Description
	case x.Source == "userSettings":
		x.Description += " (user)"
	default:
		x.Description += " (project)"
	}
	return x
}

// Plugins are the plugins.
func (e *Extensions) Plugins() []Plugin {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.files.plugins
}

// Skills are the skills of the user, of the project and of plugins.
func (e *Extensions) Skills() []*Extension {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.files.skills
}
