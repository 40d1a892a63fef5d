package transport_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/transport"
)

// outcomeTests are turns whose outcome the real CLI and the simulated one agree on.
var outcomeTests = []struct {
	name   string
	turns  []fakeapi.Turn
	change func(*transport.Options) // may be nil
	// interrupt says at which message the turn is interrupted; nil for never.
	interrupt func(wire.Frame) bool
	want      transport.Outcome
}{
	{"completed", []fakeapi.Turn{{Text: "Done."}}, nil, nil, transport.Completed},
	{
		"interrupted in the middle of a text", []fakeapi.Turn{{Text: "It goes on and on", Cut: &fakeapi.Cut{How: fakeapi.Stall}}},
		func(o *transport.Options) { o.Flags.IncludePartialMessages = true },
		func(f wire.Frame) bool {
			event, ok := f.(*wire.StreamEvent)
			_, delta := eventOf(event, ok).(*wire.ContentBlockDeltaEvent)
			return delta
		},
		transport.Interrupted,
	},
	{
		"interrupted before a word", []fakeapi.Turn{{Text: "Late.", Pace: &fakeapi.Pace{Before: fakeapi.Duration(time.Minute)}}}, nil,
		func(f wire.Frame) bool { _, ok := f.(*wire.SystemInit); return ok },
		transport.Interrupted,
	},
	{
		"interrupted while a permission is asked", []fakeapi.Turn{{Content: []fakeapi.Block{fakeapi.ToolUse("Bash", `{"command":"touch a","description":"a"}`)}}, {Text: "Done."}},
		func(o *transport.Options) {
			o.CanUseTool = func(ctx context.Context, _ *wire.CanUseToolRequest) (wire.PermissionResult, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		},
		func(f wire.Frame) bool { _, ok := f.(*wire.Assistant); return ok },
		transport.Interrupted,
	},
	{
		"stopped by a hook", []fakeapi.Turn{{Content: []fakeapi.Block{fakeapi.ToolUse("Bash", `{"command":"true","description":"a"}`)}}, {Text: "Done."}},
		func(o *transport.Options) {
			stop := false
			o.Hooks = map[string][]transport.Hook{"PreToolUse": {{Callbacks: []transport.HookFunc{
				func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
					return &wire.HookOutput{Continue: &stop}, nil
				},
			}}}}
		}, nil, transport.StoppedByHook,
	},
	{
		"prompt that a hook blocks", []fakeapi.Turn{{Text: "Done."}},
		func(o *transport.Options) {
			block := wire.HookOutputDecisionBlock
			o.Hooks = map[string][]transport.Hook{"UserPromptSubmit": {{Callbacks: []transport.HookFunc{
				func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
					return &wire.HookOutput{Decision: &block}, nil
				},
			}}}}
		}, nil, transport.StoppedByHook,
	},
	{
		"limit of turns", []fakeapi.Turn{{Content: []fakeapi.Block{fakeapi.ToolUse("Glob", `{"pattern":"*"}`)}}, {Text: "Done."}},
		func(o *transport.Options) { o.Flags.MaxTurns = 1 }, nil, transport.TurnLimit,
	},
	{
		"budget", []fakeapi.Turn{{Content: []fakeapi.Block{fakeapi.ToolUse("Glob", `{"pattern":"*"}`)}}, {Text: "Done."}},
		func(o *transport.Options) { o.Flags.MaxBudgetUSD = 0.000001 }, nil, transport.BudgetLimit,
	},
	{"error of the API", []fakeapi.Turn{{Error: &fakeapi.Error{Status: 400, Message: "no"}, Times: -1}}, nil, nil, transport.APIFailed},
	{"refused", []fakeapi.Turn{{Text: "I will not.", StopReason: "refusal", Times: -1}}, nil, nil, transport.Refused},
}

func eventOf(f *wire.StreamEvent, ok bool) wire.APIEvent {
	if !ok {
		return nil
	}
	return f.Event
}

