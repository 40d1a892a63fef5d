package wire_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

func TestEveryFrameIsOneLine(t *testing.T) {
	nasty := "a\nb\r\x00\x1f\x7f\t\u0085\u2028\u2029<&>\"\\/é😀"
	for _, frame := range []wire.Frame{
		&wire.ControlRequest{RequestID: nasty, Request: &wire.InterruptRequest{}},
		&wire.UpdateEnvironmentVariables{Variables: map[string]string{nasty: nasty}},
		&wire.KeepAlive{Extra: &codec.Members{{Name: nasty, Value: codec.Raw("{\n\"a\":\r\n\"\u2028\"}")}}},
		&wire.UnknownFrame{Raw: codec.Raw("{\n\"type\"\n:\n\"new\"}\n")},
	} {
		out, err := wire.Append(nil, frame)
		if err != nil {
			t.Fatal(err)
		}
		checkOneLine(t, out)
		if !json.Valid(out) {
			t.Errorf("not JSON: %s", out)
		}
		again, err := wire.Decode(out)
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if twice, err := wire.Append(nil, again); err != nil || string(twice) != string(out) {
			t.Errorf("%s, %v; want %s", twice, err, out)
		}
	}
}

func TestOnlyWhatMustBeEscapedIs(t *testing.T) {
	for text, want := range map[string]string{
		"<script>&'</script>": `<script>&'</script>`,
		"\u2028\u2029\u0085":  `\u2028\u2029\u0085`,
		"\x00\x1f":            `\u0000\u001f`,
		"\n\r\t\b\f":          `\n\r\t\b\f`,
		"\x7f/é😀\ufeff\uffff": "\x7f/é😀\ufeff\uffff",
		`"\`:                  `\"\\`,
	} {
		out, err := wire.Append(nil, &wire.ControlCancelRequest{RequestID: text})
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"type":"control_cancel_request","request_id":"` + want + `"}`; string(out) != want {
			t.Errorf("got  %s\nwant %s", out, want)
		}
	}
}

func TestAppendAppends(t *testing.T) {
	buf := append(make([]byte, 0, 100), "before "...)
	out, err := wire.Append(buf, &wire.KeepAlive{})
	if err != nil || string(out) != `before {"type":"keep_alive"}` || &out[0] != &buf[0] {
		t.Errorf("%s, %v", out, err)
	}
}

func TestWhatCannotBeSentIsAnErrorThatNamesTheMember(t *testing.T) {
	var noRequest *wire.InterruptRequest
	var noUnknown *wire.UnknownRequest
	var noFrame *wire.KeepAlive
	hello := wire.UserMessageContent{Text: new(string)}
	for _, tt := range []struct {
		name  string
		value codec.Appender
		kind  codec.ErrorKind
		path  string
	}{
		{"nil union", &wire.ControlRequest{RequestID: "r"}, codec.Missing, "/request"},
		{"nil pointer in a union", &wire.ControlRequest{RequestID: "r", Request: noRequest}, codec.Unencodable, "/request"},
		{"nil unknown arm", &wire.ControlRequest{RequestID: "r", Request: noUnknown}, codec.Unencodable, "/request"},
		{"raw JSON that is not an object", &wire.ControlRequest{RequestID: "r", Request: &wire.UpdateSettingsRequest{Source: "x", Settings: codec.Raw("0")}}, codec.Unencodable, "/request/settings"},
		{"unknown arm without text", &wire.ControlRequest{RequestID: "r", Request: &wire.UnknownRequest{}}, codec.Unencodable, "/request"},
		{"unknown arm without a tag", &wire.ControlRequest{RequestID: "r", Request: &wire.UnknownRequest{Raw: codec.Raw(`{}`)}}, codec.Missing, "/request/subtype"},
		{"unknown arm whose tag is no string", &wire.ControlRequest{RequestID: "r", Request: &wire.UnknownRequest{Raw: codec.Raw(`{"subtype":7}`)}}, codec.Missing, "/request/subtype"},
		{"nil frame", noFrame, codec.Unencodable, ""},
		{"allow without input", &wire.PermissionAllow{}, codec.Missing, "/updatedInput"},
		{"required payload", &wire.ControlRequest{RequestID: "r", Request: &wire.CanUseToolRequest{}}, codec.Missing, "/request/input"},
		{"payload that is no JSON", &wire.ControlRequest{RequestID: "r", Request: &wire.CanUseToolRequest{Input: codec.Raw(`{`)}}, codec.Unencodable, "/request/input"},
		{"unknown member that is no JSON", &wire.KeepAlive{Extra: &codec.Members{{Name: "x", Value: codec.Raw(`nil`)}}}, codec.Unencodable, "/x"},
		{"text that is not UTF-8", &wire.ControlCancelRequest{RequestID: "a\xff"}, codec.Unencodable, "/request_id"},
		{"name that is not UTF-8", &wire.UpdateEnvironmentVariables{Variables: map[string]string{"\xff": ""}}, codec.Unencodable, "/variables/\xff"},
		{"not a number", &wire.ToolProgress{ElapsedTimeSeconds: math.NaN()}, codec.Unencodable, "/elapsed_time_seconds"},
		{"infinity", &wire.ToolProgress{ElapsedTimeSeconds: math.Inf(-1)}, codec.Unencodable, "/elapsed_time_seconds"},
		{"nil block in a list", &wire.User{Message: wire.UserMessage{Role: "user", Content: wire.UserMessageContent{List: []wire.ContentBlock{nil}}}}, codec.Unencodable, "/message/content/0"},
		{"nothing where a text or a list must be", &wire.User{Message: wire.UserMessage{Role: "user"}}, codec.Missing, "/message/content"},
		{"a deep member", &wire.User{Message: wire.UserMessage{Role: "user", Content: wire.UserMessageContent{List: []wire.ContentBlock{&wire.TextBlock{}, &wire.ToolUseBlock{}}}}}, codec.Missing, "/message/content/1/input"},
		{"both a text and a list", &wire.User{Message: wire.UserMessage{Content: wire.UserMessageContent{Text: hello.Text, List: []wire.ContentBlock{}}}}, codec.Unencodable, "/message/content"},
		{"request without an id", &wire.ControlRequest{Request: &wire.InterruptRequest{}}, codec.Missing, "/request_id"},
		{"answer without an id", &wire.ControlResponse{Response: &wire.SuccessResponse{}}, codec.Missing, "/response/request_id"},
		{"refusal without an id", &wire.ControlResponse{Response: &wire.ErrorResponse{Error: "e"}}, codec.Missing, "/response/request_id"},
		{"withdrawal without an id", &wire.ControlCancelRequest{}, codec.Missing, "/request_id"},
		{"nothing wrong", &wire.User{Message: wire.UserMessage{Role: "user", Content: hello}}, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := tt.value.AppendJSON(nil)
			if tt.kind == 0 {
				if err != nil || !json.Valid(out) {
					t.Errorf("%s, %v", out, err)
				}
				return
			}
			if e := decodeError(t, err); e.Kind != tt.kind || e.Path != tt.path || e.Offset != -1 {
				t.Errorf("got %v (path %q), want %s at %q", e, e.Path, tt.kind, tt.path)
			}
		})
	}
	if _, err := wire.Append(nil, nil); !errors.Is(err, codec.Unencodable) {
		t.Errorf("a nil interface: %v", err)
	}
}

func TestAllowEchoesTheInput(t *testing.T) {
	frame, err := wire.Decode([]byte(canUse[:len(canUse)-len(`{},"tool_use_id":"t"`)] + `{"n":1.0},"tool_use_id":"t"}}`))
	if err != nil {
		t.Fatal(err)
	}
	request := frame.(*wire.ControlRequest)
	for _, tt := range []struct {
		answer wire.PermissionResult
		want   string
	}{
		{request.Request.(*wire.CanUseToolRequest).Allow(), `{"behavior":"allow","updatedInput":{"n":1.0}}`},
		{request.Request.(*wire.CanUseToolRequest).Deny("no"), `{"behavior":"deny","message":"no"}`},
	} {
		body, err := tt.answer.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := wire.Append(nil, request.Success(body))
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"type":"control_response","response":{"subtype":"success","request_id":"r","response":` + tt.want + `}}`; string(out) != want {
			t.Errorf("got  %s\nwant %s", out, want)
		}
		if _, err := wire.DecodeFrame(out, strict()); err != nil {
			t.Error(err)
		}
	}
}

