package transport

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestThirtyThirdRequestIsAnsweredByItsPolicy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, f := running(t, &Options{Hooks: preToolUse(func(ctx context.Context, _ *wire.HookCallbackRequest) (*wire.HookOutput, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}), CanUseTool: allow, MCPServers: map[string]MCPHandler{"srv": echoServer}})
		for i := range 32 {
			f.Say(peertest.RequestLine(fmt.Sprint(i), peertest.HookBody))
		}
		f.Nothing()
		f.Say(peertest.RequestLine("hook", peertest.HookBody))
		if got := f.One(); got != peertest.SuccessLine("hook", goOnBody) {
			t.Errorf("sent %s", got)
		}
		f.Say(peertest.RequestLine("permission", peertest.PermissionBody))
		if got := f.One(); got != peertest.SuccessLine("permission", `{"behavior":"deny","message":"permission denied: too many requests at once"}`) {
			t.Errorf("sent %s", got)
		}
		f.Say(peertest.RequestLine("mcp", peertest.MCPBody))
		if got := f.One(); got != peertest.SuccessLine("mcp", `{"mcp_response":{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"too many requests at once"}}}`) {
			t.Errorf("sent %s", got)
		}
		f.Say(peertest.RequestLine("other", `{"subtype":"brand_new"}`))
		if got := f.One(); got != unsupportedLine("other", "brand_new") {
			t.Errorf("sent %s", got)
		}
	})
}

func TestElicitationAndDialogs(t *testing.T) {
	const (
		elicitation = `{"subtype":"elicitation","mcp_server_name":"s","message":"?"}`
		dialog      = `{"subtype":"request_user_dialog","dialog_kind":"k","payload":{}}`
	)
	fail := errors.New("no display")
	accept := func(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error) {
		return &wire.ElicitationResponse{Action: wire.ElicitationActionAccept, Content: codec.Raw(`{}`)}, nil
	}
	tests := []struct {
		name, request string
		opts          Options
		want          string
	}{
		{"elicitation without a callback is declined", elicitation, Options{}, peertest.SuccessLine("r", `{"action":"decline"}`)},
		{"elicitation", elicitation, Options{Elicitation: accept}, peertest.SuccessLine("r", `{"action":"accept","content":{}}`)},
		{"failed elicitation is cancelled", elicitation, Options{Elicitation: func(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error) { return nil, fail }},
			peertest.SuccessLine("r", `{"action":"cancel"}`)},
		{"nil elicitation is cancelled", elicitation, Options{Elicitation: func(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error) { return nil, nil }},
			peertest.SuccessLine("r", `{"action":"cancel"}`)},
		{"dialog without a callback is an error", dialog, Options{}, peertest.ErrorLine("r", `this session shows no dialogs of kind "k"`)},
		{"dialog", dialog, Options{UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			return &wire.RequestUserDialogCompleted{Result: codec.Raw(`{"x":1}`)}, nil
		}}, peertest.SuccessLine("r", `{"behavior":"completed","result":{"x":1}}`)},
		{"failed dialog is cancelled", dialog, Options{UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			panic("x")
		}}, peertest.SuccessLine("r", `{"behavior":"cancelled"}`)},
		{"nil dialog is cancelled", dialog, Options{UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			return (*wire.RequestUserDialogCompleted)(nil), nil
		}}, peertest.SuccessLine("r", `{"behavior":"cancelled"}`)},
		{"dialog whose result is not JSON is cancelled", dialog, Options{UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			return &wire.RequestUserDialogCompleted{Result: codec.Raw(`{`)}, nil
		}}, peertest.SuccessLine("r", `{"behavior":"cancelled"}`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, f := running(t, &test.opts)
				f.Say(peertest.RequestLine("r", test.request))
				if got := f.One(); got != test.want {
					t.Errorf("sent %s\nwant %s", got, test.want)
				}
			})
		})
	}
}