// testOutcomes plays the turns with the CLI of the options that prepare returns.
func testOutcomes(t *testing.T, prepare func(*testing.T, []fakeapi.Turn) *transport.Options) {
	for _, test := range outcomeTests {
		t.Run(test.name, func(t *testing.T) {
			o := prepare(t, test.turns)
			if test.change != nil {
				test.change(o)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			s, err := transport.Open(ctx, o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			turn := s.Turn(ctx, "begin")
			for f := range turn.Messages() {
				if test.interrupt != nil && test.interrupt(f) {
					test.interrupt = nil
					if _, err := s.Client.Interrupt(ctx, &wire.InterruptRequest{}); err != nil {
						t.Error(err)
					}
				}
			}
			r, err := turn.Result()
			if r == nil {
				t.Fatal(err)
			}
			if got := r.Outcome(); got != test.want {
				text, _ := wire.Append(nil, r.Frame)
				t.Errorf("outcome = %v, want %v: %s", got, test.want, text)
			}
			var failed *transport.TurnError
			if errors.As(err, &failed) == (test.want == transport.Completed) {
				t.Errorf("error = %v", err)
			}
		})
	}
}

// simulated returns options for a simulated CLI.
func simulated(t *testing.T, turns []fakeapi.Turn) *transport.Options {
	script, err := json.Marshal(fakeapi.Script{Turns: turns})
	if err != nil {
		t.Fatal(err)
	}
	cli, err := sim.New(script)
	if err != nil {
		t.Fatal(err)
	}
	o := cli.Options()
	o.Logger = slog.New(slog.DiscardHandler)
	return o
}

func TestOutcomesOfTheSimulatedCLI(t *testing.T) { testOutcomes(t, simulated) }

// testTurnsThatDoNotHang plays turns that end before their results: the ones after them come.
func testTurnsThatDoNotHang(t *testing.T, prepare func(*testing.T, []fakeapi.Turn) *transport.Options) {
	o := prepare(t, []fakeapi.Turn{
		{Text: "It goes on and on", Cut: &fakeapi.Cut{How: fakeapi.Stall}}, {Text: "Two."}, {Text: "Three."},
	})
	o.Stream = true
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := transport.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	short, end := context.WithCancel(ctx)
	defer end()
	var last error
	for text, err := range s.Turn(short, "one").Text() {
		if text != "" {
			end()
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("the turn whose context ended: %v", last)
	}
	message := &wire.User{
		UUID:    wire.Ptr("11111111-2222-4333-8444-555555555555"),
		Message: wire.UserMessage{Content: wire.UserMessageContent{Text: wire.Ptr("two")}},
	}
	if r, err := s.TurnOf(ctx, message).Result(); err != nil || r.Text() != "Two." {
		t.Errorf("result = %v, %v", r, err)
	}
	if _, err := s.TurnOf(ctx, message).Result(); !errors.Is(err, transport.ErrRepeatedUUID) {
		t.Errorf("the same message again: %v", err)
	}
	if r, err := s.Turn(ctx, "three").Result(); err != nil || r.Text() != "Three." {
		t.Errorf("result = %v, %v", r, err)
	}
}

// testRepeatedUUID resumes a session with a message that is in its history: its turn says so, and
// the next one comes.
func testRepeatedUUID(t *testing.T, prepare func(*testing.T, []fakeapi.Turn) *transport.Options) {
	o := prepare(t, []fakeapi.Turn{{Text: "One."}, {Text: "Two."}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	message := &wire.User{
		UUID:    wire.Ptr("11111111-2222-4333-8444-555555555555"),
		Message: wire.UserMessage{Content: wire.UserMessageContent{Text: wire.Ptr("one")}},
	}
	s, err := transport.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.TurnOf(ctx, message).Result()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o.Flags.Resume = r.Session()
	s, err = transport.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.TurnOf(ctx, message).Result(); !errors.Is(err, transport.ErrRepeatedUUID) {
		t.Errorf("the message of the session before: %v", err)
	}
	if r, err := s.Turn(ctx, "two").Result(); err != nil || r.Text() != "Two." {
		t.Errorf("result = %v, %v", r, err)
	}
}

func TestRepeatedUUIDOfAResumedSessionOfTheSimulatedCLI(t *testing.T) {
	testRepeatedUUID(t, simulated)
}

// testInterruptedCompaction interrupts a /compact.
func testInterruptedCompaction(t *testing.T, prepare func(*testing.T, []fakeapi.Turn) *transport.Options) {
	o := prepare(t, []fakeapi.Turn{{Text: "One."}, {Text: "It goes on and on", Cut: &fakeapi.Cut{How: fakeapi.Stall}}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := transport.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Turn(ctx, "one").Result(); err != nil {
		t.Fatal(err)
	}
	turn := s.Turn(ctx, "/compact")
	for f := range turn.Messages() {
		if status, ok := f.(*wire.SystemStatus); ok && status.Status.Valid {
			if _, err := s.Client.Interrupt(ctx, &wire.InterruptRequest{}); err != nil {
				t.Error(err)
			}
		}
	}
	r, err := turn.Result()
	if r == nil {
		t.Fatal(err)
	}
	if got := r.Outcome(); got != transport.Interrupted || err == nil {
		text, _ := wire.Append(nil, r.Frame)
		t.Errorf("outcome = %v, error = %v: %s", got, err, text)
	}
}

func TestInterruptedCompactionOfTheSimulatedCLI(t *testing.T) {
	testInterruptedCompaction(t, simulated)
}

func TestTurnsOfTheSimulatedCLIDoNotHang(t *testing.T) { testTurnsThatDoNotHang(t, simulated) }

// testDroppedResult leaves a turn whose result is then dropped: the next turn comes.
func testDroppedResult(t *testing.T, prepare func(*testing.T, []fakeapi.Turn) *transport.Options) {
	o := prepare(t, []fakeapi.Turn{{Text: "One."}, {Text: strings.Repeat("two ", 200), Pace: &fakeapi.Pace{Chunk: 4}}, {Text: "Three."}})
	o.Stream = true
	o.WhenFull, o.Limits.Messages = transport.DropOldest, 30 // fewer than the second turn has, more than the third
	stopped := make(chan struct{}, 3)
	o.Hooks = map[string][]transport.Hook{"Stop": {{Callbacks: []transport.HookFunc{
		func(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
			stopped <- struct{}{}
			return &wire.HookOutput{}, nil
		},
	}}}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := transport.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	one := s.Turn(ctx, "one")
	for range one.Messages() {
		break
	}
	if err := s.Prompt(ctx, "two"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		select {
		case <-stopped:
		case <-ctx.Done():
			t.Fatal("the turns do not end")
		}
	}
	if r, err := s.Turn(ctx, "three").Result(); err != nil || r.Text() != "Three." {
		t.Errorf("result = %v, %v", r, err)
	}
	if r, err := one.Result(); err == nil {
		t.Errorf("the turn whose result was dropped has %v", r)
	}
}

func TestDroppedResultOfTheSimulatedCLI(t *testing.T) { testDroppedResult(t, simulated) }