func TestTypesWorkWithEncodingJSON(t *testing.T) {
	type envelope struct {
		Frame *wire.ControlRequest `json:"frame"`
		Usage wire.Usage           `json:"usage"`
	}
	in := `{"frame":{"type":"control_request","request_id":"r","request":{"subtype":"interrupt"},"new":1},"usage":{"input_tokens":1,"output_tokens":2,"new":1.0}}`
	var e envelope
	if err := json.Unmarshal([]byte(in), &e); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(&e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, string(out)); diff != "" {
		t.Error(diff)
	}
	before := e.Frame.RequestID
	if err := json.Unmarshal([]byte(`{"frame":{"type":"control_request"}}`), &e); err == nil || e.Frame.RequestID != before {
		t.Errorf("a failure changes the value: %v", err)
	}
	if !strings.Contains(in, before) {
		t.Errorf("the id is %q", before)
	}
}

func TestUnmarshalLeavesTheValueAloneWhenItFails(t *testing.T) {
	want := wire.Usage{InputTokens: 1, OutputTokens: 2}
	v := want
	for _, text := range []string{`{"input_tokens":7,"output_tokens":8} x`, `{"input_tokens":7,"input_tokens":8}`, ``, `null`, `[]`, `{`} {
		if err := v.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
		if err := v.UnmarshalJSON(nil); err == nil {
			t.Error("nothing is taken")
		}
		if diff := cmp.Diff(want, v); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	if err := v.UnmarshalJSON([]byte(`{"input_tokens":7,"output_tokens":8}`)); err != nil || v.InputTokens != 7 || v.OutputTokens != 8 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestATypedNilFrameIsAnError(t *testing.T) {
	for _, arm := range wire.Unions["envelope/frame.json"] {
		if _, err := wire.Append(nil, arm.(wire.Frame)); !errors.Is(err, codec.Unencodable) {
			t.Errorf("%T: %v", arm, err)
		}
	}
}

func TestTheOnlyKnownValueIsWrittenForAnEmptyField(t *testing.T) {
	hello := wire.UserMessageContent{Text: wire.Ptr("hello")}
	for _, row := range []struct {
		name, want string
		value      wire.Appender
	}{
		{"role of a user message", `{"role":"user","content":"hello"}`, &wire.UserMessage{Content: hello}},
		{"another role", `{"role":"system","content":"hello"}`, &wire.UserMessage{Role: "system", Content: hello}},
		{"media type", `{"type":"text","media_type":"text/plain","data":"d"}`, &wire.TextSource{Data: "d"}},
		{"type of a plugin", `{"type":"local","path":"p"}`, &wire.PluginConfig{Path: "p"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			out, err := row.value.AppendJSON(nil)
			if err != nil || string(out) != row.want {
				t.Errorf("%s, %v", out, err)
			}
		})
	}
}

func TestAnEmptyValueThatWasReadIsWrittenAgain(t *testing.T) {
	for _, role := range []string{"", "system", "user"} {
		in := `{"type":"user","message":{"role":"` + role + `","content":"x"}}`
		frame, err := wire.Decode([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		user := frame.(*wire.User)
		if user.Message.Role != wire.UserMessageRole(role) {
			t.Errorf("read as %q", user.Message.Role)
		}
		roundTrip(t, definition(t, "envelope/frame.json"), []byte(in))
		user.Message.Role = wire.UserMessageRoleUser
		if out, err := wire.Append(nil, user); err != nil || string(out) != `{"type":"user","message":{"role":"user","content":"x"}}` {
			t.Errorf("%s, %v", out, err)
		}
	}
}
