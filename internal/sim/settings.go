package sim

import (
	"path/filepath"

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
	p.Add(permission.Allow, permission.CLIArg, s.flags.Rules("allowedTools")...)
	p.Add(permission.Deny, permission.CLIArg, s.flags.Rules("disallowedTools")...)
	p.AddFolders(s.flags.Values("add-dir")...)
	s.settingsChanged()
}

// settingsChanged reads the rules and the hooks of the settings again.
func (s *Session) settingsChanged() {
	p := s.policy
	var commands []hooks.Commands
	for _, source := range []settings.Source{settings.User, settings.Project, settings.Local, settings.Flag} {
		o := s.settings.Get(source)
		rules := o.Object("permissions")
		p.Replace(permission.Deny, permission.Source(source), host.Texts(rules.List("deny"))...)
		p.Replace(permission.Ask, permission.Source(source), host.Texts(rules.List("ask"))...)
		p.Replace(permission.Allow, permission.Source(source), host.Texts(rules.List("allow"))...)
		p.AddFolders(host.Texts(rules.List("additionalDirectories"))...)
		commands = append(commands, hooks.Commands{Hooks: o.Object("hooks"), Foreign: s.foreign(source)})
	}
	s.hooks.SetCommands(append(commands, s.pluginHooks()...))
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
	return !shell.Inside(s.place.Dir(), path)
}

// pluginHooks are the hooks of plugins.
func (s *Session) pluginHooks() (list []hooks.Commands) {
	for _, p := range s.ext.Plugins() {
		var o object.Object
		if data, err := extensions.Read(filepath.Join(p.Path, "hooks", "hooks.json")); err == nil && o.UnmarshalJSON(data) == nil {
			list = append(list, hooks.Commands{Hooks: o.Object("hooks"), Plugin: p.Name + "@inline", Root: p.Path, Foreign: !shell.Inside(s.place.Dir(), p.Path)})
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

// Settle reads files again that have changed since they were looked at.
func (s turnSettings) Settle(o hooks.Occasion) {
	for _, source := range s.settings.Changed() {
		s.settings.Reload()
		s.settingsChanged()
		o.Name = settingsNames[source]
		s.hooks.Announce("ConfigChange", o, "source", o.Name, "file_path", s.settings.Path(source))
	}
}
