package transport

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestQueryWithoutCallbacksIsOneWay(t *testing.T) {
	peertest.CheckLeaks(t)
	o := scriptedOptions(t)
	o.Model = "m"
	var marks []string
	var result string
	for f, err := range Query(t.Context(), "-- what's \"this\"?", o) {
		if err != nil {
			t.Fatal(err)
		}
		switch f := f.(type) {
		case *wire.KeepAlive:
			if f.StartupMark != nil {
				marks = append(marks, *f.StartupMark)
			}
		case *wire.ResultSuccess:
			result = f.Result
		}
	}
	want := []string{`--print --output-format stream-json --verbose --permission-mode default --model m -- -- what's "this"?`}
	if diff := cmp.Diff(want, marks); diff != "" {
		t.Error(diff)
	}
	if slices.ContainsFunc(want, func(s string) bool { return strings.Contains(s, "--input-format") }) || result != "0 bytes of input" {
		t.Errorf("result = %q", result)
	}
}

func TestOneWayQueryEndsWithTheExit(t *testing.T) {
	peertest.CheckLeaks(t)
	count := 0
	var last error
	for f, err := range Query(t.Context(), "x", scriptedOptions(t, peertest.InitEnv+"=exit")) {
		if f != nil {
			count++
		}
		last = err
	}
	var exit *ExitError
	if count != 3 || !errors.As(last, &exit) || exit.Code != 3 || exit.Stderr != "no key\n" {
		t.Errorf("%d messages, then %v", count, last)
	}
}

func TestQueryLoopCanBeLeft(t *testing.T) {
	for _, bidirectional := range []bool{false, true} {
		peertest.CheckLeaks(t)
		o := scriptedOptions(t)
		if bidirectional {
			o.CanUseTool = allow
		}
		for _, err := range Query(t.Context(), "echo x", o) {
			if err != nil {
				t.Error(err)
			}
			break
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
		for _, err := range Query(ctx, "raw "+peertest.KeepAliveLine+"\n", o) {
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
	var got []string
	for f, err := range Query(t.Context(), "raw "+peertest.RequestLine("r", peertest.PermissionBody)+"\n"+peertest.ResultLine("done")+"\n", o) {
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := f.(*wire.ResultSuccess); ok {
			got = append(got, r.Result)
		}
	}
	if !cmp.Equal(got, []string{"done"}) {
		t.Errorf("results %q", got)
	}
	<-asked
}

func TestQueryStartErrors(t *testing.T) {
	for _, o := range []*Options{{CLI: "ccwire-no-such-cli"}, {CLI: "ccwire-no-such-cli", CanUseTool: allow}} {
		count := 0
		for _, err := range Query(t.Context(), "x", o) {
			if count++; !errors.Is(err, ErrCLINotFound) {
				t.Errorf("error = %v", err)
			}
		}
		if count != 1 {
			t.Errorf("%d elements", count)
		}
	}
}
