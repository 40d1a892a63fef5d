package sim

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/sim/fault"
	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/sim/program"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/tail"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/cli"
)

// CLI is a simulated CLI. Each session that is started with its options is a process of its own,
// which plays the script from the start, or goes on with it if it resumes an earlier session.
type CLI struct {
	// NoTools says that no tool acts in the working directory: all answer from the script.
	NoTools bool
	// StrictFlags refuses flags that the CLI does not know, as the CLI does.
	StrictFlags bool
	// CLIVersion is the version of the CLI that is simulated, such as "2.1.250". "" is that of the
	// script, or else the newest. A session or a program of a version that is not simulated cannot
	// be started; the error has the versions that are.
	CLIVersion string
	// Strict makes it an error of the API when no turn of the script is left for what the user
	// says, and ends such a session with exit code 3. It refuses scripts with blocks of an unknown
	// type and tool uses without a name. [CLI.Check] says what was never used, with and without it.
	Strict bool
	// State is a file that keeps how far the script has come in each session, for the process that
	// resumes it; "" is a file beside the session's transcript.
	State string
	// VirtualTime lets the pauses of the script take no time, as "virtual_time" in it does.
	VirtualTime bool

	script []byte // nil is an empty one
	faults []string
	parsed program.Program // script and faults
	log    journal.Log     // of the sessions in this process
	keep   keep            // of the sessions in this process

	mu   sync.Mutex // guards logs
	logs []string   // the folders with the logs of programs
}

// New returns a simulated CLI that plays a script. Nil is an empty script: the model says
// "done".
func New(text []byte) (*CLI, error) { return parse("script", text) }

// Load is New for a script in a file.
func Load(name string) (*CLI, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parse(name, text)
}

func parse(name string, text []byte) (*CLI, error) {
	c := &CLI{script: slices.Clone(text)}
	if text == nil {
		return c, nil
	}
	parsed, err := program.Parse(name, text)
	if err != nil {
		return nil, err
	}
	c.parsed.Script = parsed
	return c, nil
}

// Fault makes the sessions that are started from now on, and the programs that are installed from
// now on, misbehave: NAME[=VALUE][@WHERE].
func (c *CLI) Fault(faults ...string) error {
	for _, text := range faults {
		f, err := fault.Parse(text)
		if err != nil {
			return err
		}
		c.faults = append(c.faults, text)
		c.parsed.Faults = append(c.parsed.Faults, f)
	}
	return nil
}

// Chaos makes the sessions and programs that are started from now on misbehave in ways that a
// tolerant SDK survives. The seed chooses the faults, always the same; the log names them.
func (c *CLI) Chaos(seed uint64) { c.parsed.Chaos = program.Chaos(strconv.FormatUint(seed, 10)) }

// strictness is what the program is told.
func (c *CLI) strictness() script.Strictness {
	if c.Strict {
		return script.Prompts // what was never used is for Check, which sees all sessions
	}
	return script.Lax
}

// Options returns options for [transport.Open], [transport.Start] and [transport.Query] that start
// the simulated CLI in this process. Other fields may be set, but those about a process of its own
// are errors: OnStderr, StderrLimit, the graces and KeepDescendants. What the simulated CLI wrote
// to stderr is in [transport.Session.Exit]; for a process see [CLI.Install].
func (c *CLI) Options() *transport.Options { return &transport.Options{Spawn: c.spawn} }

func (c *CLI) spawn(_ context.Context, cmd transport.Command) (transport.Process, error) {
	dir := cmd.Dir
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return nil, err
		}
	}
	p := c.parsed
	p.NoTools, p.Strict, p.StrictScript, p.State, p.VirtualTime, p.Log = c.NoTools, c.StrictFlags, c.strictness(), c.State, c.VirtualTime, &c.log
	p.CLIVersion = c.CLIVersion
	if err := p.Check(); err != nil {
		return nil, err
	}
	env := append(os.Environ(), cmd.Env...)
	folder, done, err := c.keep.open(env)
	if err != nil {
		return nil, err
	}
	p.Keep = folder
	return start(&p, program.Streams{Args: cmd.Args, Env: env, Dir: dir}, done), nil
}

// process is a session in this process.
type process struct {
	stdin   *io.PipeWriter
	stdout  *io.PipeReader
	stderr  tail.Buffer
	signals chan string
	cancel  context.CancelFunc
	done    chan struct{}
	exit    *cli.ExitError // valid once done is closed
}

// start starts a session that calls ended at its end.
func start(p *program.Program, st program.Streams, ended func()) *process {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	s := &process{stdin: inW, stdout: outR, signals: make(chan string, 4), cancel: cancel, done: make(chan struct{})}
	st.Stdin, st.Stdout, st.Stderr, st.Signals = inR, outW, &s.stderr, s.signals
	go func() { // ends with the session
		exit, err := p.Run(ctx, st)
		ended()
		s.exit = &cli.ExitError{Command: "claude", Stderr: s.stderr.String()}
		s.exit.Code, s.exit.Signal = exit.Process()
		if err != nil {
			s.exit.Code, s.exit.Stderr = 2, err.Error()
		}
		inR.Close()
		outW.Close()
		close(s.done)
	}()
	return s
}

func (p *process) Stdin() io.WriteCloser { return p.stdin }
func (p *process) Stdout() io.Reader     { return p.stdout }
func (p *process) Stderr() string        { return p.stderr.String() }
func (p *process) Done() <-chan struct{} { return p.done }

func (p *process) Exit() *cli.ExitError {
	select {
	case <-p.done:
		return p.exit
	default:
		return nil
	}
}

// stopStep is how long a session has after each step that is taken to end it.
const stopStep = time.Second

// Stop closes the input. A session that goes on gets the signals that a process would get, one
// after the other; when ctx ends, the last one at once.
func (p *process) Stop(ctx context.Context) error {
	err := p.stdin.Close()
	step := time.NewTicker(stopStep)
	defer step.Stop()
	for _, signal := range []string{"INT", "TERM", "KILL"} {
		select {
		case <-p.done:
			p.cancel()
			return err
		case <-step.C:
			select {
			case p.signals <- signal:
			default: // several stop it
			}
		case <-ctx.Done():
			p.end()
			return errors.Join(err, context.Cause(ctx))
		}
	}
	p.end()
	return err
}

// end ends the session by force.
func (p *process) end() {
	p.cancel()
	p.stdout.Close()
	<-p.done
}
