package batch_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/batch"
)

const echo = `{"default": {"text": "{{text}}"}}`

// simulated returns options for a simulated CLI.
func simulated(t *testing.T, script string) *transport.Options {
	t.Helper()
	cli, err := sim.New([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	o := cli.Options()
	o.Dir, o.Logger = t.TempDir(), slog.New(slog.DiscardHandler)
	o.Env = []string{"CLAUDE_CODE_MAX_RETRIES=0"}
	return o
}

func prompts(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint("prompt ", i))
	}
	return list
}

func TestEachPromptHasItsResult(t *testing.T) {
	const count, atOnce = 100, 8
	for _, inOrder := range []bool{false, true} {
		var most, calls int
		opts := &batch.Options{Transport: simulated(t, echo), AtOnce: atOnce, InOrder: inOrder}
		var last batch.Progress
		opts.Progress = func(p batch.Progress) {
			most, last = max(most, p.Running), p
			calls++
		}
		var indices []int
		for r := range batch.Run(t.Context(), prompts(count), opts) {
			if r.Err != nil || r.Text() != r.Prompt || r.Prompt != fmt.Sprint("prompt ", r.Index) || r.Attempts != 1 {
				t.Errorf("%+v says %q", r, r.Text())
			}
			indices = append(indices, r.Index)
		}
		if inOrder && !slices.IsSorted(indices) {
			t.Errorf("the order is %v", indices)
		}
		slices.Sort(indices)
		if len(slices.Compact(indices)) != count {
			t.Errorf("%d results", len(indices))
		}
		if most < 2 || most > atOnce || calls != 2*count {
			t.Errorf("%d ran at once; progress was told %d times", most, calls)
		}
		if last.Done != count || last.Failed != 0 || last.Turns != count || last.Cost <= 0 {
			t.Errorf("at the end: %+v", last)
		}
	}
}

func TestWhatTheAPIRefusesIsTriedAgain(t *testing.T) {
	const busy = `{"turns": [{"error": {"status": 529, "message": "busy"}, "times": -1}]}`
	const used = `{"turns": [{"content": [{"type": "tool_use", "name": "Glob", "input": {"pattern": "*"}}]}, {"error": {"status": 529, "message": "busy"}, "times": -1}]}`
	const wrong = `{"turns": [{"error": {"status": 400, "message": "no"}, "times": -1}]}`
	for _, tt := range []struct {
		name     string
		scripts  []string // of the attempts
		retries  int
		attempts int
		text     string // "" for an error
	}{
		{"busy once", []string{busy, echo}, 0, 2, "hello"},
		{"busy twice", []string{busy, busy, echo}, 0, 3, "hello"},
		{"busy for ever", []string{busy, busy, busy, echo}, 0, 3, ""},
		{"busy, and not tried again", []string{busy, echo}, -1, 1, ""},
		{"more often", []string{busy, busy, busy, echo}, 3, 4, "hello"},
		{"a tool was used", []string{used, echo}, 0, 1, ""},
		{"wrong", []string{wrong, echo}, 0, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			attempt := 0
			opts := &batch.Options{Retries: tt.retries, Wait: time.Millisecond, Prepare: func(_ int, o *transport.Options) {
				*o = *simulated(t, tt.scripts[attempt])
				attempt++
			}}
			for r := range batch.Run(t.Context(), []string{"hello"}, opts) {
				var failed *transport.TurnError
				if r.Attempts != tt.attempts || tt.text != "" && (r.Err != nil || r.Text() != tt.text) || tt.text == "" && !errors.As(r.Err, &failed) {
					t.Errorf("%d attempts, %q, %v", r.Attempts, r.Text(), r.Err)
				}
			}
		})
	}
}

