package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite/laws"
	"github.com/ccwire/ccwire/internal/suite/lines"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport/cli"
)

// Played is what came of one scenario.
type Played struct {
	Err      error             // why it does not hold; nil if it does
	Complete bool              // all steps were played
	Entries  []recording.Entry // what was written, in the order of the script, and the exit; not scrubbed
	Trace    []Event           // what happened, with times
	Findings []Finding         // what the schemas do not name
	Changes  []Change          // how it differs from other versions; [Options.Judge] adds them
	Replies  []Reply           // how long the CLI took to reply to each request
	Vars     scenario.Vars     // the folders, and what patterns have bound
	Exit     Exit

	// Transcripts are what a CLI on disk kept of the session; not scrubbed.
	Transcripts []Transcript
}

// Finding is a deviation in what the CLI wrote.
type Finding struct {
	// Frame is the type and subtype of the line; or, for the body of a reply, "reply to " and the
	// subtype of the request. Path and Offset are then in the body.
	Frame string `json:"frame"`
	codec.Deviation
}

// StepError says which step of a scenario does not hold, and why.
type StepError struct {
	Line   int    // in the script; 0 for the end of the session, which no step names
	Source string // the step
	Err    error
}

func (e *StepError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("at the end: %v", e.Err)
	}
	return fmt.Sprintf("script line %d: %v", e.Line, e.Err)
}

func (e *StepError) Unwrap() error { return e.Err }

// ErrTimeout says that a scenario was not done in its time.
var ErrTimeout = errors.New("timeout")

// ErrInterrupted says that the run was stopped in the middle of a scenario.
var ErrInterrupted = errors.New("interrupted")

// Play plays the scenario on a peer and closes it. The version decides which steps apply.
func Play(ctx context.Context, s *scenario.Scenario, version cli.Version, peer Peer) *Played {
	p := &player{scenario: s, version: version, release: releaseOf(version), peer: peer, vars: peer.Vars(), trace: &trace{start: time.Now()}}
	stop := context.AfterFunc(ctx, func() { peer.Close() }) // ends a write that blocks
	defer stop()
	p.lines = lines.Read(peer.Stdout(), func(line []byte) {
		p.trace.add(CLI, string(line))
		p.course.add(recording.ToSDK, append(line[:len(line):len(line)], '\n'))
		p.watch.came(line)
	})
	err := p.play(ctx)
	if err != nil {
		p.trace.add(Note, err.Error())
	}
	if t, ok := peer.(transcriber); ok && err == nil {
		p.played.Transcripts, err = t.Transcripts()
	}
	peer.Close()
	<-p.lines.Done()
	p.played.Err, p.played.Vars = err, p.vars
	p.played.Trace = p.trace.all()
	p.played.Replies = p.watch.replies()
	p.played.Exit = peer.Exit()
	if !p.exited {
		p.rest()
	}
	if err == nil {
		p.played.Err = p.keepsLaws()
	}
	return &p.played
}

// keepsLaws checks what holds in every session.
func (p *player) keepsLaws() error {
	lines, err := recording.Lines(p.course.all())
	if err != nil {
		return err
	}
	if broken := laws.Check(lines); len(broken) > 0 {
		b := &broken[0]
		return &StepError{Err: fmt.Errorf("%w: %s", b, cut(lines[b.Line].Text))}
	}
	return nil
}

// rest keeps what the CLI wrote after the step that failed, and its end.
func (p *player) rest() {
	for _, line := range p.lines.Waiting() {
		p.log(recording.Written(recording.ToSDK, append(line, '\n')))
	}
	exit := p.played.Exit
	p.log(recording.Entry{Dir: recording.Exit, Code: &exit.Code, Signal: exit.Signal, Stderr: exit.Stderr})
}

