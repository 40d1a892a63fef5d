package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

const echoedAllow = `{"behavior":"allow","updatedInput":{"file_path":"a","content":"b"}}`

func TestPermissionAnswers(t *testing.T) {
	yes := true
	tests := []struct {
		name   string
		answer wire.PermissionResult
		want   string
	}{
		{"allow without an input echoes it", &wire.PermissionAllow{}, echoedAllow},
		{"allow with a null input echoes it", &wire.PermissionAllow{UpdatedInput: codec.Raw(`null`)}, echoedAllow},
		{"allow with another input", &wire.PermissionAllow{UpdatedInput: codec.Raw(`{"file_path":"c"}`)}, `{"behavior":"allow","updatedInput":{"file_path":"c"}}`},
		{"deny", &wire.PermissionDeny{Message: "no"}, `{"behavior":"deny","message":"no"}`},
		{"deny without a message", &wire.PermissionDeny{}, `{"behavior":"deny","message":"permission denied"}`},
		{"deny and interrupt", &wire.PermissionDeny{Message: "no", Interrupt: &yes}, `{"behavior":"deny","message":"no","interrupt":true}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, f := running(t, &Options{CanUseTool: func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
					if r.ToolName != "Write" || string(r.Input) != `{"file_path":"a","content":"b"}` {
						t.Errorf("request = %+v", r)
					}
					return test.answer, nil
				}})
				f.Say(peertest.RequestLine("r", peertest.PermissionBody))
				if got := f.One(); got != peertest.SuccessLine("r", test.want) {
					t.Errorf("sent %s\nwant %s", got, test.want)
				}
			})
		})
	}
}

func TestPermissionFailures(t *testing.T) {
	cases := failures[wire.PermissionResult](&wire.PermissionDeny{Message: "\xff"})
	typed := func(r wire.PermissionResult) func(context.Context) (wire.PermissionResult, error) {
		return func(context.Context) (wire.PermissionResult, error) { return r, nil }
	}
	for _, more := range []struct {
		name string
		r    wire.PermissionResult
	}{
		{"nil allow", (*wire.PermissionAllow)(nil)},
		{"nil deny", (*wire.PermissionDeny)(nil)},
		{"neither allow nor deny", &wire.UnknownPermissionResult{Raw: codec.Raw(`{"behavior":"ask"}`)}},
		{"input that is not JSON", &wire.PermissionAllow{UpdatedInput: codec.Raw(`{`)}},
	} {
		cases = append(cases, struct {
			name string
			call func(context.Context) (wire.PermissionResult, error)
			is   error
		}{more.name, typed(more.r), nil})
	}
	for _, failure := range cases {
		for _, policy := range []FailurePolicy{FailDefault, FailClosed, FailOpen} {
			t.Run(fmt.Sprint(failure.name, " ", policy), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, f := running(t, &Options{Policies: Policies{Permissions: policy}, CallbackTimeouts: CallbackTimeouts{Permission: time.Minute}, CanUseTool: func(ctx context.Context, _ *wire.CanUseToolRequest) (wire.PermissionResult, error) {
						return failure.call(ctx)
					}})
					f.Say(peertest.RequestLine("r", peertest.PermissionBody))
					if errors.Is(failure.is, errCallbackOut) {
						f.Nothing()
						time.Sleep(60 * time.Second)
					}
					got := f.One()
					if policy == FailOpen && got != peertest.SuccessLine("r", echoedAllow) {
						t.Errorf("sent %s", got)
					}
					if policy != FailOpen && !strings.Contains(got, `"response":{"behavior":"deny","message":"permission denied: `) {
						t.Errorf("sent %s", got)
					}
					e := only[*CallbackEvent](t, s.events)
					if e.Subtype != "can_use_tool" || failure.is != nil && !errors.Is(e.Err, failure.is) {
						t.Errorf("event = %+v", e)
					}
					time.Sleep(2 * time.Hour)
					f.Nothing()
				})
			})
		}
	}
}

func TestPermissionWithoutACallbackIsDenied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := running(t, nil)
		f.Say(peertest.RequestLine("r", peertest.PermissionBody))
		if got := f.One(); got != peertest.SuccessLine("r", `{"behavior":"deny","message":"permission denied: no callback is registered"}`) {
			t.Errorf("sent %s", got)
		}
	})
}

// The CLI turns an error reply into a failed tool call, so that this is a denial too.
func TestUndecodablePermissionRequestIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := running(t, &Options{CanUseTool: allow})
		f.Say(peertest.RequestLine("r", `{"subtype":"can_use_tool","tool_name":"Write","input":"text"}`))
		r, ok := peertest.Decode(t, f.One()).(*wire.ControlResponse).Response.(*wire.ErrorResponse)
		if !ok || !strings.Contains(r.Error, "/request/input") {
			t.Errorf("sent %+v", r)
		}
	})
}

// A person who is asked may be away for long.
func TestPermissionHasNoTimeoutByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := running(t, &Options{CanUseTool: func(ctx context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
			time.Sleep(24 * time.Hour)
			return r.Allow(), nil
		}})
		f.Say(peertest.RequestLine("r", peertest.PermissionBody))
		time.Sleep(24*time.Hour - 1)
		f.Nothing()
		time.Sleep(1 * time.Nanosecond)
		if got := f.One(); got != peertest.SuccessLine("r", echoedAllow) {
			t.Errorf("sent %s", got)
		}
	})
}

func TestPermissionIsAskedWhileInitializeIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := newTestSession(t, &Options{CanUseTool: allow})
		f.RequestID("initialize")
		f.Say(peertest.RequestLine("r", peertest.PermissionBody))
		if got := f.One(); got != peertest.SuccessLine("r", echoedAllow) {
			t.Errorf("sent %s", got)
		}
	})
}
