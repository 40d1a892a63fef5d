package sim

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/checkpoint"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/flags"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/host"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/permit"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/sim/result"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/servers"
	"github.com/ccwire/ccwire/internal/sim/settings"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/tooluse"
	"github.com/ccwire/ccwire/internal/sim/transcript"
	"github.com/ccwire/ccwire/internal/sim/turn"
	"github.com/ccwire/ccwire/internal/sim/watch"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Config is what a simulated CLI is started with.
type Config struct {
	Args []string // without the name of the program
	Env  []string // NAME=value
	Dir  string   // the working directory
	Keep string   // the folder for settings and sessions if Env names none; "" for the user's cache

	Stdin  io.Reader // Run may leave a read of it behind when it returns
	Stdout io.Writer
	Stderr io.Writer

	Model *script.Model

	// KeepState says that a later process that goes on with the session goes on with the script,
	// too. State is the file for that; "" is one beside the transcript.
	KeepState bool
	State     string

	// Strict refuses flags that are not known, as the CLI does; otherwise they are noted on stderr.
	Strict bool
	// NoTools says that no tool acts in the working directory: all answer from the script.
	NoTools bool
	// Release is the version of the CLI that is simulated; nil is the newest.
	Release *release.Release
}

// Session is one run of the simulated CLI. It puts together the owners of its state.
type Session struct {
	Config
	release *release.Release
	start   time.Time
	signal  chan string // the signals that have come

	flags       *flags.Set
	place       *workspace.Workspace
	life        *life.Life
	fence       *fence.Fence
	out         *output.Session
	calls       *calls.Calls
	queue       *queue.Queue
	results     *result.Results
	spent       ledger.Ledger
	hooks       *hooks.Caller
	policy      *permission.Policy
	gate        *permit.Gate
	model       *models.Choice
	servers     *servers.Servers
	settings    *settings.Store
	host        host.Host
	tasks       *tasks.Tasks
	transcript  *transcript.Transcript
	checkpoints *checkpoint.Checkpoints
	watched     *watch.Watcher
	ext         *extensions.Extensions
	stage       *turn.Stage
	tools       *tools.Set // nil if no tool acts
	box         *tooluse.Box
	requests    *control.Server
	progress    progress

	recalled string // the model that an earlier run of the session has asked last

	noted   sync.Mutex     // guards ignored
	ignored map[string]int // what of the project's permissions does not count, by name
}

// New returns a session that can be run once.
func New(c Config) *Session {
	r := c.Release
	if r == nil {
		r = release.Newest()
	}
	return &Session{
		Config: c, release: r, model: models.NewChoice(r), place: workspace.New(c.Dir, c.Env, c.Keep), start: time.Now(), signal: make(chan string, 8),
	}
}

// fail writes to stderr and ends the session.
func (s *Session) fail(code int, format string, args ...any) {
	fmt.Fprintf(s.Stderr, format+"\n", args...)
	s.life.End(code)
}
