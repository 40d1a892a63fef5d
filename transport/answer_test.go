package transport

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestAnswersOfHandlers(t *testing.T) {
	code := wire.ErrorResponseErrorCodeInvalidRequest
	tests := []struct {
		name   string
		answer AnswerFunc
		want   string
	}{
		{"body", func(context.Context, wire.Request) (appender, error) { return rawBody(`{"a":1}`), nil }, peertest.SuccessLine("r", `{"a":1}`)},
		{"no body", func(context.Context, wire.Request) (appender, error) { return nil, nil }, peertest.SuccessLine("r", "")},
		{"error", func(context.Context, wire.Request) (appender, error) { return nil, errors.New("no") }, peertest.ErrorLine("r", "no")},
		{"refusal with a code", func(context.Context, wire.Request) (appender, error) {
			return nil, &CallError{Response: &wire.ErrorResponse{Error: "no", ErrorCode: &code}}
		}, `{"type":"control_response","response":{"subtype":"error","request_id":"r","error":"no","error_code":"invalid_request"}}`},
		{"panic", func(context.Context, wire.Request) (appender, error) { panic("boom") }, peertest.ErrorLine("r", "callback panicked: boom")},
		{"end of the goroutine", func(context.Context, wire.Request) (appender, error) { runtime.Goexit(); return nil, nil }, peertest.ErrorLine("r", errGoexit.Error())},
		{"body that is not JSON", func(context.Context, wire.Request) (appender, error) { return rawBody(`{`), nil }, peertest.ErrorLine("r", "the answer cannot be encoded")},
		{"body with an error", func(context.Context, wire.Request) (appender, error) { return &wire.PermissionAllow{}, nil }, ""},
		{"error that is not UTF-8", func(context.Context, wire.Request) (appender, error) { return nil, errors.New("\xff") }, peertest.ErrorLine("r", "the answer cannot be encoded")},
		{"nil in its interface", func(context.Context, wire.Request) (appender, error) { return (*wire.ErrorResponse)(nil), nil }, ""},
		{"unsupported", func(context.Context, wire.Request) (appender, error) { return nil, ErrUnsupported }, unsupportedLine("r", "interrupt")},
		{"no handler", nil, unsupportedLine("r", "interrupt")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, p := newPeer(t, &ConnOptions{Answer: test.answer})
				p.Say(peertest.RequestLine("r", peertest.InterruptBody))
				got := p.One()
				if test.want == "" {
					if r, ok := peertest.Decode(t, got).(*wire.ControlResponse).Response.(*wire.ErrorResponse); !ok || r.RequestID != "r" {
						t.Errorf("sent %s", got)
					}
				} else if got != test.want {
					t.Errorf("sent %s\nwant %s", got, test.want)
				}
			})
		})
	}
}

// countedBody counts how often it is encoded.
type countedBody struct{ times int }

func (b *countedBody) AppendJSON(dst []byte) ([]byte, error) {
	b.times++
	return append(dst, `{}`...), nil
}

func TestAnAnswerIsEncodedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := &countedBody{}
		_, p := newPeer(t, &ConnOptions{Answer: func(context.Context, wire.Request) (appender, error) { return body, nil }})
		p.Say(peertest.RequestLine("r", peertest.InterruptBody))
		if p.One(); body.times != 1 {
			t.Errorf("encoded %d times", body.times)
		}
	})
}

func unsupportedLine(id, subtype string) string {
	return `{"type":"control_response","response":{"subtype":"error","request_id":` + peertest.Quote(id) +
		`,"error":` + peertest.Quote("unsupported control request subtype: "+subtype) + `,"error_code":"unsupported_request"}}`
}

func TestHandlerCanTakeOverTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c *Conn
		c, p := newPeer(t, &ConnOptions{Answer: func(ctx context.Context, r wire.Request) (appender, error) {
			err := c.Send(ctx, (&wire.ControlRequest{RequestID: RequestID(ctx)}).Success([]byte(`{"mine":true}`)))
			if err != nil {
				t.Error(err)
			}
			return nil, ErrNoAnswer
		}})
		p.Say(peertest.RequestLine("r", peertest.InterruptBody))
		if got := p.One(); got != peertest.SuccessLine("r", `{"mine":true}`) {
			t.Errorf("sent %s", got)
		}
		if n := len(c.inbound.open); n != 0 {
			t.Errorf("%d requests are left", n)
		}
	})
}

func TestUnknownSubtypeGetsAnErrorReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, p := newPeer(t, nil)
		p.Say(peertest.RequestLine("r", `{"subtype":"brand_new","x":1}`))
		if got := p.One(); got != unsupportedLine("r", "brand_new") {
			t.Errorf("sent %s", got)
		}
	})
}
