package sweep

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/schema"
)

//go:embed session.txtar
var sessionText []byte

var session = sync.OnceValues(func() (*scenario.Scenario, error) { return scenario.Parse("sweep/session", sessionText) })

// Options say what is swept.
type Options struct {
	// Toggles are what to try; nil means [Toggles] of the target.
	Toggles []Toggle
	// With are set in every session beside what is tried, such as CLAUDE_CODE_REMOTE=true: so pairs
	// are tried.
	With []Toggle
	// Group is how many toggles are tried at once, at first; 0 means 24.
	Group int
	// Parallel is how many sessions run at once; 0 means one for each processor.
	Parallel int
	// Progress, if set, is called after each session, from one goroutine at a time.
	Progress func(sessions, known, all int)
}

// Report is what a sweep has found.
type Report struct {
	Version  string    `json:"version"`
	Tried    int       `json:"tried"` // toggles
	Sessions int       `json:"sessions"`
	With     []string  `json:"with,omitempty"`
	Unknown  []Finding `json:"unknown,omitempty"`
	// Ended are toggles under which the session does not come to its end, which therefore show
	// less: flags that want a value or that the CLI does not know, and what makes it do something
	// else.
	Ended []string `json:"ended,omitempty"`
}

// Finding is something that the schemas do not name.
type Finding struct {
	What string `json:"what"`
	// Under are the toggles that show it, none if the plain session does. Several in one element
	// show it only together.
	Under []string `json:"under,omitempty"`
}

// ErrNoPackage says that a target is not a CLI on disk.
var ErrNoPackage = errors.New("only a CLI on disk can be swept")

// Run sweeps a CLI. When ctx ends, it returns the context's cause.
func Run(ctx context.Context, target suite.Target, o Options) (*Report, error) {
	file, ok := target.(interface{ Path() string })
	if !ok {
		return nil, ErrNoPackage
	}
	if o.Toggles == nil {
		var err error
		if o.Toggles, err = Toggles(file.Path()); err != nil {
			return nil, err
		}
	}
	s, err := session()
	if err != nil {
		return nil, err
	}
	w := &sweeper{
		Options: o, target: target, session: s, found: map[string]map[string]bool{},
		slots: make(chan struct{}, cmp.Or(o.Parallel, runtime.NumCPU())),
	}
	plain, err := w.play(ctx, nil)
	if err != nil {
		return nil, err
	}
	w.plain = plain
	for what := range plain.unknown {
		w.note(what, nil)
	}
	var work sync.WaitGroup
	for _, group := range groups(o.Toggles, cmp.Or(o.Group, 24)) {
		work.Go(func() { w.try(ctx, group) }) // ends with its sessions, or ctx
	}
	work.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return w.report(), w.err
}

// groups divides toggles so that the values of one variable are in different groups. Flags are
// alone: many of them end a CLI.
func groups(all []Toggle, size int) (list [][]Toggle) {
	var variables []Toggle
	for _, t := range all {
		if t.flag() {
			list = append(list, []Toggle{t})
		} else {
			variables = append(variables, t)
		}
	}
	for len(variables) > 0 {
		var group, rest []Toggle
		for _, t := range variables {
			same := func(other Toggle) bool { return other.Name == t.Name }
			if len(group) < size && !slices.ContainsFunc(group, same) {
				group = append(group, t)
			} else {
				rest = append(rest, t)
			}
		}
		list, variables = append(list, group), rest
	}
	return list
}

// sweeper is the state of Run.
type sweeper struct {
	Options
	target  suite.Target
	session *scenario.Scenario
	plain   *outcome
	slots   chan struct{} // taken while a session is played

	mu       sync.Mutex                 // guards the fields below, and calls of Progress
	sessions int                        // that were played
	known    int                        // toggles of which all is known
	found    map[string]map[string]bool // by what, the toggles
	ended    []string
	err      error // the first of a session that could not be played
}

// outcome is what came of a session.
type outcome struct {
	complete bool
	unknown  map[string]bool
}

// try plays the session under toggles. Where that shows something new, or the session does not come
// to its end, it divides them.
func (w *sweeper) try(ctx context.Context, toggles []Toggle) map[string]bool {
	out, err := w.play(ctx, toggles)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.err == nil && ctx.Err() == nil {
			w.err = err
		}
		return nil
	}
	fresh := map[string]bool{}
	for what := range out.unknown {
		if !w.plain.unknown[what] {
			fresh[what] = true
		}
	}
	if len(toggles) == 1 || len(fresh) == 0 && out.complete {
		w.done(toggles, fresh, out)
		return fresh
	}
	half := len(toggles) / 2
	shown := map[string]bool{}
	for _, part := range [][]Toggle{toggles[:half], toggles[half:]} {
		maps.Copy(shown, w.try(ctx, part))
	}
	for _, what := range slices.Sorted(maps.Keys(fresh)) {
		if !shown[what] {
			maps.Copy(shown, w.together(ctx, what, toggles))
			shown[what] = true
		}
	}
	return shown
}

