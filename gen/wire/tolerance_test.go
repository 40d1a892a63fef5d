package wire_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/schema"
)

// The tests of this file are the table "strict but tolerant" of the documentation: a row is a
// deviation, and has a test for each of its three columns.

// A deviation is a line that departs from the schemas in one way, and what is said about it.
type deviation struct {
	name, line string
	path       string // where it departs

	kind codec.DeviationKind // as the tolerant mode and the lint report it
	want codec.ErrorKind     // as the strict mode refuses it
}

const (
	status    = `{"type":"system","subtype":"status","status":null,"uuid":"u","session_id":"s"`
	assistant = `{"type":"assistant","message":{"id":"m","type":"message","role":"assistant","model":"o","content":[`
	afterward = `],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}},"parent_tool_use_id":null,"uuid":"u","session_id":"s"}`
	ended     = `"is_error":true,"duration_ms":1,"duration_api_ms":1,"num_turns":1,"session_id":"s","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1}}`
	result    = `{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"duration_api_ms":1,"num_turns":1,"result":"","session_id":"s","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1},"uuid":"u","stop_reason":null,"modelUsage":{},"permission_denials":[]}`
	canUse    = `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"t"`
)

var unknownMembers = []deviation{
	{"in the frame", status + `,"new":{"a":[1]}}`, "/new", codec.UnknownMember, codec.NotAllowed},
	{"after a space", status + `, "new" : 1}`, "/new", codec.UnknownMember, codec.NotAllowed},
	{"first", `{"new":1,` + status[1:] + `}`, "/new", codec.UnknownMember, codec.NotAllowed},
	{"in a block", assistant + `{"type":"text","text":"","new":1}` + afterward, "/message/content/0/new", codec.UnknownMember, codec.NotAllowed},
	{"with an escaped name", status + `,"a~\/b":1}`, "/a~0~1b", codec.UnknownMember, codec.NotAllowed},
}

var unknownTags = []deviation{
	{"type", `{"type":"new","a":1}`, "/type", codec.UnknownTag, codec.NotAllowed},
	{"type that comes late", `{"a":1,"type":"new"}`, "/type", codec.UnknownTag, codec.NotAllowed},
	{"subtype", `{"type":"system","subtype":"new","uuid":"u","session_id":"s"}`, "/subtype", codec.UnknownTag, codec.NotAllowed},
	{"request", `{"type":"control_request","request_id":"r","request":{"subtype":"new"}}`, "/request/subtype", codec.UnknownTag, codec.NotAllowed},
	{"block", assistant + `{"type":"new","a":1}` + afterward, "/message/content/0/type", codec.UnknownTag, codec.NotAllowed},
	{"enum value", `{"type":"system","subtype":"status","status":"new","uuid":"u","session_id":"s"}`, "/status", codec.UnknownValue, codec.NotAllowed},
	{"subtype of a result", `{"type":"result","subtype":"error_new",` + ended, "/subtype", codec.UnknownValue, codec.NotAllowed},
	{"subtype of a result, late", `{"type":"result",` + strings.TrimSuffix(ended, "}") + `,"subtype":"error_new"}`, "/subtype", codec.UnknownValue, codec.NotAllowed},
	{"empty subtype of a result", `{"subtype":"","type":"result",` + ended, "/subtype", codec.UnknownValue, codec.NotAllowed},
}

var legacyShapes = []deviation{
	{"flat user message", `{"type":"user","content":"hi"}`, "", codec.LegacyShape, codec.NotAllowed},
	{"flat response", `{"type":"control_response","request_id":"r","response":{"subtype":"success"}}`, "", codec.LegacyShape, codec.NotAllowed},
	{"untagged response", `{"type":"control_response","response":{"request_id":"r"}}`, "", codec.LegacyShape, codec.Missing},
	{"wrapped request", `{"type":"control_request","message":{"type":"control_request","request_id":"r","request":{"subtype":"interrupt"}}}`, "", codec.LegacyShape, codec.NotAllowed},
	{"delta", `{"type":"assistant","delta":{"type":"ping"}}`, "", codec.LegacyShape, codec.NotAllowed},
	{"error line", `{"type":"error","error":{"type":"invalid_request","message":"m"}}`, "/type", codec.LegacyShape, codec.NotAllowed},
	{"subtype of a response", `{"type":"control_response","response":{"subtype":"hook_callback_response","request_id":"r"}}`, "/response/subtype", codec.LegacyShape, codec.NotAllowed},
	{"subtype of a response, late", `{"type":"control_response","response":{"request_id":"r","pending_permission_requests":7,"subtype":"hook_callback_response"}}`, "/response/subtype", codec.LegacyShape, codec.NotAllowed},
	{"member", `{"type":"control_request","request_id":"r","request":{"subtype":"initialize","mcp_servers":["a"]}}`, "/request/mcp_servers", codec.LegacyShape, codec.NotAllowed},
}

