package hooks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/ccwire/ccwire/internal/sim/shell"
)

// Host sends requests to the SDK.
type Host interface {
	// Send sends a request at once and returns a function that waits for the response. When ctx
	// ends before it comes, the request is cancelled.
	Send(ctx context.Context, request object.Object) (wait func() (any, error))
	// Began, Goes and Ended are told of commands. Goes is told what one has written so far.
	Began(h *Hook, id string)
	Goes(h *Hook, id, stdout, stderr string)
	Ended(h *Hook, id string, o shell.Outcome)
}

// Call is an event.
type Call struct {
	Event string
	Name  string        // of the tool, or what else matchers are about
	Input object.Object // of the hooks
	ID    string        // tool_use_id
	Dir   string        // where commands run
	Fence *fence.Fence  // behind which commands run
	Env   []string      // of commands
	NewID func() string // ids of commands; nil for none
	Sent  func()        // called when all hooks are on their way; nil for nothing
}

// Answer is what came of one hook.
type Answer struct {
	Hook   *Hook
	Output Output
	Err    error // why there is no output: a *Failure, an *EventError, a timeout, the end of the context
}

// Failure is a callback that was answered with an error or with what is not an output.
type Failure struct {
	Hook  *Hook
	Cause error
}

func (f *Failure) Error() string {
	return fmt.Sprintf("Hook callback %s failed: the SDK host replied with an error or an invalid answer.", f.Hook.Callback)
}

func (f *Failure) Unwrap() error { return f.Cause }

// ErrTimeout says that a hook did not answer in its time.
var ErrTimeout = errors.New("the hook did not answer in time")

// Run calls hooks, all at the same time, and waits for their answers.
func Run(ctx context.Context, list []Hook, c *Call, host Host) []Answer {
	answers := make([]Answer, len(list))
	var all sync.WaitGroup
	for i := range list {
		h := &list[i]
		answers[i].Hook = h
		limited, cancel := context.WithTimeoutCause(ctx, h.timeout(), ErrTimeout)
		if h.Callback == "" {
			id := ""
			if c.NewID != nil {
				id = c.NewID()
			}
			host.Began(h, id)
			all.Go(func() {
				defer cancel()
				answers[i].Output, answers[i].Err = h.run(limited, c, host, id)
			})
			continue
		}
		wait := host.Send(limited, object.Of("subtype", "hook_callback", "callback_id", h.Callback, "input", c.Input, "tool_use_id", c.ID))
		all.Go(func() {
			defer cancel()
			v, err := wait()
			if err == nil {
				answers[i].Output, err = ReadOutput(c.Event, v)
			}
			switch {
			case err == nil:
			case context.Cause(limited) == ErrTimeout:
				err = ErrTimeout
			case ctx.Err() != nil:
				err = context.Cause(ctx)
			case !errors.Is(err, ErrEvent) && !errors.Is(err, ErrClosed):
				err = &Failure{h, err}
			}
			answers[i].Err = err
		})
	}
	if c.Sent != nil {
		c.Sent()
	}
	all.Wait()
	return answers
}

// ErrClosed says that no response can come any more. A Host returns an error that wraps it.
var ErrClosed = errors.New("the SDK is gone")

// notStarted is the exit code of a command that did not start, as shells have it.
const notStarted = 126

// run runs a command that has an id.
func (h *Hook) run(ctx context.Context, c *Call, host Host, id string) (Output, error) {
	command := shell.Command{
		Shell: "/bin/sh", Line: h.expanded(), Dir: c.Dir, Stdin: object.Append(nil, c.Input), Fence: c.Fence, Timeout: h.timeout(), Separate: true,
		Env: append([]string{"CLAUDE_PROJECT_DIR=" + c.Dir, "CLAUDE_PLUGIN_ROOT=" + h.Root}, c.Env...),
	}
	if h.Foreign {
		command.Read = c.Fence.Named(append(strings.Fields(command.Line), h.Root)...)
	}
	o, err := follow(ctx, &command, func(stdout, stderr string) { host.Goes(h, id, stdout, stderr) })
	if err != nil {
		o = shell.Outcome{Code: notStarted, Stderr: err.Error() + "\n"}
	}
	host.Ended(h, id, o)
	switch {
	case err != nil:
		return Output{}, &Failure{h, err}
	case o.TimedOut:
		return Output{}, ErrTimeout
	case o.Interrupted:
		return Output{}, context.Cause(ctx)
	case o.Code == 2:
		reason := o.Stderr
		if h.Plugin != "" {
			reason += fmt.Sprintf("\nThis hook comes from the %s plugin.", h.Plugin)
		}
		return Output{Decision: "block", Reason: fmt.Sprintf("[%s]: %s", h.name(), reason), Bare: strings.TrimSpace(reason)}, nil
	case o.Code != 0:
		return Output{Failed: true}, nil
	}
	text := strings.TrimSpace(o.Stdout)
	if !strings.HasPrefix(text, "{") {
		return plainOutput(c.Event, text), nil
	}
	v, err := object.Parse([]byte(text))
	if err != nil {
		return plainOutput(c.Event, text), nil
	}
	out, err := ReadOutput(c.Event, v)
	if err != nil {
		return Output{}, &Failure{h, err}
	}
	return out, nil
}

// follow runs a command, and calls told now and then with what it has written, if that is more than
// before.
func follow(ctx context.Context, c *shell.Command, told func(stdout, stderr string)) (shell.Outcome, error) {
	p, err := c.Start()
	if err != nil {
		return shell.Outcome{}, err
	}
	ended := make(chan struct{})
	var following sync.WaitGroup
	following.Go(func() {
		tick := time.NewTicker(goesEvery)
		defer tick.Stop()
		before := 0
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			stdout, stderr := p.Written()
			if n := len(stdout) + len(stderr); n > before {
				before = n
				told(stdout, stderr)
			}
		}
	})
	o := p.Await(ctx, c.Timeout)
	close(ended)
	following.Wait()
	return o, nil
}

// goesEvery is how often people are told what a command has written.
const goesEvery = time.Second

// plainOutput is the output of a command that does not write JSON. For some events the model is
// told; for WorktreeCreate it is the worktree.
func plainOutput(event, text string) Output {
	if text != "" && event == "WorktreeCreate" {
		return Output{Specific: object.Of("hookEventName", event, "worktreePath", text)}
	}
	if text != "" && (event == "UserPromptSubmit" || event == "SessionStart" || event == "UserPromptExpansion") {
		return Output{Specific: object.Of("hookEventName", event, "additionalContext", text)}
	}
	return Output{}
}
