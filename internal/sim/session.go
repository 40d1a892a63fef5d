package sim

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/checkpoint"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/flags"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/host"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/permit"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/result"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/servers"
	"github.com/ccwire/ccwire/internal/sim/settings"
	"github.com/ccwire/ccwire/internal/sim/tasks"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"github.com/ccwire/ccwire/internal/sim/transcript"
	"github.com/ccwire/ccwire/internal/sim/watch"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Config is what a simulated CLI is started with.
type Config struct {
	Args []string // without the name of the program
	Env  []string // NAME=value
	Dir  string   // the working directory

	Stdin  io.Reader // Run may leave a read of it behind when it returns
	Stdout io.Writer
	Stderr io.Writer

	Model *script.Model

	// Strict refuses flags that are not known, as the CLI does; otherwise they are noted on stderr.
	Strict bool
	// NoTools says that no tool acts in the working directory: all answer from the script.
	NoTools bool
}

// Session is one run of the simulated CLI.
type Session struct {
	Config
	flags   *flags.Set
	place   *workspace.Workspace
	life    *life.Life
	out     *output.Session
	calls   *calls.Calls
	queue   *queue.Queue
	results *result.Results
	spent   ledger.Ledger
	start   time.Time
	tools   *tools.Set // nil if no tool acts

	turnMu sync.Mutex  // held while a turn is played
	signal chan string // the signals that have come

	hooks       *hooks.Caller
	policy      *permission.Policy
	gate        *permit.Gate
	model       models.Choice
	servers     *servers.Servers
	settings    *settings.Store
	host        host.Host
	tasks       *tasks.Tasks
	transcript  *transcript.Transcript
	checkpoints *checkpoint.Checkpoints
	watched     *watch.Watcher
	ext         *extensions.Extensions

	mu         sync.Mutex // guards the fields below
	main       *agent
	turn       *turn // that is being played
	latest     *turn // that was played last, or is; nil at the start and after /clear
	cancelWork map[string]context.CancelCauseFunc
	planPath   string
	repository bool // the session began in a repository
}

// New returns a session that can be run once.
func New(c Config) *Session {
	s := &Session{
		Config: c, place: workspace.New(c.Dir, c.Env), start: time.Now(), signal: make(chan string, 8),
		cancelWork: map[string]context.CancelCauseFunc{},
	}
	return s
}

// Run plays the CLI until its end and returns the exit code; -1 if Signal("KILL") has ended it.
func (s *Session) Run(ctx context.Context) int {
	s.out = output.NewSession(output.New(s.Stdout))
	s.calls = calls.New(s.out.Writer)
	s.life = life.New(ctx, func() { s.out.Halt(true) }) // what still runs has nothing more to say
	stop := context.AfterFunc(ctx, func() { s.life.End(-1) })
	defer stop()
	code, ok := s.prepare()
	if !ok {
		s.life.Cancel()
		s.out.Close()
		return code
	}
	s.markStart()
	s.sessionStarts()
	if s.flags.StreamInput() {
		go s.read() // ends with the input, or is left behind in a read
	} else {
		go s.readText() // the same
	}
	go s.takeSignals() // ends with the session
	go s.play()        // ends with the session
	<-s.life.Ended()
	code = s.life.Code()
	if code == 0 || code == 1 {
		s.sessionEnds(ctx)
	}
	s.life.Cancel()
	s.calls.Close()
	s.life.Wait()
	if code == 0 || code == 1 {
		s.out.Halt(false)
		s.transcript.Cost(s.start, s.spent.Cost(), s.spent.Kept())
	}
	s.close()
	if code < 0 {
		s.out.Abandon()
	} else {
		s.out.EndList()
		s.out.Close()
	}
	return code
}

// Signal delivers a signal: "INT", "TERM" or "KILL".
func (s *Session) Signal(name string) {
	select {
	case s.signal <- name:
	default: // as with a process, signals that come too fast are one
	}
}

func (s *Session) takeSignals() {
	for {
		select {
		case name := <-s.signal:
			switch name {
			case "KILL":
				s.life.End(-1)
			case "TERM":
				s.life.End(143)
			case "INT":
				s.interrupted()
			}
		case <-s.life.Context().Done():
			return
		}
	}
}

// play plays a turn for the messages that wait, until the input has ended and nothing is left to
// do.
func (s *Session) play() {
	for !s.life.Over() {
		if list := s.queue.All(); len(list) > 0 {
			s.playTurn(list)
			continue
		}
		if s.queue.Done() && s.tasks.Idle() {
			code := 0
			if s.results.Failed() {
				code = 1
			}
			s.life.End(code)
			return
		}
		select {
		case <-s.queue.Wake():
		case <-s.tasks.Changed():
		case <-s.life.Context().Done():
		}
	}
}

