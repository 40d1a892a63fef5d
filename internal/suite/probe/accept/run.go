package accept

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/accepts"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/schema"
)

// Options say what is played.
type Options struct {
	// Frames are the frames to play, those that begin with one of them; nil means all.
	Frames []string
	// Workers is how many sessions run at once; 0 means 4.
	Workers int
	// Progress, if set, is called now and then, from one goroutine at a time.
	Progress func(done, all int)
	// Trace, if set, gets a line for each effect that is found.
	Trace func(text string)
}

// Run plays changed lines to a CLI and returns what it does with them.
func Run(ctx context.Context, target suite.Target, o Options) (accepts.Table, error) {
	set := schema.Default()
	all, err := bases(set)
	if err != nil {
		return nil, err
	}
	r := &runner{target: target, progress: o.Progress}
	done := map[accepts.Key]bool{}
	for _, b := range all {
		if o.Frames != nil && !slices.ContainsFunc(o.Frames, func(f string) bool { return strings.HasPrefix(b.frame, f) }) {
			continue
		}
		p := &plays{base: b, changes: b.changes(set)}
		p.changes = slices.DeleteFunc(p.changes, func(c change) bool {
			key := accepts.Key{Frame: b.frame, Member: c.member, Value: c.value}
			again := done[key]
			done[key] = true
			return again
		})
		p.changed = make([][]*seen, len(p.changes))
		r.all += passes * len(p.changes)
		r.plays = append(r.plays, p)
	}
	if o.Workers == 0 {
		o.Workers = 4
	}
	for pass := range passes {
		if err := r.pass(ctx, pass, o.Workers); err != nil {
			return nil, err
		}
	}
	return r.table(ctx, target.Version().String(), o.Trace)
}

// passes is how often lines are played: all forwards, then, backwards and in new sessions, those
// that seem to do harm.
const passes = 2

type runner struct {
	target   suite.Target
	progress func(done, all int)
	plays    []*plays
	all      int

	mu   sync.Mutex // guards done and the calls of progress
	done int
}

// A job is a part of the changes of a base, which are played in a row.
type job struct {
	*plays
	todo []int
}

// largestJob is how many changes are played in a row.
const largestJob = 40

// pass plays all lines once.
func (r *runner) pass(ctx context.Context, pass, workers int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all []job
	for _, p := range r.plays {
		todo := p.todo(pass)
		r.note(len(p.changes) - len(todo))
		for part := range slices.Chunk(todo, largestJob) {
			all = append(all, job{p, part})
		}
	}
	jobs := make(chan job)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { // ends when there are no more jobs
			w := &worker{runner: r}
			defer w.leave()
			for j := range jobs {
				if err := w.job(ctx, j); err != nil {
					cancel(fmt.Errorf("%s: %w", j.base.frame, err))
				}
			}
		})
	}
	for _, j := range all {
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	return context.Cause(ctx)
}

func (r *runner) note(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done += n
	if r.progress != nil {
		r.progress(r.done, r.all)
	}
}

// A worker plays lines, one after the other.
type worker struct {
	*runner
	session *session
	stage   *stage
}

func (w *worker) leave() {
	if w.session != nil {
		w.session.close()
		w.session = nil
	}
}

// mostTries is how often a session is begun that does not come to where lines are played.
const mostTries = 3

// enter begins a session.
func (w *worker) enter(ctx context.Context, st *stage) (err error) {
	w.leave()
	if w.session, err = open(ctx, w.target, nil, model); err != nil {
		return err
	}
	w.stage = st
	if err := st.start(ctx, w.session); err != nil {
		w.leave()
		return err
	}
	return nil
}

// play plays a line in the session that is open, if it is for that stage.
func (w *worker) play(ctx context.Context, b *base, body any) (*seen, error) {
	if w.session == nil || w.stage != b.stage || b.fresh {
		err := w.enter(ctx, b.stage)
		for tries := 1; err != nil && tries < mostTries && ctx.Err() == nil; tries++ {
			err = w.enter(ctx, b.stage)
		}
		if err != nil {
			return nil, err
		}
	}
	out := b.stage.play(ctx, w.session, b.text(body))
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if !out.answered || out.dead || out.stuck {
		w.leave()
	}
	return out, nil
}

// job plays a line and some of its changes, and the line again.
func (w *worker) job(ctx context.Context, j job) error {
	defer w.note(len(j.todo))
	if err := w.intact(ctx, j.plays); err != nil || !j.usable() {
		return err
	}
	for _, i := range j.todo {
		out, err := w.play(ctx, j.base, j.changes[i].body)
		if err != nil {
			return err
		}
		j.changed[i] = append(j.changed[i], out)
	}
	return w.intact(ctx, j.plays)
}

// todo lists the changes that are played in a pass: first all, then backwards those that seem to do
// harm.
func (p *plays) todo(pass int) (list []int) {
	if pass > 0 && !p.usable() {
		return nil
	}
	volatile := map[string]bool{}
	if pass > 0 {
		volatile = p.volatile()
	}
	for i := range p.changes {
		if pass == 0 || p.effect(i, 0, volatile).Harmful() {
			list = append(list, i)
		}
	}
	if pass > 0 {
		slices.Reverse(list)
	}
	return list
}

// intact plays a line as it is, unless it is known not to work.
func (w *worker) intact(ctx context.Context, p *plays) error {
	if p.tried() && !p.usable() {
		return nil
	}
	out, err := w.play(ctx, p.base, p.base.body)
	if err == nil {
		p.add(out)
	}
	return err
}

// table returns the effects. Where the passes disagree, the line is played once more, alone.
func (r *runner) table(ctx context.Context, version string, trace func(string)) (accepts.Table, error) {
	t := accepts.Table{}
	w := &worker{runner: r}
	defer w.leave()
	for _, p := range r.plays {
		if !p.usable() {
			if trace != nil {
				trace(fmt.Sprintf("%s: does not work as it is: %s", p.base.frame, p.base.text(p.base.body)))
			}
			continue
		}
		volatile := p.volatile()
		for i := range p.changes {
			e := p.effect(i, 0, volatile)
			note := ""
			if len(p.changed[i]) == 1 && e.Harmful() { // by what the second pass has shown of others
				e = accepts.Taken
			}
			if other := p.effect(i, len(p.changed[i])-1, volatile); other != e && len(p.changed[i]) > 1 {
				w.leave()
				out, err := w.play(ctx, p.base, p.changes[i].body)
				if err != nil {
					return nil, err
				}
				p.changed[i] = append(p.changed[i], out)
				third := p.effect(i, 2, volatile)
				note = fmt.Sprintf(" (%s, %s, %s)", e, other, third)
				if third != e {
					e = other
				}
				if third != e {
					e = third
				}
			}
			c := &p.changes[i]
			t.Add(accepts.Key{Frame: p.base.frame, Member: c.member, Value: c.value}, version, e)
			if trace != nil {
				trace(fmt.Sprintf("%s %s %s: %s%s %s", p.base.frame, c.member, c.value, e, note, p.changed[i][0].says()))
			}
		}
	}
	return t, nil
}

// says returns what the CLI says last of a line that it does not take.
func (s *seen) says() string {
	if list := s.values["control_response/error/response/error"]; len(list) > 0 {
		return list[0]
	}
	return strings.Join(s.complain, " | ")
}
