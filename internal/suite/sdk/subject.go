package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/sim/install"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// Subject is what is judged.
type Subject struct {
	// Args are the command line of a driver, or of a program that sends one prompt.
	Args []string
	// Spawn says that it is such a program.
	Spawn bool
	// Serve, if set, is a driver in this process, in place of Args.
	Serve func(in io.Reader, out io.Writer) error
	// Env is added to the environment of this process.
	Env []string
	// Ready is how long [Subject.Probe] waits for a driver to say that it is ready; 0 means
	// [DefaultReady].
	Ready time.Duration

	// Name, Version and Features are what the driver says of itself, once [Subject.Probe] has
	// asked.
	Name, Version string
	Features      []string
}

// Resolve makes the paths in the command line independent of the working directory: each case has
// one of its own.
func (s *Subject) Resolve() error {
	path, err := exec.LookPath(s.Args[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return fmt.Errorf("the command does not start: %w", err)
	}
	s.Args[0] = path
	for i, a := range s.Args[1:] {
		if _, err := os.Stat(a); err == nil && !filepath.IsAbs(a) {
			if s.Args[i+1], err = filepath.Abs(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// DefaultReady is how long a driver may take to say that it is ready: it may be compiled first.
const DefaultReady = 60 * time.Second

// probeTime is that of a driver in a case.
const probeTime = DefaultReady

// Probe starts the driver and asks what it is. For other programs it takes their name.
func (s *Subject) Probe(ctx context.Context) error {
	if s.Spawn {
		names := make([]string, len(s.Args))
		for i, a := range s.Args {
			names[i] = filepath.Base(a)
		}
		s.Name, s.Features = strings.Join(names, " "), []string{"session", "query"}
		return nil
	}
	b := newBoard()
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	p, err := driver.Run(driver.Program{Args: s.Args, Serve: s.Serve, Dir: dir, Env: s.environment(nil), OnReport: b.report,
		OnProblem: func(err error) { b.update(func() { b.problem = err }) }})
	if err != nil {
		return fmt.Errorf("the driver does not start: %w", err)
	}
	defer p.Kill()
	ready := cmp.Or(s.Ready, DefaultReady)
	ctx, cancel := context.WithTimeoutCause(ctx, ready, fmt.Errorf("the driver does not say that it is ready after %v", ready))
	defer cancel()
	context.AfterFunc(ctx, func() { p.CloseInput() })
	stop := make(chan struct{})
	defer close(stop)
	go func() { // ends with the driver or with Probe
		select {
		case <-p.Done():
			b.update(func() { b.gone = true })
		case <-stop:
		}
	}()
	err = b.wait(ctx, func() bool { return len(b.reports) > 0 || b.problem != nil || b.gone })
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err != nil:
		return err
	case b.problem != nil:
		return b.problem
	case len(b.reports) == 0:
		code, signal := p.Exit()
		return fmt.Errorf("the driver ended before it was ready, with code %d%s%s", code, spaced(signal), quoteTail(p.Stderr()))
	case b.reports[0].Report.Report != driver.Ready:
		return fmt.Errorf("the first report of the driver is %s, want ready", b.reports[0].Report.Report)
	}
	r := b.reports[0]
	s.Name, s.Version, s.Features = r.SDK, r.Report.Version, r.Features
	return nil
}

// Target is what reports call the subject.
func (s *Subject) Target() string { return strings.TrimSpace(s.Name + " " + s.Version) }

// what says what kind of subject it is.
func (s *Subject) what() string {
	if s.Spawn {
		return "program"
	}
	return "driver"
}

// lacks returns the first feature that a scenario needs and the SDK does not have, "" if there is
// none.
func (s *Subject) lacks(sc *Scenario) string {
	for _, n := range sc.Needs {
		if !slices.Contains(s.Features, n) {
			return n
		}
	}
	return ""
}

// undeclared says which features the SDK does not declare, and how many scenarios that leaves
// unplayed; "" if there are none.
func (s *Subject) undeclared(list []*Scenario) string {
	if s.Spawn {
		return ""
	}
	times := map[string]int{}
	var names []string
	for _, sc := range list {
		for _, n := range sc.Needs {
			if slices.Contains(s.Features, n) {
				continue
			}
			if times[n]++; times[n] == 1 {
				names = append(names, n)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	for i, n := range names {
		names[i] = fmt.Sprintf("%s (%d)", n, times[n])
	}
	return "the driver does not declare, and so is not judged by the scenarios with: " + strings.Join(names, ", ")
}

// environment is that of this process without what would change the SDK or its CLI, and more.
func (s *Subject) environment(more []string) (env []string) {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "CLAUDE") && !strings.HasPrefix(v, "ANTHROPIC_") {
			env = append(env, v)
		}
	}
	return slices.Concat(env, []string{"ANTHROPIC_API_KEY=sk-ant-dummy", "IS_SANDBOX=1"}, s.Env, more)
}

// stage is the folders of one case.
type stage struct {
	*sandbox.Scratch
	cli  string // the path of the simulated CLI
	logs string // the folder of its journals
}

// newStage makes the folders, and a program claude that plays the scenario: this program, which
// calls [program.RunConfigured].
func (s *Subject) newStage(sc *Scenario) (_ *stage, err error) {
	scratch, err := sandbox.NewScratch(sc.Files)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, scratch.Remove())
		}
	}()
	script := filepath.Join(scratch.Root, "sim.json")
	if err := os.WriteFile(script, sc.Script, 0o600); err != nil {
		return nil, err
	}
	// A journal has the name of its process, so that what an SDK leaves behind can be ended.
	st := &stage{Scratch: scratch, logs: filepath.Join(scratch.Root, "logs")}
	bin, config := filepath.Join(scratch.Root, "bin"), install.Config{
		Script: script, LogDir: st.logs,
		Env: map[string]string{"HOME": st.Home, "CLAUDE_CONFIG_DIR": st.Config, "TMPDIR": st.Tmp},
	}
	if sc.Decoy {
		config.Name = "claude-given"
		if err := st.decoy(bin, config); err != nil {
			return nil, err
		}
	}
	st.cli, err = install.Write(bin, config)
	return st, err
}

// decoy makes the claude of the folder, which is in PATH, a CLI that says what it is.
func (st *stage) decoy(bin string, config install.Config) error {
	config.Name, config.Script = "", filepath.Join(st.Root, "decoy.json")
	if err := os.WriteFile(config.Script, []byte(`{"default": {"text": "I am the claude in PATH, not the one whose path was given."}}`), 0o600); err != nil {
		return err
	}
	_, err := install.Write(bin, config)
	return err
}

// quoteTail returns the end of a text, for a message.
func quoteTail(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	return ": " + text[max(0, len(text)-500):]
}

func spaced(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}
