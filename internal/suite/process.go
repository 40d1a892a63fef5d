package suite

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/transport/cli"
)

// UsualArgs are the arguments with which an SDK starts the CLI.
var UsualArgs = []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json", "--permission-prompt-tool", "stdio"}

// processTarget is a CLI on disk.
type processTarget struct {
	name    string
	path    string
	version cli.Version
}

func (t *processTarget) Name() string         { return t.name }
func (t *processTarget) Version() cli.Version { return t.version }

// Path is where the executable is.
func (t *processTarget) Path() string { return t.path }

// Arguments returns the arguments with which the scenario starts the CLI.
func Arguments(s *scenario.Scenario, vars scenario.Vars) []string {
	var args []string
	if !s.Bare {
		args = append(args, UsualArgs...)
		if !slices.Contains(s.Args, "--permission-mode") {
			args = append(args, "--permission-mode", "default")
		}
	}
	for _, a := range s.Args {
		args = append(args, vars.Expand(a))
	}
	return args
}

func (t *processTarget) Start(ctx context.Context, s *scenario.Scenario) (_ Peer, err error) {
	p := &processPeer{}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if p.scratch, err = sandbox.NewScratch(s.Files); err != nil {
		return nil, err
	}
	if p.api, err = fakeapi.Start(context.WithoutCancel(ctx), s.API); err != nil {
		return nil, err
	}
	p.Model = p.api
	vars := p.Vars()
	env := map[string]string{}
	for k, v := range s.Env {
		env[k] = vars.Expand(v)
	}
	options := cli.Options{
		Path: t.path, Args: Arguments(s, vars), Dir: p.scratch.Cwd, Env: p.scratch.Env(p.api.URL(), env),
		InputGrace: time.Second, InterruptGrace: time.Second,
	}
	if s.Earlier != nil {
		if err := runEarlier(ctx, options, s.Earlier); err != nil {
			return nil, err
		}
	}
	if p.process, err = cli.Start(options); err != nil {
		return nil, err
	}
	return p, nil
}

// runEarlier runs the CLI to its end, without input.
func runEarlier(ctx context.Context, o cli.Options, args []string) error {
	o.Args = args
	process, err := cli.Start(o)
	if err != nil {
		return err
	}
	defer process.Stop(ctx)
	process.Stdin().Close()
	if _, err := io.Copy(io.Discard, process.Stdout()); err != nil {
		return err
	}
	select {
	case <-process.Done():
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if e := process.Exit(); e.Code != 0 {
		return fmt.Errorf("the earlier run of the CLI ended with code %d: %s", e.Code, e.Stderr)
	}
	return nil
}

// processPeer is a session with a CLI on disk.
type processPeer struct {
	Conversation
	scratch *sandbox.Scratch
	api     *fakeapi.Server
	process *cli.Process
	close   sync.Once
	err     error // of Close
}

func (p *processPeer) Vars() scenario.Vars {
	return scenario.Vars{"cwd": p.scratch.Cwd, "home": p.scratch.Home, "config": p.scratch.Config, "tmp": p.scratch.Tmp, "api": p.api.URL()}
}

func (p *processPeer) Stdin() io.WriteCloser { return p.process.Stdin() }
func (p *processPeer) Stdout() io.Reader     { return p.process.Stdout() }
func (p *processPeer) Done() <-chan struct{} { return p.process.Done() }

func (p *processPeer) Exit() Exit {
	e := p.process.Exit()
	if e == nil {
		return Exit{Code: -1}
	}
	return Exit{Code: e.Code, Signal: e.Signal, Stderr: e.Stderr}
}

func (p *processPeer) Signal(name string) error {
	s, ok := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "KILL": os.Kill}[name]
	if !ok {
		return fmt.Errorf("unknown signal %s", name)
	}
	proc, err := os.FindProcess(p.process.PID())
	if err != nil {
		return err
	}
	return proc.Signal(s)
}

func (p *processPeer) Close() error {
	p.close.Do(func() {
		if p.process != nil {
			now, cancel := context.WithCancel(context.Background())
			cancel()
			_ = p.process.Stop(now) // kills at once
			<-p.process.Done()
		}
		if p.api != nil {
			p.api.Close()
		}
		if p.scratch != nil {
			p.err = p.scratch.Remove()
		}
	})
	return p.err
}
