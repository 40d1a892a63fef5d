// Package batch runs many prompts, each with a CLI of its own, some at once.
//
//	for r := range batch.Run(ctx, prompts, &batch.Options{AtOnce: 8, Budget: 5}) {
//		fmt.Println(r.Prompt, r.Text(), r.Err)
//	}
//
// A budget in dollars, or in turns of the model, is one for all prompts. A CLI that starts gets an
// equal share of what is left, so that all together do not spend more; only the answer that reaches
// the limit of its CLI is paid as a whole.
package batch

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/ccwire/ccwire/transport"
)

// Errors of prompts that were not run.
var (
	ErrBudget = errors.New("the budget of the batch is spent")
	ErrTurns  = errors.New("the turns of the batch are used up")
)

// Options say how a batch is run. Nil and the zero value work.
type Options struct {
	Transport *transport.Options // of each CLI; nil as in [transport.Query]
	// Prepare, if set, changes the options of one prompt, such as the folder in which it works. It
	// is called by several goroutines, each with a copy.
	Prepare func(index int, o *transport.Options)

	AtOnce  int           // how many CLIs run at the same time; default 4
	Budget  float64       // in US dollars, for all prompts; no limit if 0
	Turns   int           // of the model, for all prompts; no limit if 0
	Timeout time.Duration // of one attempt; no limit if 0

	// Retries is how often a prompt is tried again if the API fails or is busy, which the CLI
	// itself retries before, and no tool was used yet; default 2, negative for never.
	Retries int
	Wait    time.Duration // before the first retry, twice as long before each next one; default 1 s

	InOrder bool // results come in the order of the prompts, not as soon as they are there

	// Progress, if set, is told whenever a prompt begins or is done. Its calls do not overlap.
	Progress func(Progress)
}

// Result is what became of a prompt.
type Result struct {
	Index    int // of the prompt
	Prompt   string
	Attempts int               // how often it was run; 0 if it never was
	Result   *transport.Result // of the last attempt; nil if none came
	Err      error             // nil if the turn came to its end
}

// Text returns the text of the result, "" if there is none.
func (r *Result) Text() string {
	if r.Result == nil {
		return ""
	}
	return r.Result.Text()
}

// Progress is how far a batch is.
type Progress struct {
	Total, Running, Done int     // prompts; those that failed are done
	Failed               int     // of those that are done
	Cost                 float64 // in US dollars, so far
	Turns                int64   // of the model, so far
}

// Run runs prompts and yields a [Result] for each. When ctx ends, the CLIs are stopped and the rest
// is not run; when the loop is left, too. The loop ends after all CLIs have.
func Run(ctx context.Context, prompts []string, opts *Options) iter.Seq[*Result] {
	return func(yield func(*Result) bool) {
		ctx, cancel := context.WithCancel(ctx)
		b := newRunner(prompts, opts)
		results := make(chan *Result)
		var workers sync.WaitGroup
		for range min(b.opts.AtOnce, len(prompts)) {
			workers.Go(func() { b.work(ctx, results) }) // ends when no prompt is left
		}
		go func() { // ends with the workers
			workers.Wait()
			close(results)
		}()
		defer func() {
			cancel()
			for range results { // nobody wants them
			}
		}()
		if !b.opts.InOrder {
			for r := range results {
				if !yield(r) {
					return
				}
			}
			return
		}
		early := map[int]*Result{}
		next := 0
		for r := range results {
			for early[r.Index] = r; early[next] != nil; next++ {
				if !yield(early[next]) {
					return
				}
				delete(early, next)
			}
		}
	}
}
