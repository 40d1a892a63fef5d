package transport

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// marks returns the texts of a turn's marks.
func marks(t *testing.T, turn *Turn) (all []string) {
	t.Helper()
	for f, err := range turn.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		if mark, ok := f.(*wire.KeepAlive); ok && mark.StartupMark != nil {
			all = append(all, *mark.StartupMark)
		}
	}
	return all
}

func TestQueryWithoutCallbacksIsOneWay(t *testing.T) {
	peertest.CheckLeaks(t)
	o := scriptedOptions(t)
	o.Flags.Model = "m"
	turn := Query(t.Context(), "echo -- what's \"this\"?", o)
	want := []string{`--print --output-format stream-json --verbose --input-format stream-json --model=m --permission-mode=default`}
	if diff := cmp.Diff(want, marks(t, turn)); diff != "" {
		t.Error(diff)
	}
	if r, err := turn.Result(); err != nil || r.Text() != `-- what's "this"?` {
		t.Errorf("result = %+v, %v", r, err)
	}
}

func TestAQueryCanStream(t *testing.T) {
	peertest.CheckLeaks(t)
	o := scriptedOptions(t)
	o.Stream = true
	got := marks(t, Query(t.Context(), "echo yes", o))
	if len(got) != 1 || !strings.Contains(got[0], " --include-partial-messages ") {
		t.Errorf("the arguments are %q", got)
	}
}

func TestAPromptOfAnyLengthIsNotAnArgument(t *testing.T) {
	for _, length := range []int{0, 1 << 20} {
		peertest.CheckLeaks(t)
		text := "secret" + strings.Repeat("x", length)
		turn := Query(t.Context(), "echo "+text, scriptedOptions(t))
		if args := strings.Join(marks(t, turn), " "); strings.Contains(args, "secret") {
			t.Errorf("the arguments are %.200s", args)
		}
		if r, err := turn.Result(); err != nil || r.Text() != text {
			t.Errorf("result of %d bytes, %v", len(r.Text()), err)
		}
	}
}

// The CLI ends without reading the prompt, which does not fit into the pipe.
func TestOneWayQueryEndsWithTheExit(t *testing.T) {
	for _, prompt := range []string{"exit 3", "exit 3 " + strings.Repeat("x", 4<<20)} {
		peertest.CheckLeaks(t)
		o := scriptedOptions(t)
		if len(prompt) > 1<<20 {
			o.Env = append(o.Env, peertest.InitEnv+"=exit-unread")
		}
		_, err := Query(t.Context(), prompt, o).Result()
		var exit *ExitError
		if !errors.As(err, &exit) || exit.Code != 3 || exit.Stderr != "last words\n" {
			t.Errorf("%.10s: %v", prompt, err)
		}
	}
}

func TestAQueryWithoutAResultFails(t *testing.T) {
	for _, bidirectional := range []bool{false, true} {
		peertest.CheckLeaks(t)
		o := scriptedOptions(t)
		if bidirectional {
			o.CanUseTool = allow
		}
		r, err := Query(t.Context(), "exit 0", o).Result()
		var exit *ExitError
		if r != nil || !errors.Is(err, ErrNoResult) || !errors.As(err, &exit) {
			t.Errorf("result = %v, %v", r, err)
		}
	}
}

func TestQueryLoopCanBeLeft(t *testing.T) {
	for _, bidirectional := range []bool{false, true} {
		peertest.CheckLeaks(t)
		o := scriptedOptions(t)
		if bidirectional {
			o.CanUseTool = allow
		}
		turn := Query(t.Context(), "raw "+peertest.KeepAliveLine+"\n"+peertest.ResultLine("x")+"\n", o)
		for _, err := range turn.Messages() {
			if err != nil {
				t.Error(err)
			}
			break
		}
		if _, err := turn.Result(); !errors.Is(err, ErrClosed) {
			t.Errorf("result after a break: %v", err)
		}
	}
}

func TestQueryEndsWithItsContext(t *testing.T) {
	for _, bidirectional := range []bool{false, true} {
		peertest.CheckLeaks(t)
		ctx, cancel := context.WithCancel(t.Context())
		o := scriptedOptions(t)
		if bidirectional {
			o.CanUseTool = allow
		}
		var last error
		for _, err := range Query(ctx, "raw "+peertest.KeepAliveLine+"\n", o).Messages() {
			cancel()
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("ended with %v", last)
		}
		cancel()
	}
}