var brokenOptionals = []deviation{
	{"wrong kind", canUse + `,"description":7}}`, "/request/description", codec.Invalid, codec.WrongKind},
	{"null", canUse + `,"description":null}}`, "/request/description", codec.Invalid, codec.WrongKind},
	{"fraction in an integer", `{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"duration_api_ms":1,"num_turns":1,"result":"","session_id":"s","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1,"cache_read_input_tokens":1.5},"uuid":"u","stop_reason":null,"modelUsage":{},"permission_denials":[]}`,
		"/usage/cache_read_input_tokens", codec.Invalid, codec.WrongKind},
	{"something required missing inside", `{"type":"control_request","request_id":"r","request":{"subtype":"initialize","agents":{"a":{"description":"d"}}}}`,
		"/request/agents/a/prompt", codec.Invalid, codec.Missing},
}

// brokenRequired are required members that are missing or misshapen. None of them is essential to
// the line.
var brokenRequired = []deviation{
	{"missing", `{"type":"system","subtype":"status","status":null,"session_id":"s"}`, "/uuid", codec.Invalid, codec.Missing},
	{"wrong kind", `{"type":"system","subtype":"status","status":null,"uuid":7,"session_id":"s"}`, "/uuid", codec.Invalid, codec.WrongKind},
	{"null", `{"type":"system","subtype":"status","status":null,"uuid":null,"session_id":"s"}`, "/uuid", codec.Invalid, codec.WrongKind},
	{"nullable missing", `{"type":"system","subtype":"status","uuid":"u","session_id":"s"}`, "/status", codec.Invalid, codec.Missing},
	{"nullable of the wrong kind", `{"type":"system","subtype":"status","status":7,"uuid":"u","session_id":"s"}`, "/status", codec.Invalid, codec.WrongKind},
	{"object missing", `{"type":"assistant","parent_tool_use_id":null,"uuid":"u","session_id":"s"}`, "/message", codec.Invalid, codec.Missing},
	{"object of the wrong kind", `{"type":"assistant","message":"m","parent_tool_use_id":null,"uuid":"u","session_id":"s"}`, "/message", codec.Invalid, codec.WrongKind},
	{"list missing", strings.Replace(assistant, `,"content":[`, ``, 1) + afterward[1:], "/message/content", codec.Invalid, codec.Missing},
	{"list of the wrong kind", strings.TrimSuffix(assistant, "[") + `{}` + afterward[1:], "/message/content", codec.Invalid, codec.WrongKind},
	{"the only value missing", `{"type":"user","message":{"content":"hi"},"session_id":"s","parent_tool_use_id":null}`, "/message/role", codec.Invalid, codec.Missing},
	{"choice missing", `{"type":"user","message":{"role":"user"},"session_id":"s","parent_tool_use_id":null}`, "/message/content", codec.Invalid, codec.Missing},
	{"choice of the wrong kind", `{"type":"user","message":{"role":"user","content":7},"session_id":"s","parent_tool_use_id":null}`, "/message/content", codec.Invalid, codec.WrongKind},
	{"inside a required object", strings.Replace(result, `"input_tokens":1,`, ``, 1), "/usage/input_tokens", codec.Invalid, codec.Missing},
	{"cost of a result", strings.Replace(result, `"total_cost_usd":0,`, ``, 1), "/total_cost_usd", codec.Invalid, codec.Missing},
	{"fraction in an integer", strings.Replace(result, `"num_turns":1,`, `"num_turns":1.5,`, 1), "/num_turns", codec.Invalid, codec.WrongKind},
	{"call of a hook missing", `{"type":"control_request","request_id":"r7","request":{"subtype":"hook_callback","callback_id":"c","input":{"hook_event_name":"PreToolUse","session_id":"s","transcript_path":"t","cwd":"/","tool_name":"Bash"}}}`, "/request/input/tool_input", codec.Invalid, codec.Missing},
	{"union missing", `{"type":"stream_event","parent_tool_use_id":null,"uuid":"u","session_id":"s"}`, "/event", codec.Invalid, codec.Missing},
	{"union of the wrong kind", `{"type":"stream_event","event":7,"parent_tool_use_id":null,"uuid":"u","session_id":"s"}`, "/event", codec.Invalid, codec.WrongKind},
}

