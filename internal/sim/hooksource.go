package sim

import (
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/settings"
	"github.com/ccwire/ccwire/internal/sim/watch"
)

// hookList are hooks of one source.
type hookList struct {
	hooks        object.Object
	plugin, root string
}

// setCommands replaces the hooks of settings and plugins.
func (s *Session) setCommands(lists []hookList) {
	var all []hooks.Hook
	for _, l := range lists {
		list := hooks.ReadSettings(l.hooks)
		for i := range list {
			list[i].Plugin, list[i].Root = l.plugin, l.root
		}
		all = append(all, list...)
	}
	s.hooks.mu.Lock()
	defer s.hooks.mu.Unlock()
	s.hooks.commands = all
}

// pluginHooks are the hooks of plugins.
func (s *Session) pluginHooks() (list []hookList) {
	for _, p := range s.ext.Plugins() {
		var o object.Object
		if data, err := extensions.Read(filepath.Join(p.Path, "hooks", "hooks.json")); err == nil && o.UnmarshalJSON(data) == nil {
			list = append(list, hookList{o.Object("hooks"), p.Name + "@inline", p.Path})
		}
	}
	return list
}

// settingsFiles are the files whose changes are seen, by the name that hooks have for them.
var settingsFiles = []struct {
	source settings.Source
	name   string
}{{settings.User, "user_settings"}, {settings.Project, "project_settings"}, {settings.Local, "local_settings"}}

// stamps are the states of the settings files.
func (s *Session) stamps() (list [3]os.FileInfo) {
	for i, f := range settingsFiles {
		list[i], _ = os.Stat(s.settings.Path(f.source)) // nil if it is not there
	}
	return list
}

// noteSettings reads settings again that have changed since they were looked at last.
func (t *turn) noteSettings() {
	s := t.session
	now := s.stamps()
	for i, f := range settingsFiles {
		if watch.Same(t.stamps[i], now[i]) {
			continue
		}
		s.settings.Reload()
		s.settingsChanged()
		s.announce("ConfigChange", occasion{turn: t, name: f.name}, "source", f.name, "file_path", s.settings.Path(f.source))
	}
	t.stamps = now
}