// player plays one scenario, in one goroutine.
type player struct {
	scenario *scenario.Scenario
	version  cli.Version
	release  *schema.Release // what that version writes; nil if it is not known
	peer     Peer
	vars     scenario.Vars
	lines    *lines.Queue
	trace    *trace
	course   courseLog
	watch    stopwatch
	played   Played

	at      *scenario.Step // that is played
	wrong   error          // the first failure after which the play went on
	replies replies
	rules   []scenario.Rule
	never   []*scenario.Pattern
	not     []*scenario.Pattern
	stderr  []scenario.Stderr // to be judged at the exit
	idle    bool              // the turn has its result, and the SDK has written nothing since
	closed  bool              // stdin is closed
	exited  bool
}

// play plays all steps. What was wrong first is why it does not hold.
func (p *player) play(ctx context.Context) error {
	err := p.steps(ctx)
	p.played.Complete = err == nil
	if p.wrong != nil && !errors.Is(err, ErrInterrupted) {
		return p.wrong
	}
	return err
}

func (p *player) steps(ctx context.Context) error {
	for i := range p.scenario.Steps {
		step := &p.scenario.Steps[i]
		if !step.When.Contains(p.version) {
			continue
		}
		p.at = step
		if err := p.step(ctx, step.Op); err != nil {
			return &StepError{step.Line, step.Source, p.explain(ctx, err)}
		}
	}
	p.at = &scenario.Step{}
	if err := p.end(ctx); err != nil {
		return &StepError{Err: p.explain(ctx, err)}
	}
	return nil
}

// explain says what an end of the context meant.
func (p *player) explain(ctx context.Context, err error) error {
	if ctx.Err() == nil || errors.Is(err, ErrTimeout) {
		return err
	}
	if errors.Is(context.Cause(ctx), ErrTimeout) {
		return fmt.Errorf("%w: %w", ErrTimeout, err)
	}
	return fmt.Errorf("%w: %w", ErrInterrupted, context.Cause(ctx))
}

// end does what every scenario ends with, as far as the script has not.
func (p *player) end(ctx context.Context) error {
	if p.exited {
		return nil
	}
	if !p.closed {
		if err := p.step(ctx, scenario.EOF{}); err != nil {
			return err
		}
	}
	return p.step(ctx, scenario.Exit{})
}

func (p *player) step(ctx context.Context, op scenario.Op) error {
	switch op := op.(type) {
	case scenario.Send:
		text, err := p.vars.ExpandJSON(op.Text)
		if err != nil {
			return err
		}
		return p.write(append([]byte(text), '\n'))
	case scenario.SendRaw:
		return p.write(op.Bytes)
	case scenario.Expect:
		return p.expect(ctx, []*scenario.Pattern{op.Pattern})
	case scenario.Unordered:
		return p.expect(ctx, op.For(p.version))
	case scenario.Not:
		p.not = append(p.not, op.Pattern)
	case scenario.Never:
		p.never = append(p.never, op.Pattern)
	case scenario.None:
		return p.none(ctx, op)
	case scenario.Auto:
		p.rules = append(p.rules, op.Rule)
	case scenario.Again:
		p.replies.more(op.ID)
	case scenario.EOF:
		p.closed, p.idle = true, false
		p.log(recording.Entry{Dir: recording.EOF})
		p.trace.add(Note, "stdin closed")
		return ignoreGone(p.peer.Stdin().Close())
	case scenario.Signal:
		p.log(recording.Entry{Dir: recording.Signal, Line: op.Name})
		p.trace.add(Note, "signal "+op.Name)
		return p.peer.Signal(op.Name)
	case scenario.Touch:
		return p.touch(op.Name)
	case scenario.Exit:
		return p.exit(ctx, op)
	case scenario.Stderr:
		if p.exited {
			return p.judgeStderr(op)
		}
		p.stderr = append(p.stderr, op)
	case scenario.API:
		return p.asked(ctx, op)
	case scenario.APITotal:
		n := p.peer.AskedTotal()
		p.log(recording.Entry{Dir: recording.API, Total: &n})
		if n != op.N {
			return fmt.Errorf("requests to the model: %d, want %d", n, op.N)
		}
	}
	return nil
}