// fail writes to stderr and ends the session.
func (s *Session) fail(code int, format string, args ...any) {
	fmt.Fprintf(s.Stderr, format+"\n", args...)
	s.life.End(code)
}

// prepare reads the arguments. It reports false, with an exit code, if there is nothing to play.
func (s *Session) prepare() (int, bool) {
	refuse := func(format string, args ...any) (int, bool) {
		fmt.Fprintf(s.Stderr, format+"\n", args...)
		return 1, false
	}
	set, err := flags.Parse(s.Args)
	if err != nil {
		return refuse("%v", err)
	}
	s.flags = set
	s.queue = queue.New(s.out, set.Has("replay-user-messages"))
	s.results = result.New(s.out, Version, form(set), set.Value("output-format") == "json")
	s.tasks = tasks.New(s.out, s.place, s.queue)
	s.transcript = transcript.New(s.out, s.place, transcript.Options{Off: set.Has("no-session-persistence"), Mirror: set.Has("session-mirror"), Version: Version})
	s.checkpoints = checkpoint.New(s.place)
	s.ext = extensions.New(s.place, set.Values("plugin-dir"))
	s.watched = watch.New(s.life, s.fileChanged)
	s.hooks = &hooks.Caller{
		Out: s.out, Calls: s.calls, Life: s.life, Stderr: s.Stderr, Told: set.Has("include-hook-events"), About: s.about, Watch: s.watched.Watch,
	}
	s.policy = &permission.Policy{}
	s.gate = &permit.Gate{
		Policy: s.policy, Hooks: s.hooks, Out: s.out, Calls: s.calls, Life: s.life, Asks: set.Value("permission-prompt-tool") == "stdio",
	}
	if set.Has("version") {
		s.out.Text(Version + " (Claude Code)\n")
		return 0, false
	}
	s.out.SetForm(form(set))
	for _, flag := range set.Unknown {
		if s.Strict {
			return refuse("error: unknown option '%s'", flag)
		}
		fmt.Fprintf(s.Stderr, "protogen sim: unknown option %s is ignored\n", flag)
	}
	if text := s.checkOptions(); text != "" {
		return refuse("%s", text)
	}
	s.out.SetID(ids.UUID())
	if id := set.Value("session-id"); id != "" {
		s.out.SetID(id)
	}
	s.model.Set(set.Value("model"))
	if mode := set.Value("permission-mode"); mode != "manual" {
		s.policy.SetMode(mode)
	}
	s.main = &agent{session: s}
	if text := s.goOn(); text != "" {
		s.cannotGoOn(text)
		return 1, false
	}
	if !s.NoTools {
		if s.tools, err = tools.New(tools.Options{Dir: s.place.Dir(), Outside: s.Model.Script().ToolsAnywhere, Readable: s.gate.Readable}); err != nil {
			return refuse("%v", err)
		}
	}
	s.ext.Load()
	_, err = os.Stat(filepath.Join(s.place.Dir(), ".git"))
	s.repository = err == nil
	if text := s.open(); text != "" {
		return refuse("%s", text)
	}
	return 0, true
}

// form is what the output is.
func form(o *flags.Set) output.Form {
	switch {
	case o.Stream():
		return output.Lines
	case o.Value("output-format") == "json" && o.Has("verbose"):
		return output.Array
	}
	return output.Text
}

// modes are the permission modes that a flag can have.
var modes = []string{"acceptEdits", "auto", "bypassPermissions", "manual", "dontAsk", "plan"}

// checkOptions returns what is wrong with the flags, "" if nothing is.
func (s *Session) checkOptions() string {
	o := s.flags
	if m := o.Value("permission-mode"); m != "" && m != "default" && !slices.Contains(modes, m) {
		return fmt.Sprintf("error: option '--permission-mode <mode>' argument '%s' is invalid. Allowed choices are %s.", m, strings.Join(modes, ", "))
	}
	if o.StreamInput() && !o.Stream() {
		return "Error: --input-format=stream-json requires output-format=stream-json."
	}
	if o.Has("include-partial-messages") && !o.Stream() {
		return "Error: --include-partial-messages requires --print and --output-format=stream-json."
	}
	if o.Stream() && !o.Has("verbose") {
		return "Error: When using --print, --output-format=stream-json requires --verbose"
	}
	return ""
}