func TestAQueryDoesNotWaitForEverForASpawnedCLI(t *testing.T) {
	for _, bidirectional := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			f := newMemoryCLI(t)
			f.deaf = true
			o := &Options{Logger: peertest.Quiet, Spawn: func(context.Context, Command) (Process, error) { return f, nil }}
			if bidirectional {
				o.CanUseTool = allow
				go func() { f.Say(peertest.SuccessLine(f.RequestID("initialize"), `{}`)) }()
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			begin := time.Now()
			if _, err := Query(ctx, "x", o).Result(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("ended with %v", err)
			}
			if took := time.Since(begin); took > time.Minute+2*spawnPatience {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestQueryWithCallbacksIsASession(t *testing.T) {
	peertest.CheckLeaks(t)
	asked := make(chan struct{}, 1)
	o := scriptedOptions(t)
	o.CanUseTool = func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
		asked <- struct{}{}
		return r.Allow(), nil
	}
	o.Hooks = preToolUse(hookNothing)
	r, err := Query(t.Context(), "raw "+peertest.RequestLine("r", peertest.PermissionBody)+"\n"+peertest.ResultLine("done")+"\n", o).Result()
	if err != nil || r.Text() != "done" {
		t.Errorf("result = %+v, %v", r, err)
	}
	<-asked
}

// askedQuery runs a query with a CLI in memory that asks for a permission and then writes the
// result. The error of the query comes when it is over.
func askedQuery(ctx context.Context, t *testing.T, o *Options) (*memoryCLI, <-chan error) {
	t.Helper()
	f := newMemoryCLI(t)
	o.Logger = peertest.Quiet
	o.Spawn = func(context.Context, Command) (Process, error) { return f, nil }
	done := make(chan error, 1)
	go func() {
		_, err := Query(ctx, "work", o).Result()
		done <- err
	}()
	f.Say(peertest.SuccessLine(f.RequestID("initialize"), `{}`))
	f.One() // the prompt
	f.Say(peertest.RequestLine("ask", peertest.PermissionBody), peertest.ResultLine("done"))
	return f, done
}

func TestAQueryAnswersWhatItWasAskedBeforeItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		decide := make(chan struct{})
		o := &Options{CanUseTool: func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			<-decide
			return r.Deny("no"), nil
		}}
		f, done := askedQuery(t.Context(), t, o)
		f.Nothing()
		if f.Closed() {
			t.Error("the input was closed before the answer")
		}
		f.Say(peertest.RequestLine("late", `{"subtype":"ccwire_unknown"}`))
		if line := f.One(); !strings.Contains(line, `"request_id":"late"`) {
			t.Errorf("a request after the result got %s", line)
		}
		close(decide)
		if line := f.One(); !strings.Contains(line, `"request_id":"ask"`) || !strings.Contains(line, `"deny"`) {
			t.Errorf("the answer is %s", line)
		}
		if err := <-done; err != nil || f.Exit() == nil {
			t.Errorf("the query ended with %v, its CLI with %v", err, f.Exit())
		}
	})
}

func TestAQueryDoesNotWaitForEverForACallback(t *testing.T) {
	for _, test := range []struct {
		name   string
		cancel time.Duration // of the query's context
		want   time.Duration
	}{
		{"its patience ends", time.Hour, retirePatience},
		{"its context ends", time.Second, time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), test.cancel)
				defer cancel()
				released := make(chan time.Time, 1)
				o := &Options{CanUseTool: func(ctx context.Context, _ *wire.CanUseToolRequest) (wire.PermissionResult, error) {
					<-ctx.Done()
					released <- time.Now()
					return nil, ctx.Err()
				}}
				start := time.Now()
				f, done := askedQuery(ctx, t, o)
				if err := <-done; err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took != test.want || f.Exit() == nil {
					t.Errorf("took %v, want %v; the CLI ended with %v", took, test.want, f.Exit())
				}
				if at := <-released; at.Sub(start) != test.want {
					t.Errorf("the callback was let go after %v", at.Sub(start))
				}
				f.Nothing()
			})
		})
	}
}

func TestQueryStartErrors(t *testing.T) {
	for _, o := range []*Options{{CLI: "ccwire-no-such-cli"}, {CLI: "ccwire-no-such-cli", CanUseTool: allow}} {
		count := 0
		for _, err := range Query(t.Context(), "x", o).Messages() {
			if count++; !errors.Is(err, ErrCLINotFound) {
				t.Errorf("error = %v", err)
			}
		}
		if count != 1 {
			t.Errorf("%d elements", count)
		}
	}
}

func TestOneWayQueryChecksTheOptions(t *testing.T) {
	o := scriptedOptions(t)
	o.Spawn = func(context.Context, Command) (Process, error) { return nil, nil }
	o.StderrLimit = 1
	if _, err := Query(t.Context(), "echo x", o).Result(); err == nil || !strings.Contains(err.Error(), "StderrLimit") {
		t.Errorf("error = %v", err)
	}
}

func TestAQueryMarksAVerbatimPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newMemoryCLI(t)
		turn := Query(t.Context(), "/exit", &Options{VerbatimPrompts: true, Logger: peertest.Quiet,
			Spawn: func(context.Context, Command) (Process, error) { return f, nil }})
		go func() { // ends with the turn
			if lines := f.Sent(); len(lines) != 1 || !strings.Contains(lines[0], `"client_composed":true`) {
				t.Errorf("it sends %q", lines)
			}
			f.Say(peertest.ResultLine("done"))
			f.die(0, "")
		}()
		if r, err := turn.Result(); err != nil || r.Text() != "done" {
			t.Errorf("result = %v, %v", r, err)
		}
	})
}
