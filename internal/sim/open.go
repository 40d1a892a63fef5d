package sim

import (
	"strings"

	"github.com/ccwire/ccwire/internal/sim/servers"
	"github.com/ccwire/ccwire/internal/sim/settings"
)

// open reads settings, MCP configurations and earlier sessions. It returns why the CLI cannot
// start.
func (s *Session) open() string {
	for _, step := range []func() error{s.openSettings, s.openPermissions, s.openServers} {
		if err := step(); err != nil {
			return err.Error()
		}
	}
	return ""
}

// close ends what the session has started.
func (s *Session) close() {
	if s.tools != nil {
		s.tools.Close()
	}
	s.transcript.Restart()
	s.servers.Close()
}

// settingSources are the values of --setting-sources.
var settingSources = map[string]settings.Source{"user": settings.User, "project": settings.Project, "local": settings.Local}

func (s *Session) openSettings() error {
	flag, err := settings.ParseFlag(s.place.Dir(), s.flags.Value("settings"))
	if err != nil {
		return err
	}
	var sources []settings.Source
	if s.flags.Has("setting-sources") {
		sources = []settings.Source{}
		for _, name := range strings.Split(s.flags.Value("setting-sources"), ",") {
			if source, ok := settingSources[strings.TrimSpace(name)]; ok {
				sources = append(sources, source)
			}
		}
	}
	s.settings = settings.Load(s.place.Dir(), s.place.ConfigDir(), sources, flag)
	return nil
}

func (s *Session) openServers() (err error) {
	s.servers, err = servers.New(servers.Options{
		Version: Version, Dir: s.place.Dir(), Env: s.place.Environ(), Start: s.start, Config: s.flags.Values("mcp-config"),
		Out: s.out, Calls: s.calls, Hooks: s.hooks, Life: s.life, Turns: turns{s}, Folder: s.transcript.Folder,
	})
	return err
}