func (p *player) log(e ...recording.Entry) { p.played.Entries = append(p.played.Entries, e...) }

func (p *player) write(data []byte) error {
	p.log(recording.Written(recording.ToCLI, data))
	p.trace.add(SDK, string(data))
	p.course.add(recording.ToCLI, data)
	p.idle = false
	p.replies.sent(data)
	p.watch.sent(data)
	if _, err := p.peer.Stdin().Write(data); err != nil {
		return ignoreGone(err)
	}
	return nil
}

// touch makes a file in the CLI's working directory.
func (p *player) touch(name string) error {
	p.idle = false
	p.trace.add(Note, "touch "+name)
	cwd, _ := p.vars["cwd"].(string)
	err := os.WriteFile(filepath.Join(cwd, name), nil, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a CLI that is played from a recording has no folders
	}
	return err
}

// ignoreGone drops the error of a write to a CLI that has ended: what it has written and its exit
// code tell more.
func ignoreGone(err error) error {
	if errors.Is(err, cli.ErrBrokenPipe) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}

// none looks at the lines that come in a time, without taking them.
func (p *player) none(ctx context.Context, op scenario.None) error {
	timer := time.NewTimer(op.For)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for _, line := range p.lines.Waiting() {
		if op.Pattern == nil || op.Pattern.Match(line, maps.Clone(p.vars)) == nil {
			return fmt.Errorf("the CLI wrote a line that must not come: %s", cut(line))
		}
	}
	return nil
}

func (p *player) exit(ctx context.Context, op scenario.Exit) error {
	for {
		line, err := p.lines.Take(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("the CLI does not end: %w", err)
		}
		if _, err := p.look(line, nil); err != nil {
			return err
		}
	}
	select {
	case <-p.peer.Done():
	case <-ctx.Done():
		return fmt.Errorf("the CLI does not end: %w", context.Cause(ctx))
	}
	p.exited = true
	exit := p.peer.Exit()
	p.trace.add(Note, fmt.Sprintf("exit %d %s", exit.Code, exit.Signal))
	p.log(recording.Entry{Dir: recording.Exit, Code: &exit.Code, Signal: exit.Signal, Stderr: exit.Stderr})
	if !op.Any && exit.Code != op.Code {
		return fmt.Errorf("the CLI ended with code %d%s, want %d%s", exit.Code, space(exit.Signal), op.Code, tail(exit.Stderr))
	}
	for _, s := range p.stderr {
		if err := p.judgeStderr(s); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) judgeStderr(op scenario.Stderr) error {
	if text := p.peer.Exit().Stderr; !op.Re.MatchString(text) {
		return fmt.Errorf("stderr does not match %q%s", op.Re, tail(text))
	}
	return nil
}

func (p *player) asked(ctx context.Context, op scenario.API) error {
	var last *scenario.Mismatch
	summary, err := p.peer.Asked(ctx, op.N, func(summary []byte) bool {
		if op.Pattern == nil {
			return true
		}
		last = op.Pattern.Match(summary, p.vars)
		return last == nil
	})
	switch {
	case err != nil && last != nil:
		return fmt.Errorf("request %d to the model does not match: %w", op.N, last)
	case err != nil:
		return fmt.Errorf("the model was not asked a %s time: %w", ordinal(op.N), err)
	}
	p.log(recording.Entry{Dir: recording.API, Number: op.N, Line: string(summaryFor(op.Pattern, summary))})
	return nil
}

// summaryFor keeps the members of a summary that the pattern names: the others may change while
// they are looked at.
func summaryFor(pattern *scenario.Pattern, summary []byte) []byte {
	var all map[string]json.RawMessage
	kept := map[string]json.RawMessage{}
	if pattern == nil || json.Unmarshal(summary, &all) != nil {
		return []byte("{}")
	}
	for _, name := range pattern.Names() {
		if v, ok := all[name]; ok {
			kept[name] = v
		}
	}
	out, _ := json.Marshal(kept) // made of valid JSON
	return out
}
