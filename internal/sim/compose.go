package sim

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/checkpoint"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/permit"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/requests"
	"github.com/ccwire/ccwire/internal/sim/result"
	"github.com/ccwire/ccwire/internal/sim/servers"
	"github.com/ccwire/ccwire/internal/sim/settings"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/tooluse"
	"github.com/ccwire/ccwire/internal/sim/transcript"
	"github.com/ccwire/ccwire/internal/sim/turn"
	"github.com/ccwire/ccwire/internal/sim/watch"
)

// compose makes the owners of the session's state, from those that stand alone to those that ask
// the others.
func (s *Session) compose() {
	s.queue = queue.New(s.out, s.flags.Has("replay-user-messages"))
	s.results = result.New(s.out, form(s.flags), s.flags.Value("output-format") == "json")
	s.tasks = tasks.New(s.out, s.place, s.queue)
	s.transcript = transcript.New(s.out, s.place, transcript.Options{
		Off: s.flags.Has("no-session-persistence"), Mirror: s.flags.Has("session-mirror"),
	})
	s.checkpoints = checkpoint.New(s.place, !s.flags.Has("no-session-persistence"))
	sources := s.settingSources()
	s.ext = extensions.New(s.place, extensions.Options{
		Plugins: s.pluginDirs(), User: slices.Contains(sources, settings.User),
		Project: slices.Contains(sources, settings.Project), Local: slices.Contains(sources, settings.Local),
		NoCommands: s.flags.Has("disable-slash-commands"), Release: s.release,
	})
	s.watched = watch.New(s.life, s.fileChanged)
	s.fence = fence.New(fence.Options{Dir: s.place.Dir(), Tmp: s.place.Scratch(), Env: s.place.Environ(), Open: s.Model.Script().ToolsAnywhere})
	s.hooks = &hooks.Caller{
		Out: s.out, Fence: s.fence, Calls: s.calls, Life: s.life, Stderr: s.Stderr, Told: s.flags.Has("include-hook-events"), About: s.about, Watch: s.watched.Watch,
	}
	s.policy = &permission.Policy{}
	s.gate = &permit.Gate{
		Policy: s.policy, Hooks: s.hooks, Out: s.out, Calls: s.calls, Life: s.life, Asks: s.flags.Value("permission-prompt-tool") == "stdio",
	}
	if u, err := url.Parse(s.place.Get("ANTHROPIC_BASE_URL")); err == nil {
		s.gate.API = u.Host
	}
	s.stage = turn.NewStage(turn.Parts{
		Flags: s.flags, Place: s.place, Life: s.life, Out: s.out, Calls: s.calls, Queue: s.queue, Results: s.results, Spent: &s.spent, Hooks: s.hooks,
		Policy: s.policy, Host: &s.host, Tasks: s.tasks, Transcript: s.transcript, Checkpoints: s.checkpoints, Ext: s.ext, Chosen: s.model, Model: s.Model,
	})
	s.stage.Settings = turnSettings{s}
	s.queue.Woken = s.stage.Woken
	s.gate.Asked, s.gate.Answered = s.stage.Asks, s.stage.Answered
}

// open reads what the session finds on disk, and gives the stage its tools and servers. The error
// says why the CLI cannot start.
func (s *Session) open() (err error) {
	s.grant()
	if !s.NoTools {
		s.tools, err = tools.New(tools.Options{
			Dir: s.place.Dir(), Outside: s.fence.Open(), Fence: s.fence, Env: s.environment, Readable: s.gate.Readable,
			ReadFirst: func() bool { return models.AbilitiesOf(s.model.Get()).ReadsFirst },
			Newest:    !s.release.Before("2.1.325"),
			KeepsEnd:  !s.release.Before("2.1.327"),
		})
		if err != nil {
			return err
		}
	}
	s.ext.Load()
	var agents object.Object
	if text := s.flags.Value("agents"); text != "" && agents.UnmarshalJSON([]byte(text)) == nil {
		s.ext.SetAgents(agents)
	}
	s.playAgent()
	s.openPermissions()
	if err := s.openServers(); err != nil {
		return err
	}
	s.transcript.Has = func(tool string) bool { return s.box.Has(tool) }
	_, err = os.Stat(filepath.Join(s.place.Dir(), ".git"))
	s.box = &tooluse.Box{Parts: s.stage.Parts, Stage: s.stage, Tools: s.tools, Servers: s.servers, Gate: s.gate, Repository: err == nil}
	asked := &requests.Parts{
		Parts: s.stage.Parts, Start: s.start, Stage: s.stage, Gate: s.gate, Tools: s.tools, Box: s.box, Servers: s.servers,
		Settings: s.settings, Fence: s.fence, SettingsChanged: s.settingsChanged,
	}
	s.requests = control.New(s.out, s.life, asked.Handlers(), asked.Memory)
	s.stage.Tools, s.stage.Servers, s.stage.Init, s.stage.About = s.box, s.servers, asked.Init, asked.About
	return nil
}

// playAgent has the session itself be an agent of the type that a flag or the settings name.
func (s *Session) playAgent() {
	if name := s.settings.Effective().Text("agent"); name != "" && !s.flags.Has("agent") {
		s.flags.Add("agent", name)
	}
	if model := s.ext.AgentModel(s.flags.Value("agent")); model != "" && model != "inherit" && !s.flags.Has("model") {
		s.model.Set(model)
	}
}

// pluginDirs are the folders of plugins that the flags name.
func (s *Session) pluginDirs() (dirs []string) {
	for _, dir := range s.flags.Values("plugin-dir") {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(s.place.Dir(), dir)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// close ends what the session has started.
func (s *Session) close() {
	if s.tools != nil {
		s.tools.Close()
	}
	s.transcript.Restart()
	s.servers.Close()
	_ = s.fence.Close() // a folder for temporary files may be left
}

// settingSources are the files of settings that count.
func (s *Session) settingSources() []settings.Source {
	if !s.flags.Has("setting-sources") {
		return []settings.Source{settings.User, settings.Project, settings.Local}
	}
	sources := []settings.Source{}
	for _, name := range strings.Split(s.flags.Value("setting-sources"), ",") {
		switch name := strings.TrimSpace(name); name {
		case "user", "project", "local":
			sources = append(sources, settings.Source(name+"Settings"))
		}
	}
	return sources
}

func (s *Session) openSettings() error {
	flag, err := settings.ParseFlag(s.place.Dir(), s.flags.Value("settings"))
	if err != nil {
		return err
	}
	s.settings = settings.Load(s.place.Dir(), s.place.ConfigDir(), s.settingSources(), flag)
	return nil
}

func (s *Session) openServers() (err error) {
	s.servers, err = servers.New(servers.Options{
		Dir: s.place.Dir(), Fence: s.fence, Config: s.flags.Values("mcp-config"),
		Out: s.out, Calls: s.calls, Hooks: s.hooks, Life: s.life, Turns: s.stage, Folder: s.transcript.Folder,
	})
	return err
}