// together looks for the fewest of some toggles that show something only together, and returns all
// that they show. What they do not show a second time was chance.
func (w *sweeper) together(ctx context.Context, what string, toggles []Toggle) map[string]bool {
	out, err := w.play(ctx, toggles)
	if err != nil || !out.unknown[what] {
		if ctx.Err() == nil {
			w.note(what, toggles)
		}
		return nil
	}
	for size := (len(toggles) + 1) / 2; size > 0; size /= 2 {
		for i := 0; i < len(toggles) && len(toggles) > 1; {
			rest := slices.Delete(slices.Clone(toggles), i, min(i+size, len(toggles)))
			if less, err := w.play(ctx, rest); err == nil && less.unknown[what] {
				toggles, out = rest, less
			} else {
				i += size
			}
		}
	}
	for what := range out.unknown {
		if !w.plain.unknown[what] {
			w.note(what, toggles)
		}
	}
	return out.unknown
}

// done takes note of toggles of which nothing more is to be known.
func (w *sweeper) done(toggles []Toggle, fresh map[string]bool, out *outcome) {
	for what := range fresh {
		w.note(what, toggles)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known += len(toggles)
	if !out.complete {
		w.ended = append(w.ended, text(toggles))
	}
}

// note takes note of something that the toggles show.
func (w *sweeper) note(what string, toggles []Toggle) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.found[what] == nil {
		w.found[what] = map[string]bool{}
	}
	if len(toggles) > 0 {
		w.found[what][text(toggles)] = true
	}
}

func text(toggles []Toggle) string {
	var list []string
	for _, t := range toggles {
		list = append(list, t.String())
	}
	return strings.Join(list, " ")
}

// limit bounds one session.
const limit = 60 * time.Second

// play plays the session once.
func (w *sweeper) play(ctx context.Context, toggles []Toggle) (*outcome, error) {
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s := *w.session
	s.Env, s.Args = maps.Clone(s.Env), slices.Clone(s.Args)
	for _, t := range append(slices.Clone(w.With), toggles...) {
		if t.flag() {
			s.Args = append(s.Args, t.Name)
		} else {
			s.Env[t.Name] = t.Value
		}
	}
	bounded, cancel := context.WithTimeoutCause(ctx, limit, suite.ErrTimeout)
	defer cancel()
	peer, err := w.target.Start(bounded, &s)
	if err != nil {
		return nil, err
	}
	played := suite.Play(bounded, &s, w.target.Version(), peer)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sessions++
	if w.Progress != nil {
		w.Progress(w.sessions, w.known, len(w.Toggles))
	}
	return &outcome{complete: played.Complete, unknown: unknown(played)}, nil
}

// element is the index of an element of a list.
var element = regexp.MustCompile(`/\d+(/|$)`)

// unknown returns what the schemas do not name in a session and in its transcripts.
func unknown(p *suite.Played) map[string]bool {
	found := map[string]bool{}
	add := func(where string, d codec.Deviation) {
		path := element.ReplaceAllString(element.ReplaceAllString(d.Path, "/*$1"), "/*$1")
		found[fmt.Sprintf("%s: %s at %s: %s", where, d.Kind, path, d.Detail)] = true
	}
	for _, f := range p.Findings {
		add(f.Frame, f.Deviation)
	}
	for _, file := range p.Transcripts {
		for i, line := range file.Lines {
			odd, err := schema.Transcripts().Lint(schema.TranscriptEntry, []byte(line))
			if err != nil && i < len(file.Lines)-1 {
				found["transcript: "+err.Error()] = true
			}
			for _, d := range odd {
				add("transcript", d)
			}
		}
	}
	return found
}

func (w *sweeper) report() *Report {
	r := &Report{Version: w.target.Version().String(), Tried: len(w.Toggles), Sessions: w.sessions, Ended: w.ended}
	for _, t := range w.With {
		r.With = append(r.With, t.String())
	}
	slices.Sort(r.Ended)
	for _, what := range slices.Sorted(maps.Keys(w.found)) {
		r.Unknown = append(r.Unknown, Finding{what, slices.Sorted(maps.Keys(w.found[what]))})
	}
	return r
}
