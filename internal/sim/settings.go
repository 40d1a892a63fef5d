package sim

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/host"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/settings"
	"github.com/ccwire/ccwire/internal/sim/shell"
)

// openPermissions reads the rules of flags and settings.
func (s *Session) openPermissions() {
	p := s.policy
	p.Dir, p.Home = s.place.Dir(), s.place.Get("HOME")
	p.Bypass = s.flags.Has("allow-dangerously-skip-permissions") || s.flags.Has("dangerously-skip-permissions")
	s.gate.Save = s.savePermissions
	p.Add(permission.Allow, permission.CLIArg, s.flags.Rules("allowedTools")...)
	p.Add(permission.Deny, permission.CLIArg, s.flags.Rules("disallowedTools")...)
	p.AddFolders(permission.CLIArg, folders(p.Dir, s.flags.Values("add-dir"))...)
	s.settingsChanged()
	p.Begin()
	s.noteDistrust()
}

// choose chooses the model and the mode by flags, variables and settings.
func (s *Session) choose() {
	effective := s.settings.Effective()
	for _, m := range effective.Object("env") {
		if value, ok := m.Value.(string); ok {
			s.place.Set(m.Name, value)
		}
	}
	s.model.Subscribed = s.place.Subscribed()
	if !s.release.Before("2.1.325") {
		s.model.Unknown = func(model string) {
			fmt.Fprintf(s.Stderr, "[claude-code:unrecognized_model] %s\n", object.Text(object.Of("model", model, "query_source", "sdk")))
		}
	}
	s.model.Set(cmp.Or(s.flags.Value("model"), s.place.Get("ANTHROPIC_MODEL"), effective.Text("model")))
	mode := s.flags.Value("permission-mode")
	switch {
	case s.flags.Has("permission-mode"):
	case s.flags.Has("dangerously-skip-permissions"):
		mode = "bypassPermissions"
	default:
		mode = s.defaultMode()
	}
	if mode != "manual" {
		s.policy.SetMode(mode)
	}
}

// defaultMode is the mode that the settings choose, "" for none. Files of the project cannot choose
// one in which nobody is asked.
func (s *Session) defaultMode() (mode string) {
	for _, source := range []settings.Source{settings.User, settings.Project, settings.Local, settings.Flag} {
		m := s.settings.Get(source).Object("permissions").Text("defaultMode")
		own := source == settings.User || source == settings.Flag
		if slices.Contains(permission.Modes, m) && (own || m != "bypassPermissions" && m != "auto") {
			mode = m
		}
	}
	return mode
}

// asRoot reports whether the session is not to be started, because nobody would be asked for what
// the system's administrator may do.
func (s *Session) asRoot() bool {
	skips := s.flags.Has("dangerously-skip-permissions") || s.flags.Has("allow-dangerously-skip-permissions") || s.policy.Mode() == "bypassPermissions"
	return skips && os.Geteuid() == 0 && s.place.Get("IS_SANDBOX") != "1" && !s.place.On("CLAUDE_CODE_BUBBLEWRAP")
}

// folders returns the paths that are folders.
func folders(dir string, paths []string) (list []string) {
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			list = append(list, path)
		}
	}
	return list
}

// grant lets tools and processes use the folders that the SDK's user has added to the working
// directory: by a flag, or in settings that the model cannot write.
func (s *Session) grant() {
	s.grantAll(s.flags.Values("add-dir"))
	for _, source := range []settings.Source{settings.User, settings.Flag} {
		if s.foreign(source) {
			s.grantAll(host.Texts(s.settings.Get(source).Object("permissions").List("additionalDirectories")))
		}
	}
}

// grantAll grants folders. Those in the working directory are granted already, and the whole
// system, and what tells of processes, is not granted at all.
func (s *Session) grantAll(paths []string) {
	for _, path := range folders(s.place.Dir(), paths) {
		path = filepath.Clean(path)
		real, err := filepath.EvalSymlinks(path)
		if err != nil || filepath.Dir(real) == real || slices.ContainsFunc([]string{"/proc", "/sys", "/dev"}, func(dir string) bool { return shell.Inside(dir, real) }) {
			continue
		}
		rel, err := filepath.Rel(s.place.Dir(), path)
		if err == nil && filepath.IsLocal(rel) || shell.Inside(s.place.Dir(), real) {
			continue
		}
		s.fence.Grant(path)
	}
}

// environment are the variables that settings give to commands. Those that look like secrets are
// kept from them.
func (s *Session) environment() (list []string) {
	for _, m := range s.settings.Effective().Object("env") {
		value, ok := m.Value.(string)
		secret := slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD"}, func(word string) bool {
			return strings.Contains(strings.ToUpper(m.Name), word)
		})
		if ok && !secret {
			list = append(list, m.Name+"="+value)
		}
	}
	return list
}