func TestABudgetIsForAllPromptsTogether(t *testing.T) {
	transportOptions := simulated(t, echo)
	one, err := transport.Query(t.Context(), "prompt 0", transportOptions).Result()
	if err != nil {
		t.Fatal(err)
	}
	const count = 30
	for _, tt := range []struct {
		name   string
		opts   batch.Options
		want   error
		atMost float64
	}{
		{"dollars", batch.Options{Budget: 10.5 * one.Cost(), AtOnce: 1}, batch.ErrBudget, 11},
		{"dollars, several at once", batch.Options{Budget: 10.5 * one.Cost(), AtOnce: 4}, batch.ErrBudget, 11 + 4},
		{"turns", batch.Options{Turns: 10, AtOnce: 1}, batch.ErrTurns, 10},
		{"turns, several at once", batch.Options{Turns: 10, AtOnce: 4}, batch.ErrTurns, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.opts.Transport = transportOptions
			var last batch.Progress
			tt.opts.Progress = func(p batch.Progress) { last = p }
			ran := 0
			for r := range batch.Run(t.Context(), prompts(count), &tt.opts) {
				switch {
				case r.Attempts == 1:
					ran++
				case !errors.Is(r.Err, tt.want):
					t.Errorf("not run: %v", r.Err)
				}
			}
			if ran < 9 || float64(ran) > tt.atMost {
				t.Errorf("%d were run, which cost %v; one costs %v", ran, last.Cost, one.Cost())
			}
		})
	}
}

// started collects the processes that are started.
type started struct {
	mu   sync.Mutex
	list []transport.Process
}

func (s *started) watch(o *transport.Options) {
	spawn := o.Spawn
	o.Spawn = func(ctx context.Context, c transport.Command) (transport.Process, error) {
		p, err := spawn(ctx, c)
		if err == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.list = append(s.list, p)
		}
		return p, err
	}
}

func (s *started) running() (n int) {
	for _, p := range s.list {
		select {
		case <-p.Done():
		default:
			n++
		}
	}
	return n
}

func TestNoCLIIsLeftWhenTheLoopIs(t *testing.T) {
	const slow = `{"turns": [{"match": {"text": "slow"}, "text": "late", "pace": {"before": "1h"}}], "default": {"text": "{{text}}"}}`
	o := simulated(t, slow)
	var all started
	all.watch(o)
	seen := 0
	for r := range batch.Run(t.Context(), []string{"slow 1", "slow 2", "quick", "slow 3"}, &batch.Options{Transport: o}) {
		if seen++; r.Prompt != "quick" {
			t.Errorf("%q is done: %v", r.Prompt, r.Err)
		}
		break
	}
	if seen != 1 || len(all.list) < 3 || all.running() > 0 {
		t.Errorf("%d results; of %d CLIs %d are left", seen, len(all.list), all.running())
	}
}

func TestTheEndOfTheContextEndsEachPrompt(t *testing.T) {
	const slow = `{"turns": [{"match": {"text": "slow"}, "text": "late", "pace": {"before": "1h"}}], "default": {"text": "{{text}}"}}`
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	results := map[string]error{}
	for r := range batch.Run(ctx, []string{"quick", "slow 1", "slow 2", "slow 3"}, &batch.Options{Transport: simulated(t, slow), AtOnce: 2}) {
		results[r.Prompt] = r.Err
		cancel()
	}
	if len(results) != 4 || results["quick"] != nil {
		t.Errorf("results: %v", results)
	}
	for _, prompt := range []string{"slow 1", "slow 2", "slow 3"} {
		if !errors.Is(results[prompt], context.Canceled) {
			t.Errorf("%s: %v", prompt, results[prompt])
		}
	}
}

func TestAnAttemptHasItsTime(t *testing.T) {
	const slow = `{"turns": [{"text": "late", "pace": {"before": "1h"}}]}`
	for r := range batch.Run(t.Context(), []string{"x"}, &batch.Options{Transport: simulated(t, slow), Timeout: 50 * time.Millisecond}) {
		if !errors.Is(r.Err, context.DeadlineExceeded) || r.Attempts != 1 {
			t.Errorf("%d attempts: %v", r.Attempts, r.Err)
		}
	}
}