// brokenRequests are control requests that nobody can serve, though they can be answered.
var brokenRequests = []deviation{
	{"no input", `{"type":"control_request","request_id":"r7","request":{"subtype":"can_use_tool","tool_name":"Bash"}}`, "/request/input", codec.Invalid, codec.Missing},
	{"no subtype", `{"type":"control_request","request_id":"r7","request":{}}`, "/request/subtype", codec.Invalid, codec.Missing},
	{"wrong kind", `{"type":"control_request","request_id":"r7","request":{"subtype":"can_use_tool","tool_name": 7,"input":{}}}`, "/request/tool_name", codec.Invalid, codec.WrongKind},
	{"id that comes late", `{"request":{"tool_name":"Bash","subtype":"can_use_tool"},"request_id":"r\u0037","type":"control_request"}`, "/request/input", codec.Invalid, codec.Missing},
	{"no request", `{"type":"control_request","request_id":"r7"}`, "/request", codec.Invalid, codec.Missing},
	{"not an object", `{"type":"control_request","request_id":"r7","request":[]}`, "/request", codec.Invalid, codec.WrongKind},
}

var brokenElements = []deviation{
	{"required missing", assistant + `{"type":"text"}` + afterward, "/message/content/0/text", codec.Invalid, codec.Missing},
	{"no object", assistant + `7` + afterward, "/message/content/0", codec.Invalid, codec.WrongKind},
	{"no tag", assistant + `{"text":"x"}` + afterward, "/message/content/0/type", codec.Invalid, codec.Missing},
	{"tag that is no string", assistant + `{"type":7}` + afterward, "/message/content/0/type", codec.Invalid, codec.WrongKind},
}

// each runs a test for every row.
func each(t *testing.T, rows []deviation, test func(t *testing.T, d deviation)) {
	for _, d := range rows {
		t.Run(d.name, func(t *testing.T) { test(t, d) })
	}
}

// tolerate decodes a line in the tolerant mode and checks that one deviation is reported, with its
// kind and path. It returns the frame.
func tolerate(t *testing.T, d deviation) wire.Frame {
	t.Helper()
	var got []codec.Deviation
	frame, err := wire.DecodeFrame([]byte(d.line), reporting(&got))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(got, func(v codec.Deviation) bool { return v.Kind == d.kind && v.Path == d.path }) {
		t.Errorf("got %v, want a %s at %q", got, d.kind, d.path)
	}
	for _, v := range got {
		want := v.Path
		if strings.HasPrefix(v.Detail, "no member") { // the offset is that of the object
			want = want[:strings.LastIndexByte(want, '/')]
		}
		if d.path != "" && jsontext.PathAt([]byte(d.line), v.Offset) != want {
			t.Errorf("the offset %d is not in %s", v.Offset, v.Path)
		}
	}
	return frame
}

func keeps(t *testing.T, d deviation) {
	t.Helper()
	tolerate(t, d)
	roundTrip(t, definition(t, "envelope/frame.json"), []byte(d.line))
}

func refuses(t *testing.T, d deviation) {
	t.Helper()
	_, err := wire.DecodeFrame([]byte(d.line), strict())
	if e := decodeError(t, err); e.Kind != d.want || !strings.HasPrefix(e.Path, d.path) {
		t.Errorf("got %v, want %s at %q", e, d.want, d.path)
	}
	if schema.Default().Closed().ValidateFrame(schema.Either, []byte(d.line)) == nil {
		t.Error("the closed form takes it")
	}
}

func lints(t *testing.T, d deviation) {
	t.Helper()
	findings, err := schema.Default().Lint("envelope/frame.json", []byte(d.line))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(findings, func(f codec.Deviation) bool {
		return f.Kind == d.kind && (strings.HasPrefix(f.Path, d.path) || f.Path == "")
	}) {
		t.Errorf("got %v, want %s at %q", findings, d.kind, d.path)
	}
}

