package simtarget

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/sim"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/tail"
	"github.com/ccwire/ccwire/transport/cli"
)

// Target is the simulated CLI.
type Target struct {
	version cli.Version
	release *release.Release
}

// New returns the simulated CLI as a target.
func New() (*Target, error) { return Older("") }

// Older returns a version of the simulated CLI as a target; "" is the newest.
func Older(version string) (*Target, error) {
	r, err := release.New(version)
	if err != nil {
		return nil, err
	}
	v, err := cli.ParseVersion(r.String())
	return &Target{v, r}, err
}

// Name is "simulated" and the version.
func (t *Target) Name() string { return "simulated " + t.version.String() }

// Version is that of the CLI that is simulated.
func (t *Target) Version() cli.Version { return t.version }

// Limit is how long a scenario may take: the simulated CLI starts at once, so when it is silent for
// long it will stay so.
func (t *Target) Limit() time.Duration { return 30 * time.Second }

// Start starts a session for the scenario.
func (t *Target) Start(ctx context.Context, s *scenario.Scenario) (_ suite.Peer, err error) {
	p := &peer{done: make(chan struct{})}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if p.scratch, err = sandbox.NewScratch(s.Files); err != nil {
		return nil, err
	}
	model, err := script.NewModel(&script.Script{Script: s.API})
	if err != nil {
		return nil, err
	}
	p.Model = model
	vars := p.Vars()
	env := map[string]string{}
	for k, v := range s.Env {
		env[k] = vars.Expand(v)
	}
	config := sim.Config{Env: p.scratch.Env(apiURL, env), Dir: p.scratch.Cwd, Model: model, Strict: true, Release: t.release}
	if s.Earlier != nil {
		if err := runEarlier(ctx, config, s.Earlier); err != nil {
			return nil, err
		}
	}
	config.Args = suite.Arguments(s, vars)
	p.start(config)
	return p, nil
}

// apiURL stands for the address of the API, which the simulated CLI does not use.
const apiURL = "http://127.0.0.1:1"

// runEarlier runs the CLI to its end, without input.
func runEarlier(ctx context.Context, c sim.Config, args []string) error {
	var stderr bytes.Buffer
	c.Args, c.Stdin, c.Stdout, c.Stderr = args, bytes.NewReader(nil), io.Discard, &stderr
	if code := sim.New(c).Run(ctx); code != 0 {
		return fmt.Errorf("the earlier run of the CLI ended with code %d: %s", code, &stderr)
	}
	return nil
}

// peer is a session with the simulated CLI.
type peer struct {
	suite.Conversation
	scratch *sandbox.Scratch
	session *sim.Session
	stdin   *io.PipeWriter
	stdout  *io.PipeReader
	stderr  tail.Buffer
	cancel  context.CancelFunc
	done    chan struct{}
	exit    suite.Exit // valid once done is closed
	close   sync.Once
	err     error // of Close
}

func (p *peer) start(c sim.Config) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p.stdin, p.stdout = inW, outR
	c.Stdin, c.Stdout, c.Stderr = inR, outW, &p.stderr
	p.session = sim.New(c)
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	// Ends with the session; owns the inner ends of the pipes.
	go func() {
		code := p.session.Run(ctx)
		p.exit = suite.Exit{Code: code, Stderr: p.stderr.String()}
		if code < 0 {
			p.exit.Signal = "KILL"
		}
		inR.Close()
		outW.Close()
		close(p.done)
	}()
}

func (p *peer) Vars() scenario.Vars {
	return scenario.Vars{"cwd": p.scratch.Cwd, "home": p.scratch.Home, "config": p.scratch.Config, "tmp": p.scratch.Tmp, "api": apiURL}
}

func (p *peer) Stdin() io.WriteCloser { return p.stdin }
func (p *peer) Stdout() io.Reader     { return p.stdout }
func (p *peer) Done() <-chan struct{} { return p.done }
func (p *peer) Exit() suite.Exit      { return p.exit }

func (p *peer) Signal(name string) error {
	switch name {
	case "INT", "TERM", "KILL":
		p.session.Signal(name)
		return nil
	}
	return errors.New("unknown signal " + name)
}

func (p *peer) Close() error {
	p.close.Do(func() {
		if p.session != nil {
			p.cancel()
			p.stdin.Close()
			p.stdout.Close()
			<-p.done
		}
		if p.scratch != nil {
			p.err = p.scratch.Remove()
		}
	})
	return p.err
}
