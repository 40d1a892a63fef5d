package batch

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

const (
	// maxWait bounds the time before a retry.
	maxWait = time.Minute
	// minShare is the least that it makes sense to start a CLI with, in US dollars.
	minShare = 1e-6
)

// runner is a batch that runs.
type runner struct {
	prompts []string
	opts    Options

	mu      sync.Mutex    // guards the fields below; held while Progress is called
	next    int           // the prompt that begins next
	lent    share         // to those that run
	holders int           // how many have a share
	back    chan struct{} // closed when the next share comes back
	state   Progress
}

// share is what a CLI may spend.
type share struct {
	dollars float64
	turns   int64
}

func newRunner(prompts []string, opts *Options) *runner {
	r := &runner{prompts: prompts, back: make(chan struct{}), state: Progress{Total: len(prompts)}}
	if opts != nil {
		r.opts = *opts
	}
	if r.opts.AtOnce <= 0 {
		r.opts.AtOnce = 4
	}
	r.opts.Retries = cmp.Or(r.opts.Retries, 2)
	r.opts.Wait = cmp.Or(r.opts.Wait, time.Second)
	return r
}

// work runs prompts until none is left.
func (r *runner) work(ctx context.Context, results chan<- *Result) {
	for {
		i, ok := r.begin()
		if !ok {
			return
		}
		res := &Result{Index: i, Prompt: r.prompts[i]}
		r.run(ctx, res)
		r.end(res)
		results <- res
	}
}

// begin takes the next prompt.
func (r *runner) begin() (index int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == len(r.prompts) {
		return 0, false
	}
	r.next++
	r.state.Running++
	r.tellLocked()
	return r.next - 1, true
}

func (r *runner) end(res *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Running--
	r.state.Done++
	if res.Err != nil {
		r.state.Failed++
	}
	r.tellLocked()
}

func (r *runner) tellLocked() {
	if r.opts.Progress != nil {
		r.opts.Progress(r.state)
	}
}

// run runs a prompt, again if that may help.
func (r *runner) run(ctx context.Context, res *Result) {
	wait := r.opts.Wait
	for {
		if res.Err = context.Cause(ctx); res.Err != nil {
			return
		}
		s, err := r.share(ctx)
		if err != nil {
			res.Err = err
			return
		}
		res.Attempts++
		used := r.attempt(ctx, res, s)
		if res.Attempts > r.opts.Retries || used || !passing(res.Err) {
			return
		}
		timer := time.NewTimer(wait/2 + rand.N(wait/2+1)) // so that not all come back at once
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return // with the error of the attempt
		}
		wait = min(2*wait, maxWait)
	}
}

// share returns what an attempt may spend. If others hold all that is left, it waits for them.
func (r *runner) share(ctx context.Context) (share, error) {
	for {
		s, back, err := r.lend()
		if err == nil || back == nil {
			return s, err
		}
		select {
		case <-back:
		case <-ctx.Done():
			return s, context.Cause(ctx)
		}
	}
}

// lend gives an equal share of what is left of the limits. If nothing is, back is closed when some
// may be, nil if never.
func (r *runner) lend() (s share, back <-chan struct{}, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	free := max(1, min(r.opts.AtOnce, r.state.Total-r.state.Done)-r.holders)
	if r.opts.Budget > 0 {
		left := r.opts.Budget - r.state.Cost - r.lent.dollars
		if s.dollars = left / float64(free); left < minShare {
			err = ErrBudget
		}
	}
	if r.opts.Turns > 0 {
		left := int64(r.opts.Turns) - r.state.Turns - r.lent.turns
		if s.turns = max(1, left/int64(free)); left < 1 {
			err = ErrTurns
		}
	}
	switch {
	case err != nil && r.holders > 0:
		return s, r.back, err
	case err != nil:
		return s, nil, err
	}
	r.holders++
	r.lent.dollars += s.dollars
	r.lent.turns += s.turns
	return s, nil, nil
}

// spend takes a share back, and counts what was spent. Of an attempt that has asked the model and
// does not say what that took, it is the whole share.
func (r *runner) spend(s share, result *transport.Result, asked bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.holders--
	r.lent.dollars -= s.dollars
	r.lent.turns -= s.turns
	close(r.back)
	r.back = make(chan struct{})
	switch {
	case result != nil:
		r.state.Cost += result.Cost()
		r.state.Turns += result.Turns()
	case asked:
		r.state.Cost += s.dollars
		r.state.Turns += s.turns
	}
}

// attempt runs a prompt once. It reports whether the model has used a tool.
func (r *runner) attempt(ctx context.Context, res *Result, s share) (used bool) {
	if r.opts.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.opts.Timeout)
		defer cancel()
	}
	turn := transport.Query(ctx, res.Prompt, r.options(res.Index, s))
	asked := false
	for f := range turn.Messages() {
		m, ok := f.(*wire.Assistant)
		if !ok {
			continue
		}
		asked = true
		for _, block := range m.Message.Content {
			if _, ok := block.(*wire.ToolUseBlock); ok {
				used = true
			}
		}
	}
	res.Result, res.Err = turn.Result()
	r.spend(s, res.Result, asked)
	return used
}

// options are those of the CLI for a prompt.
func (r *runner) options(index int, s share) *transport.Options {
	var o transport.Options
	if r.opts.Transport != nil {
		o = *r.opts.Transport
	}
	if r.opts.Prepare != nil {
		r.opts.Prepare(index, &o)
	}
	if limit := &o.Flags.MaxBudgetUSD; s.dollars > 0 && (*limit == 0 || *limit > s.dollars) {
		*limit = s.dollars
	}
	if limit := &o.Flags.MaxTurns; s.turns > 0 && (*limit == 0 || int64(*limit) > s.turns) {
		*limit = int(s.turns)
	}
	return &o
}

// passing reports whether an error is one of the API that may not come again.
func passing(err error) bool {
	var failed *transport.TurnError
	if !errors.As(err, &failed) || failed.Outcome != transport.APIFailed {
		return false
	}
	switch status := failed.Status; status {
	case 0, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true
	default:
		return status >= 500
	}
}
