package wire_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
)

func TestARequestIsAnsweredWhateverItsHandlerReturns(t *testing.T) {
	success := func(body string) string {
		return `{"type":"control_response","response":{"subtype":"success","request_id":"r","response":` + body + `}}`
	}
	failure := func(rest string) string {
		return `{"type":"control_response","response":{"subtype":"error","request_id":"r","error":` + rest + `}}`
	}
	for _, row := range []struct {
		name string
		body any
		err  error
		want string
	}{
		{"an Appender", &wire.HookOutput{Continue: wire.Ptr(true)}, nil, success(`{"continue":true}`)},
		{"a map", map[string]any{"continue": true}, nil, success(`{"continue":true}`)},
		{"raw JSON", wire.Raw(`{"continue":true}`), nil, success(`{"continue":true}`)},
		{"an error", &wire.HookOutput{}, errors.New("no"), failure(`"no"`)},
		{"an error that is not UTF-8", nil, errors.New("n\xff"), failure(`"n\uFFFD"`)},
		{"nothing", nil, nil, failure(`"the handler returned neither an answer nor an error"`)},
		{"a nil map", map[string]any(nil), nil, failure(`"the handler returned neither an answer nor an error"`)},
		{"null", wire.Raw("null"), nil, failure(`"the handler returned neither an answer nor an error"`)},
		{"not handled", nil, fmt.Errorf("so: %w", wire.ErrNotHandled), failure(`"unsupported control request subtype: interrupt","error_code":"unsupported_request"`)},
	} {
		t.Run(row.name, func(t *testing.T) {
			request := &wire.ControlRequest{RequestID: "r", Request: &wire.InterruptRequest{}}
			line, err := wire.Append(nil, request.Answer(row.body, row.err))
			if err != nil || !sameJSON(t, line, []byte(row.want)) {
				t.Errorf("got %s, %v; want %s", line, err, row.want)
			}
		})
	}
	for _, body := range []any{(*wire.HookOutput)(nil), &wire.PermissionDeny{Message: "\xff"}, make(chan int), wire.Raw(`{`)} {
		request := &wire.ControlRequest{RequestID: "r", Request: &wire.InterruptRequest{}}
		answer := request.Answer(body, nil)
		if _, ok := answer.Response.(*wire.ErrorResponse); !ok {
			t.Errorf("%T: %T", body, answer.Response)
		}
		if _, err := wire.Append(nil, answer); err != nil {
			t.Errorf("%T: %v", body, err)
		}
	}
}

func TestAResponseHasTheIDAndTheBodyOrTheError(t *testing.T) {
	for _, row := range []struct{ name, response, id, body, err string }{
		{"success", `{"subtype":"success","request_id":"r","response":{"a":1}}`, "r", `{"a":1}`, ""},
		{"no body", `{"subtype":"success","request_id":"r"}`, "r", "", ""},
		{"error", `{"subtype":"error","request_id":"r","error":"no"}`, "r", "", "no"},
		{"error with a code", `{"subtype":"error","request_id":"r","error":"no","error_code":"unsupported_request"}`, "r", "", "no (unsupported_request)"},
		{"new subtype", `{"subtype":"partial","request_id":"r","response":{"a":1}}`, "r", `{"a":1}`, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			frame, err := wire.Decode([]byte(`{"type":"control_response","response":` + row.response + `}`))
			if err != nil {
				t.Fatal(err)
			}
			response := frame.(*wire.ControlResponse)
			body, err := response.Body()
			if response.RequestID() != row.id || string(body) != row.body {
				t.Errorf("got %q, %s", response.RequestID(), body)
			}
			var refused *wire.ResponseError
			switch {
			case row.err == "" && err != nil, row.err != "" && (!errors.As(err, &refused) || err.Error() != row.err):
				t.Errorf("the error is %v", err)
			}
		})
	}
	if empty := new(wire.ControlResponse); empty.RequestID() != "" {
		t.Errorf("got %q", empty.RequestID())
	}
}