// TestOtherValuesOfAPartialListAreNoDeviation holds for the strict mode too: nobody knows all of
// the list.
func TestOtherValuesOfAPartialListAreNoDeviation(t *testing.T) {
	line := []byte(`{"type":"system","subtype":"informational","content":"x","level":"info","tag":"unheard_of","uuid":"u","session_id":"s"}`)
	frame, err := wire.DecodeFrame(line, strict())
	if err != nil {
		t.Fatal(err)
	}
	if tag := frame.(*wire.SystemInformational).Tag; tag == nil || *tag != "unheard_of" || tag.Known() {
		t.Errorf("the tag is %v, want one that is kept and not known", tag)
	}
}

func TestTolerantKeepsUnknownMember(t *testing.T)  { each(t, unknownMembers, keeps) }
func TestStrictRefusesUnknownMember(t *testing.T)  { each(t, unknownMembers, refuses) }
func TestLintReportsUnknownMember(t *testing.T)    { each(t, unknownMembers, lints) }
func TestTolerantKeepsUnknownTag(t *testing.T)     { each(t, unknownTags, keeps) }
func TestStrictRefusesUnknownTag(t *testing.T)     { each(t, unknownTags, refuses) }
func TestLintReportsUnknownTag(t *testing.T)       { each(t, unknownTags, lints) }
func TestStrictRefusesLegacyShape(t *testing.T)    { each(t, legacyShapes, refuses) }
func TestLintReportsLegacyShape(t *testing.T)      { each(t, legacyShapes, lints) }
func TestTolerantKeepsBrokenOptional(t *testing.T) { each(t, brokenOptionals, keeps) }
func TestStrictRefusesBrokenOptional(t *testing.T) { each(t, brokenOptionals, refuses) }
func TestLintReportsBrokenOptional(t *testing.T)   { each(t, brokenOptionals, lints) }
func TestTolerantKeepsBrokenListItem(t *testing.T) { each(t, brokenElements, keeps) }
func TestStrictRefusesBrokenListItem(t *testing.T) { each(t, brokenElements, refuses) }
func TestLintReportsBrokenListItem(t *testing.T)   { each(t, brokenElements, lints) }
func TestTolerantKeepsBrokenRequired(t *testing.T) { each(t, brokenRequired, keeps) }
func TestStrictRefusesBrokenRequired(t *testing.T) { each(t, brokenRequired, refuses) }
func TestLintReportsBrokenRequired(t *testing.T)   { each(t, brokenRequired, lints) }
func TestTolerantKeepsBrokenRequest(t *testing.T)  { each(t, brokenRequests, keeps) }
func TestStrictRefusesBrokenRequest(t *testing.T)  { each(t, brokenRequests, refuses) }
func TestLintReportsBrokenRequest(t *testing.T)    { each(t, brokenRequests, lints) }
func TestTolerantReadsLegacyAsModern(t *testing.T) {
	each(t, legacyShapes, func(t *testing.T, d deviation) {
		out, err := wire.Append(nil, tolerate(t, d))
		if err != nil {
			t.Fatal(err)
		}
		var again []codec.Deviation
		if _, err := wire.DecodeFrame(out, reporting(&again)); err != nil {
			t.Error(err)
		}
		modern := map[string]bool{"delta": false, "error line": false, "member": false}
		if _, own := modern[d.name]; !own && slices.ContainsFunc(again, func(v codec.Deviation) bool { return v.Kind == codec.LegacyShape }) {
			t.Errorf("written in its old form: %s", out)
		}
	})
}

func TestTolerantKeepsUnknownTagAsUnknownArm(t *testing.T) {
	want := []any{
		&wire.UnknownFrame{Raw: codec.Raw(unknownTags[0].line)},
		&wire.UnknownFrame{Raw: codec.Raw(unknownTags[1].line)},
		&wire.UnknownSystem{UnknownFrame: wire.UnknownFrame{Raw: codec.Raw(unknownTags[2].line)}},
		&wire.ControlRequest{RequestID: "r", Request: &wire.UnknownRequest{Raw: codec.Raw(`{"subtype":"new"}`)}},
	}
	for i, want := range want {
		if diff := cmp.Diff(want, any(tolerate(t, unknownTags[i]))); diff != "" {
			t.Errorf("%s: %s", unknownTags[i].name, diff)
		}
	}
	blocks := tolerate(t, unknownTags[4]).(*wire.Assistant).Message.Content
	if diff := cmp.Diff([]wire.ContentBlock{&wire.UnknownContentBlock{Raw: codec.Raw(`{"type":"new","a":1}`)}}, blocks); diff != "" {
		t.Error(diff)
	}
	if got := tolerate(t, unknownTags[5]).(*wire.SystemStatus).Status.Value; got != "new" || got.Known() {
		t.Errorf("the value is %q", got)
	}
}

