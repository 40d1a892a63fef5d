package program

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/sim"
	"github.com/ccwire/ccwire/internal/sim/fault"
	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/tail"
)

// Program is a simulated CLI that can be run. The zero value says "done" to everything.
type Program struct {
	Script  *script.Script // nil is an empty one
	Faults  []fault.Fault  // beside those of the script
	Log     *journal.Log   // nil: none
	NoTools bool           // no tool acts in the working directory
	Strict  bool           // refuse flags that are not known
	// CLIVersion is the version of the CLI; "" for that of the script, or else the newest.
	CLIVersion string
	Keep       string // the folder for settings and sessions if the environment names none; "" for the user's cache
	// StrictScript says which departures from the script are errors, beside what the script says.
	StrictScript script.Strictness
	// State is the file that keeps how far the script has come in each session; "" is one beside
	// the session's transcript.
	State string
	// VirtualTime says that pauses take no time, as a script can.
	VirtualTime bool
	// Chaos makes faults of a seed, or of a random one.
	Chaos Chaos

	files []*os.File // of the log, see Close
}

// Streams is what a program is started with.
type Streams struct {
	Args    []string // after the name of the program
	Env     []string // NAME=value
	Dir     string   // the working directory
	Stdin   io.Reader
	Stdout  io.WriteCloser
	Stderr  io.Writer
	Signals <-chan string // INT, TERM or KILL; nil: none come
}

// Exit is how a program ended.
type Exit struct {
	Code   int    // -1 if a signal ended it
	Signal string // KILL, for one
}

// Load reads a script and checks it, with the faults that it names. An error has the line.
func Load(name string) (*script.Script, error) { return load(name, script.Lax) }

// load is Load for a script that is at least so strict.
func load(name string, strict script.Strictness) (*script.Script, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s, err := Parse(name, data)
	if err == nil && strict != script.Lax {
		err = s.CheckStrict(name, data)
	}
	return s, err
}

// Parse is Load for a script that was read already.
func Parse(name string, data []byte) (*script.Script, error) {
	s, err := script.Parse(name, data)
	if err != nil {
		return nil, err
	}
	for _, text := range s.Faults {
		if _, err := fault.Parse(text); err != nil {
			return nil, script.ErrorAt(name, data, text, err)
		}
	}
	if _, err := script.NewModel(s); err != nil {
		return nil, err
	}
	if _, err := release.New(s.CLIVersion); err != nil {
		return nil, script.ErrorAt(name, data, `"cli_version"`, err)
	}
	return s, nil
}

// Check reports whether the version of the CLI can be simulated.
func (p *Program) Check() error {
	_, err := p.release()
	return err
}

// release returns the version of the CLI that is simulated.
func (p *Program) release() (*release.Release, error) {
	version := p.CLIVersion
	if version == "" && p.Script != nil {
		version = p.Script.CLIVersion
	}
	return release.New(version)
}

// CheckStrict refuses a script that says what no API says.
func (p *Program) CheckStrict() error {
	if p.Script == nil {
		return nil
	}
	return p.Script.CheckStrict("script", nil)
}

const (
	keptStderr  = 2 << 10  // how much of the end of stderr the log has
	keptRequest = 64 << 10 // how much of the conversation in a request to the model it has
)

// variable returns the value of a variable: the last one counts.
func variable(env []string, name string) string {
	for _, v := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// Run runs the program to its end, or to that of ctx, which is as if it was killed. It does not
// close Stdout, unless a fault does.
func (p *Program) Run(ctx context.Context, st Streams) (Exit, error) {
	s := p.Script
	if s == nil {
		s = &script.Script{}
	}
	s, err := s.In(st.Dir, variable(st.Env, "HOME"))
	if err != nil {
		return Exit{}, err
	}
	if p.VirtualTime {
		timed := *s
		timed.VirtualTime = true
		s = &timed
	}
	model, err := script.NewModel(s)
	if err != nil {
		return Exit{}, err
	}
	strict := cmp.Or(p.StrictScript, s.Strict)
	if strict != script.Lax {
		if err := s.CheckStrict("script", nil); err != nil {
			return Exit{}, err
		}
		model.Strict = true
	}
	faults := slices.Clone(p.Faults)
	for _, text := range s.Faults {
		f, err := fault.Parse(text)
		if err != nil {
			return Exit{}, err
		}
		faults = append(faults, f)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var once sync.Once
	var forced *Exit // by a fault, or by an SDK that reads no more
	end := func(e Exit) {
		once.Do(func() { forced = &e })
		cancel()
	}
	version, err := p.release()
	if err != nil {
		return Exit{}, err
	}
	log := p.Log.Start(version.String(), st.Args, st.Dir, st.Env)
	st = watched(st, log, end)
	stderr := tail.New(keptStderr)
	st.Stderr = io.MultiWriter(st.Stderr, stderr)
	c := sim.Config{
		Args: st.Args, Env: st.Env, Dir: st.Dir, Keep: p.Keep, Stdin: st.Stdin, Stdout: st.Stdout, Stderr: st.Stderr,
		Model: model, Strict: p.Strict, NoTools: p.NoTools, KeepState: s.Stateful(), State: p.State, Release: version,
	}
	c.Stdin = log.Reader(c.Stdin)
	out, endOut := log.Writer(c.Stdout)
	defer endOut()
	c.Stdout = out
	if log != nil {
		model.Asked = func(q *fakeapi.Ask) { log.Asked(q.JSON(keptRequest)) }
	}
	v := verdict{model: model, strict: strict, stderr: st.Stderr, log: log}
	asked := len(faults) // what follows is chaos, which may come to nothing
	faults = append(faults, p.Chaos.faults(v)...)
	var session *sim.Session
	if len(faults) > 0 {
		process := fault.Process{
			Stderr: st.Stderr, CloseStdout: st.Stdout.Close,
			Exit:     func(code int) { end(Exit{Code: code}) },
			Kill:     func(signal string) { end(Exit{-1, signal}) },
			Withdraw: func(id string) { session.Withdraw(id) },
			Sleep:    func(d time.Duration) { _ = model.Clock().Sleep(ctx, d) }, // the session may end meanwhile
			Happens:  log.Fault,
		}
		injector := fault.New(faults, c.Stdout, process)
		c.Stdin, c.Stdout = injector.Reader(c.Stdin), injector
		defer injector.Close()
		v.faults = func() []string { return injector.Unused(asked) }
	}
	session = sim.New(c)
	done := make(chan struct{})
	go func() { // ends with the session
		for {
			select {
			case name := <-st.Signals:
				log.Signal(name)
				session.Signal(name)
			case <-done:
				return
			}
		}
	}()
	exit := Exit{Code: session.Run(ctx)}
	close(done)
	once.Do(func() {}) // what comes now is too late
	switch {
	case forced != nil:
		exit = *forced
	case exit.Code < 0:
		exit.Signal = "KILL"
	}
	if v.failed() && forced == nil && (exit.Code == 0 || exit.Code == 1) {
		exit.Code = exitStrict
	}
	log.Exit(exit.Code, exit.Signal, stderr.String())
	if p.Log != nil {
		if err := p.Log.Err(); err != nil {
			fmt.Fprintf(st.Stderr, "the log is not complete: %v\n", err)
		}
	}
	return exit, nil
}
