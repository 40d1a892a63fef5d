package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// play is one scenario with one subject.
type play struct {
	subject  *Subject
	scenario *Scenario
	stage    *stage
	board    *board
	follower *follower
	process  *driver.Process
	vars     scenario.Vars
	limits   limits

	sent    []driver.Command
	ids     map[string]int // of the command of each name that was sent last
	fromSDK int            // the first line of the SDK that no step has taken
	fromCLI int            // likewise of the CLI
	taken   int            // likewise of the reports
	closed  bool           // close was sent
	late    []Step         // what is looked at in the end
	at      int            // the step that is played
	held    *command       // a start that waits for its prompt
	died    bool           // the driver ended before it was told to
	stopped time.Duration  // when a step failed; 0 if none did
	rests   func()         // is called when no process of the case works
}

// verdict is what came of a play.
type verdict struct {
	err        error       // the scenario does not hold
	open       string      // why that says nothing; "" if it does
	fault      string      // what is wrong with the driver, not with the SDK
	violations []violation // of rules that hold in every session
	notes      []string    // what is unusual, and harms nobody
}

// errNotApplicable says that a program does not do what a scenario is about.
type errNotApplicable string

func (e errNotApplicable) Error() string { return string(e) }

// stepError is a step that does not hold.
type stepError struct {
	step *Step
	err  error
}