func TestTolerantKeepsBrokenOptionalBesideUnknownMembers(t *testing.T) {
	frame := tolerate(t, brokenOptionals[0]).(*wire.ControlRequest)
	request := frame.Request.(*wire.CanUseToolRequest)
	if request.Description != nil || request.Extra.Get("description").String() != "7" {
		t.Errorf("got %v, %v", request.Description, request.Extra)
	}
	// A value that is set later wins over the one that was kept.
	description := "d"
	request.Description = &description
	out, err := wire.Append(nil, frame)
	if err != nil || strings.Count(string(out), "description") != 1 || !strings.Contains(string(out), `"description":"d"`) {
		t.Errorf("%s, %v", out, err)
	}
}

func TestAResultWithAnUnknownSubtypeIsAResultError(t *testing.T) {
	for i, want := range []string{"error_new", "error_new", ""} {
		d := unknownTags[len(unknownTags)-3+i]
		r, ok := tolerate(t, d).(*wire.ResultError)
		if !ok || string(r.Subtype) != want || r.Subtype.Known() || r.SessionID != "s" {
			t.Errorf("%s: %+v", d.name, r)
		}
	}
}

func TestAResultOfAnUnknownSubtypeThatLacksMembersIsAResultError(t *testing.T) {
	for _, line := range []string{
		`{"type":"result","subtype":"error_new","is_error":true}`,
		`{"is_error":true,"new":1,"subtype":"error_new","type":"result"}`,
	} {
		d := deviation{"", line, "/num_turns", codec.Invalid, codec.NotAllowed}
		r, ok := tolerate(t, d).(*wire.ResultError)
		if !ok || r.Subtype != "error_new" || !r.IsError || r.NumTurns != 0 {
			t.Errorf("%+v", r)
		}
		keeps(t, d)
		if _, err := wire.DecodeFrame([]byte(line), strict()); err == nil {
			t.Error("the strict mode takes it")
		}
	}
	if _, err := wire.Decode([]byte(`{"type":"result","subtype":"error_new","is_error":}`)); !errors.Is(err, codec.Syntax) {
		t.Errorf("broken text: %v", err)
	}
}

func TestABrokenRequestIsAnUnknownOneWithItsError(t *testing.T) {
	for _, d := range brokenRequests {
		f, ok := tolerate(t, d).(*wire.ControlRequest)
		if !ok || f.RequestID != "r7" {
			t.Fatalf("%s: %+v", d.name, f)
		}
		r, ok := f.Request.(*wire.UnknownRequest)
		if !ok {
			t.Fatalf("%s: a %T", d.name, f.Request)
		}
		if e := decodeError(t, r.Err); e.Kind != d.want || e.Path != d.path {
			t.Errorf("%s: %v, want %s at %s", d.name, e, d.want, d.path)
		}
		_, err := wire.Dispatch(context.Background(), wire.BaseHandler{}, f.Request)
		if !errors.Is(err, wire.ErrNotHandled) || !errors.Is(err, d.want) {
			t.Errorf("%s: Dispatch returns %v", d.name, err)
		}
	}
}

func TestARequiredMemberThatIsSetWinsOverWhatWasKept(t *testing.T) {
	for _, line := range []string{strings.Replace(result, `"num_turns":1,`, ``, 1), strings.Replace(result, `"num_turns":1,`, `"num_turns":"many",`, 1)} {
		f, err := wire.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		f.(*wire.ResultSuccess).NumTurns = 7
		out, err := wire.Append(nil, f)
		if err != nil || strings.Count(string(out), "num_turns") != 1 || !strings.Contains(string(out), `"num_turns":7`) {
			t.Errorf("%s, %v", out, err)
		}
	}
}