// trusted reports whether the user has said that the project may allow itself something.
func (s *Session) trusted() bool {
	var o object.Object
	data, err := extensions.Read(filepath.Join(s.place.ConfigDir(), ".claude.json"))
	return err == nil && o.UnmarshalJSON(data) == nil && o.Object("projects").Object(s.place.Dir()).Bool("hasTrustDialogAccepted")
}

// noteDistrust says on stderr what of the project's settings does not count, if it was not said.
func (s *Session) noteDistrust() {
	if s.trusted() {
		return
	}
	s.noted.Lock()
	defer s.noted.Unlock()
	rules := s.settings.Get(settings.Project).Object("permissions")
	for _, name := range []string{"allow", "additionalDirectories"} {
		n := 0
		for _, v := range rules.List(name) {
			if _, ok := v.(string); ok {
				n++
			}
		}
		if n > 0 && s.ignored[name] != n {
			fmt.Fprintf(s.Stderr, "protogen sim: permissions.%s of .claude/settings.json is ignored (%d): the folder is not trusted\n", name, n)
		}
		if s.ignored == nil {
			s.ignored = map[string]int{}
		}
		s.ignored[name] = n
	}
}

// savePermissions writes updates of permissions to the files that they are for.
func (s *Session) savePermissions(updates []object.Object) {
	for _, u := range updates {
		var rules []string
		for _, v := range u.List("rules") {
			r := v.(object.Object) // it was checked
			rules = append(rules, permission.Rule{Tool: r.Text("toolName"), Content: r.Text("ruleContent")}.String())
		}
		if err := s.settings.Permit(u, rules); err != nil {
			fmt.Fprintf(s.Stderr, "protogen sim: %v\n", err)
		}
	}
	s.settingsChanged()
	s.noteDistrust()
}

// settingsChanged reads the rules and the hooks of the settings again.
func (s *Session) settingsChanged() {
	p := s.policy
	var commands []hooks.Commands
	disabled := false
	for _, source := range []settings.Source{settings.User, settings.Project, settings.Local, settings.Flag} {
		o := s.settings.Get(source)
		rules := o.Object("permissions")
		p.Replace(permission.Deny, permission.Source(source), host.Texts(rules.List("deny"))...)
		p.Replace(permission.Ask, permission.Source(source), host.Texts(rules.List("ask"))...)
		allowed, more := host.Texts(rules.List("allow")), host.Texts(rules.List("additionalDirectories"))
		if source == settings.Project && !s.trusted() { // it cannot allow itself anything
			allowed, more = nil, nil
		}
		p.Replace(permission.Allow, permission.Source(source), allowed...)
		p.ReplaceFolders(permission.Source(source), folders(p.Dir, more)...)
		disabled = disabled || o.Bool("disableAllHooks")
		commands = append(commands, hooks.Commands{Hooks: o.Object("hooks"), Foreign: s.foreign(source)})
	}
	commands = append(commands, s.pluginHooks()...)
	if disabled {
		commands = nil
	}
	s.hooks.SetCommands(commands)
}

// foreign reports whether the settings of a source are outside the working directory, where the
// model cannot write them.
func (s *Session) foreign(source settings.Source) bool {
	path := s.settings.Path(source)
	if source == settings.Flag {
		path = s.flags.Value("settings")
		if _, err := object.Parse([]byte(path)); path == "" || err == nil { // given by the SDK, not in a file
			return true
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.place.Dir(), path)
	}
	return !shell.InsideAny(s.fence.Folders(), path)
}

// pluginHooks are the hooks of plugins.
func (s *Session) pluginHooks() (list []hooks.Commands) {
	for _, p := range s.ext.Plugins() {
		var o object.Object
		if data, err := extensions.Read(filepath.Join(p.Path, "hooks", "hooks.json")); err == nil && o.UnmarshalJSON(data) == nil {
			list = append(list, hooks.Commands{Hooks: o.Object("hooks"), Plugin: p.Name + "@inline", Root: p.Path, Foreign: !shell.InsideAny(s.fence.Folders(), p.Path)})
		}
	}
	return list
}

// settingsNames are the names that hooks have for settings files.
var settingsNames = map[settings.Source]string{
	settings.User: "user_settings", settings.Project: "project_settings", settings.Local: "local_settings",
}

// turnSettings are the settings, as turns see them.
type turnSettings struct{ *Session }

// Look notes how the files are.
func (s turnSettings) Look() { s.settings.Look() }

// Style chooses the style of the model's texts, for this session.
func (s turnSettings) Style(name string) { s.settings.AddFlag(object.Of("outputStyle", name)) }

// Settle reads files again that have changed since they were looked at.
func (s turnSettings) Settle(o hooks.Occasion) {
	for _, source := range s.settings.Changed() {
		s.settings.Reload()
		s.settingsChanged()
		o.Name = settingsNames[source]
		s.hooks.Announce("ConfigChange", o, "source", o.Name, "file_path", s.settings.Path(source))
	}
}