func (e *stepError) Error() string { return e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// run plays the scenario within its limits. Everything that it starts has ended when it returns.
func (p *play) run(ctx context.Context) (v verdict) {
	if p.stage, v.err = p.subject.newStage(p.scenario); v.err != nil {
		v.open, v.fault = v.err.Error(), v.err.Error()
		return v
	}
	defer func() { v.err = errors.Join(v.err, p.stage.Remove()) }()
	p.vars = scenario.Vars{"cwd": p.stage.Cwd, "home": p.stage.Home, "tmp": p.stage.Tmp, "cli": p.stage.cli}
	p.follower = &follower{dir: p.stage.logs, board: p.board, files: map[int]*followed{}}
	follow, stop := context.WithCancel(context.Background())
	followed := make(chan struct{})
	go func() { // ends when stop is called
		defer close(followed)
		p.follower.run(follow)
	}()
	unfollow := func() {
		stop()
		<-followed
	}
	defer unfollow()
	if v.err = p.start(); v.err != nil {
		v.open, v.fault = v.err.Error(), v.err.Error()
		return v
	}
	var ended error
	if v.err = p.ready(ctx); v.err != nil {
		v.open, v.fault = v.err.Error(), v.err.Error()
	} else {
		limited, cancel := context.WithTimeoutCause(ctx, p.limits.whole, limitf("%w after %v", suite.ErrTimeout, p.limits.whole))
		defer cancel()
		if v.err = p.steps(limited); v.err == nil {
			ended = p.end(limited)
		} else {
			p.stopped = p.board.since()
		}
	}
	p.board.mu.Lock()
	p.died = p.board.gone && v.err != nil
	p.board.mu.Unlock()
	if left := p.leave(v.err == nil && ended == nil); ended == nil {
		ended = left
	}
	unfollow() // with a last look at what was written
	p.look(&v, ended)
	return v
}

// look judges the whole session, when it is over.
func (p *play) look(v *verdict, ended error) {
	if na := errNotApplicable(""); errors.As(v.err, &na) {
		return
	}
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	v.violations, v.notes = p.checkLines()
	switch {
	case ended == nil || v.err != nil:
	case p.subject.Spawn: // whether it ends is all that can be seen of such a program
		v.err = ended
	default:
		v.violations = append(v.violations, violation{rule: Ends, text: ended.Error()})
	}
	if v.err == nil {
		v.err = p.lateSteps()
	}
	if v.open == "" {
		v.open, v.fault = p.premise(v.err)
	}
}

// start starts the driver or the program.
func (p *play) start() (err error) {
	bin := filepath.Dir(p.stage.cli)
	prog := driver.Program{
		Args: p.subject.Args, Serve: p.subject.Serve, Dir: p.stage.Cwd,
		Env: p.subject.environment([]string{
			"CCWIRE_CLAUDE=" + p.stage.cli, "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
			"CLAUDE_CONFIG_DIR=" + p.stage.Config, "TMPDIR=" + p.stage.Tmp,
		}),
	}
	if !p.subject.Spawn {
		prog.OnReport = p.board.report
		prog.OnProblem = func(err error) { p.board.update(func() { p.board.problem = err }) }
	}
	if p.process, err = driver.Run(prog); err != nil {
		return fmt.Errorf("the driver does not start: %w", err)
	}
	go func() { // ends with the process
		<-p.process.Done()
		p.board.update(func() { p.board.gone = true })
	}()
	return nil
}

// ready waits for the first report of a driver, so that what an interpreter takes to start is not
// taken for slowness of the SDK.
func (p *play) ready(ctx context.Context) error {
	if p.subject.Spawn {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, p.limits.ready, limitf("nothing came in %v", p.limits.ready))
	defer cancel()
	if err := p.wait(ctx, func() bool { return len(p.board.reports) > 0 }); err != nil {
		return fmt.Errorf("the driver does not say that it is ready: %w", err)
	}
	return nil
}

// steps plays the steps.
func (p *play) steps(ctx context.Context) error {
	for i := range p.scenario.Steps {
		p.at = i
		step := &p.scenario.Steps[i]
		if p.subject.Spawn && step.ofDriver() {
			continue
		}
		limit := p.limits.step
		if step.ends() {
			limit = p.limits.end
		}
		bounded, cancel := p.within(ctx, limit)
		err := p.step(bounded, step)
		cancel()
		if na := errNotApplicable(""); errors.As(err, &na) {
			return err
		}
		if err != nil {
			return &stepError{step, err}
		}
	}
	return nil
}

func (p *play) step(ctx context.Context, step *Step) error {
	switch op := step.op.(type) {
	case command:
		return p.command(ctx, op)
	case outcome:
		return p.outcome(ctx, op)
	case wire:
		return p.wire(ctx, op)
	case api:
		return p.report(ctx, op)
	case header:
		return p.header(ctx, op)
	case faults:
		if err := p.wait(ctx, func() bool { return p.missing() == "" }); err != nil {
			return fmt.Errorf("no fault: %w", err)
		}
		return nil
	case eof:
		return p.line(ctx, kind(journal.EOF), "end of the CLI's input", new(int))
	case exit:
		if op.any {
			return p.gone(ctx)
		}
		return p.line(ctx, func(e *logged) *scenario.Mismatch {
			switch {
			case e.Dir != journal.Exit:
				return skip
			case e.Code == nil || *e.Code != op.code:
				return &scenario.Mismatch{Path: "/code", Want: fmt.Sprint(op.code), Got: exitOf(&e.Entry)}
			}
			return nil
		}, "end of the CLI", new(int))
	default:
		p.late = append(p.late, *step)
		return nil
	}
}

// secondStart is how long a CLI that was started otherwise is waited for to be started again.
const secondStart = time.Second

// header waits for the start of a CLI. One that was started in another way does not change.
func (p *play) header(ctx context.Context, op header) error {
	if err := p.line(ctx, kind(journal.Header), "start of the CLI", new(int)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, secondStart, errors.New("it was started in another way"))
	defer cancel()
	return p.line(ctx, func(e *logged) *scenario.Mismatch {
		if e.Dir != journal.Header {
			return skip
		}
		entry := e.Entry
		entry.Args = words(e.Args)
		text, _ := json.Marshal(&entry) // it was JSON
		return op.pattern.Match(text, p.vars)
	}, "start of the CLI like "+op.pattern.String(), new(int))
}

// words returns arguments with each --flag=value as two.
func words(args []string) (all []string) {
	for _, a := range args {
		if name, value, ok := strings.Cut(a, "="); ok && strings.HasPrefix(a, "--") {
			all = append(all, name, value)
		} else {
			all = append(all, a)
		}
	}
	return all
}

// skip says that an entry is not of the kind that is looked for.
var skip = &scenario.Mismatch{}

func kind(dir journal.Dir) func(*logged) *scenario.Mismatch {
	return func(e *logged) *scenario.Mismatch {
		if e.Dir != dir {
			return skip
		}
		return nil
	}
}

func exitOf(e *journal.Entry) string {
	if e.Code == nil {
		return "unknown"
	}
	return fmt.Sprint(*e.Code) + spaced(e.Signal)
}

// end closes the session and waits for the end of the driver; a program ends by itself.
func (p *play) end(ctx context.Context) error {
	if p.subject.Spawn {
		return p.endProgram(ctx)
	}
	if !p.closed {
		bounded, cancel := p.within(ctx, p.limits.end)
		defer cancel()
		if err := p.command(bounded, command{send: driver.Command{Command: driver.Close}, begin: true}); err != nil {
			return err
		}
		if err := p.outcome(bounded, outcome{command: driver.Close}); err != nil {
			return err
		}
	}
	p.process.CloseInput()
	ctx, cancel := p.within(ctx, p.limits.end)
	defer cancel()
	select {
	case <-p.process.Done():
	case <-ctx.Done():
		return fmt.Errorf("the driver does not end after the end of its input: %w", context.Cause(ctx))
	}
	if code, signal := p.process.Exit(); code != 0 {
		return fmt.Errorf("the driver ended with code %d%s%s", code, spaced(signal), quoteTail(p.process.Stderr()))
	}
	return nil
}

func (p *play) endProgram(ctx context.Context) error {
	ctx, cancel := p.within(ctx, p.limits.end)
	defer cancel()
	select {
	case <-p.process.Done():
	case <-ctx.Done():
		return fmt.Errorf("the program does not end: %w", context.Cause(ctx))
	}
	if code, signal := p.process.Exit(); code != 0 && !p.scenario.AnyExit {
		return fmt.Errorf("the program ended with code %d%s%s", code, spaced(signal), quoteTail(p.process.Stderr()))
	}
	return nil
}

// leave ends what outlives the driver, and says so. A driver that ended well leaves nothing behind:
// it is waited for what takes its time.
func (p *play) leave(patient bool) error {
	deadline := time.Now()
	if patient {
		deadline = deadline.Add(p.limits.leave)
	}
	waits := func(alive func() bool) bool {
		for alive() && time.Now().Before(deadline) {
			time.Sleep(pollEvery)
		}
		return alive()
	}
	var errs []error
	for _, pid := range p.stage.running() {
		if waits(func() bool { return driver.Alive(pid) }) {
			errs = append(errs, limitf("the SDK left its CLI behind: it runs %v after the end of the driver", p.limits.leave))
			endProcess(pid)
		}
	}
	if patient && waits(p.process.Left) {
		errs = append(errs, limitf("the driver left processes behind"))
	}
	p.process.Kill()
	return errors.Join(errs...)
}

func endProcess(pid int) {
	if proc, err := os.FindProcess(pid); err == nil {
		_ = proc.Kill() // it may be gone by now
	}
}
