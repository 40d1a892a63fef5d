package transport

import (
	"context"
	"errors"
	"strings"
	"testing"

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
