package sim

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/checkpoint"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/extensions"
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

	Stdin  io.Reader // Run may leave a read of it behind when it returns
	Stdout io.Writer
	Stderr io.Writer

	Model *script.Model

	// Strict refuses flags that are not known, as the CLI does; otherwise they are noted on stderr.
	Strict bool
	// NoTools says that no tool acts in the working directory: all answer from the script.
	NoTools bool
}

// Session is one run of the simulated CLI. It puts together the owners of its state.
type Session struct {
	Config
	start  time.Time
	signal chan string // the signals that have come

	flags       *flags.Set
	place       *workspace.Workspace
	life        *life.Life
	out         *output.Session
	calls       *calls.Calls
	queue       *queue.Queue
	results     *result.Results
	spent       ledger.Ledger
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
	stage       *turn.Stage
	tools       *tools.Set // nil if no tool acts
	box         *tooluse.Box
	requests    *control.Server
}

// New returns a session that can be run once.
func New(c Config) *Session {
	return &Session{
		Config: c, place: workspace.New(c.Dir, c.Env), start: time.Now(), signal: make(chan string, 8),
	}
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

// interrupted is what SIGINT does.
func (s *Session) interrupted() {
	if !s.stage.Playing() {
		s.life.End(0)
		return
	}
	s.stage.Interrupt(life.ErrSigint)()
}

// play plays a turn for the messages that wait, until the input has ended and nothing is left to
// do.
func (s *Session) play() {
	for !s.life.Over() {
		if list := s.queue.All(); len(list) > 0 {
			s.stage.Play(list)
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