func TestTolerantKeepsBrokenListItemAsUnknownArmWithItsError(t *testing.T) {
	for i, want := range []wire.Error{
		{Kind: codec.Missing, Path: "/message/content/0/text", Want: "a value is required"},
		{Kind: codec.WrongKind, Path: "/message/content/0", Want: "want an object, got a number"},
		{Kind: codec.Missing, Path: "/message/content/0/type", Want: "a value is required"},
		{Kind: codec.WrongKind, Path: "/message/content/0/type", Offset: len(`{"type":`), Want: "want a string, got a number"},
	} {
		row := brokenElements[i]
		raw := strings.TrimSuffix(strings.TrimPrefix(row.line, assistant), afterward)
		want.Offset += len(assistant)
		blocks := tolerate(t, row).(*wire.Assistant).Message.Content
		if diff := cmp.Diff([]wire.ContentBlock{&wire.UnknownContentBlock{Raw: codec.Raw(raw), Err: &want}}, blocks); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
		frame, err := wire.Decode([]byte(row.line)) // without a report
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(blocks, frame.(*wire.Assistant).Message.Content); diff != "" {
			t.Errorf("%s, unreported: %s", row.name, diff)
		}
	}
}

func TestADeviationInsideAKeptValueIsNotReportedTwice(t *testing.T) {
	var got []codec.Deviation
	line := `{"type":"control_request","request_id":"r","request":{"subtype":"initialize","agents":{"a":{"description":"d","prompt":"p","new":1},"b":7}}}`
	if _, err := wire.DecodeFrame([]byte(line), reporting(&got)); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Kind != codec.Invalid {
		t.Errorf("got %v", got)
	}
}

func TestLegacyLineReportsOnlyWhatItsModernFormLacks(t *testing.T) {
	var got []codec.Deviation
	if _, err := wire.DecodeFrame([]byte(`{"type":"user","new":1,"content":"x"}`), reporting(&got)); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Kind != codec.LegacyShape || got[1].Kind != codec.UnknownMember || got[1].Path != "/new" {
		t.Errorf("got %v", got)
	}
}

// TestALegacyTagInsideALegacyObjectDoesNotEndIt: the inner one is kept raw, the outer one is read
// as what it stands for, though its tag comes last.
func TestALegacyTagInsideALegacyObjectDoesNotEndIt(t *testing.T) {
	const text = `{"request_id":"1","response":{},"pending_permission_requests":[{"type":"control_request","request_id":"2","request":` +
		`{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"t","permission_suggestions":[{"type":"allow_once"}]}}],"subtype":"can_use_tool_response"}`
	var got []codec.Deviation
	response, err := wire.DecodeResponse([]byte(text), reporting(&got))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := response.(*wire.SuccessResponse); !ok {
		t.Errorf("read as %T", response)
	}
	var details []string
	for _, d := range got {
		if d.Kind == codec.LegacyShape {
			details = append(details, d.Detail)
		}
	}
	slices.Sort(details)
	if diff := cmp.Diff([]string{"allow_once", "can_use_tool_response"}, details); diff != "" {
		t.Error(diff)
	}
}

// TestANullRuleIsReadReportedAndNeverMadeWider: the CLI drops a rule with a null pattern. Without
// the member it would be a rule for every call of the tool.
func TestANullRuleIsReadReportedAndNeverMadeWider(t *testing.T) {
	const text = `{"behavior":"allow","updatedInput":{},"updatedPermissions":[` +
		`{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":null}],"behavior":"allow","destination":"session"}]}`
	var deviations []codec.Deviation
	answer, err := wire.DecodeAnswer("can_use_tool", []byte(text), reporting(&deviations))
	if err != nil {
		t.Fatal(err)
	}
	if len(deviations) != 1 || deviations[0].Kind != codec.Invalid || deviations[0].Path != "/updatedPermissions/0/rules/0/ruleContent" {
		t.Errorf("reported %v", deviations)
	}
	if out, err := answer.AppendJSON(nil); err != nil || string(out) != text {
		t.Errorf("passed on as %s, %v", out, err)
	}
	made, err := (&wire.PermissionRule{ToolName: "Bash"}).AppendJSON(nil)
	if err != nil || string(made) != `{"toolName":"Bash"}` {
		t.Errorf("a rule without a pattern is sent as %s, %v", made, err)
	}
	if _, err := wire.DecodeAnswer("can_use_tool", []byte(text), strict()); err == nil {
		t.Error("the strict mode takes it")
	}
}
