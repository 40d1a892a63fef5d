package linecheck_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/schema"
)

// ask is a request.
func ask(id, request string) string {
	return fmt.Sprintf(`{"type":"control_request","request_id":%q,"request":%s}`, id, request)
}

// answer is a successful reply, without a body if that is empty.
func answer(id, body string) string {
	if body != "" {
		body = `,"response":` + body
	}
	return fmt.Sprintf(`{"type":"control_response","response":{"subtype":"success","request_id":%q%s}}`, id, body)
}

// hook calls a hook for an event.
func hook(event string) string {
	return `{"subtype":"hook_callback","callback_id":"h","input":` + inputs[event] + `}`
}

var inputs = map[string]string{
	"PreToolUse": `{"hook_event_name":"PreToolUse","session_id":"s","transcript_path":"/t","cwd":"/c","tool_name":"Bash","tool_input":{},"tool_use_id":"t"}`,
	"PreCompact": `{"hook_event_name":"PreCompact","session_id":"s","transcript_path":"/t","cwd":"/c","trigger":"auto","custom_instructions":null}`,
}

const (
	permission = `{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"t"}`
	interrupt  = `{"subtype":"interrupt"}`
	status     = `{"subtype":"mcp_status"}`
	call       = `{"subtype":"mcp_message","server_name":"s","message":{"jsonrpc":"2.0","id":7,"method":"tools/list"}}`
	notify     = `{"subtype":"mcp_message","server_name":"s","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}`
)

// cli and sdk are entries of a recording.
func cli(line string) recording.Entry { return recording.Entry{Dir: recording.ToSDK, Line: line} }
func sdk(line string) recording.Entry { return recording.Entry{Dir: recording.ToCLI, Line: line} }

// recorded returns the text of a recording without a header.
func recorded(t testing.TB, entries ...recording.Entry) string {
	t.Helper()
	var b bytes.Buffer
	if err := recording.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// plain returns the lines of entries.
func plain(entries ...recording.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Line + "\n")
	}
	return b.String()
}

// findings returns what a run finds.
func findings(t testing.TB, lint bool, input string, most int) (list []linecheck.Finding, sum linecheck.Summary) {
	t.Helper()
	r := linecheck.Run{
		Checker:    linecheck.New(lint),
		Stdin:      strings.NewReader(input),
		Max:        most,
		Emit:       func(f linecheck.Finding) error { list = append(list, f); return nil },
		Unreadable: func(err error) { t.Error(err) },
	}
	sum, err := r.Files([]string{"-"})
	if err != nil {
		t.Fatal(err)
	}
	return list, sum
}

// summarize returns findings as "line severity kind path".
func summarize(list []linecheck.Finding) (out []string) {
	for _, f := range list {
		out = append(out, fmt.Sprintf("%d %s %s %s", f.Line, f.Severity, f.Kind, f.Path))
	}
	return out
}

func TestAnswersAreJudgedByWhatWasAsked(t *testing.T) {
	for _, tt := range []struct {
		name         string
		entries      []recording.Entry
		strict, lint []string
	}{
		{"a good one", []recording.Entry{cli(ask("1", permission)), sdk(answer("1", `{"behavior":"deny","message":"no"}`))}, nil, nil},
		{
			"an unknown tag", []recording.Entry{cli(ask("1", permission)), sdk(answer("1", `{"behavior":"bogus"}`))},
			[]string{"2 error unknown tag /response/response/behavior"}, []string{"2 lint unknown tag /response/response/behavior"},
		},
		{
			"a missing member", []recording.Entry{cli(ask("1", permission)), sdk(answer("1", `{"behavior":"deny"}`))},
			[]string{"2 error invalid /response/response/message"}, []string{"2 lint invalid /response/response/message"},
		},
		{
			"an unknown member", []recording.Entry{sdk(ask("1", status)), cli(answer("1", `{"mcpServers":[],"new":1}`))},
			[]string{"2 error unknown member /response/response/new"}, []string{"2 lint unknown member /response/response/new"},
		},
		{
			"a null pattern", []recording.Entry{cli(ask("1", permission)), sdk(answer("1", `{"behavior":"allow","updatedInput":{},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":null}],"behavior":"allow","destination":"session"}]}`))},
			[]string{"2 error invalid /response/response/updatedPermissions/0/rules/0/ruleContent"},
			[]string{"2 lint invalid /response/response/updatedPermissions/0/rules/0/ruleContent"},
		},
		{
			"no body from an SDK", []recording.Entry{cli(ask("1", permission)), sdk(answer("1", ""))},
			[]string{"2 error invalid /response/response"}, []string{"2 lint invalid /response/response"},
		},
		{"no body from a CLI", []recording.Entry{sdk(ask("1", status)), cli(answer("1", ""))}, nil, nil},
		{"the output of the event", []recording.Entry{cli(ask("1", hook("PreToolUse"))), sdk(answer("1", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`))}, nil, nil},
		{
			"the output of another event", []recording.Entry{cli(ask("1", hook("PreToolUse"))), sdk(answer("1", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x"}}`))},
			[]string{"2 error invalid /response/response/hookSpecificOutput/hookEventName"},
			[]string{"2 lint invalid /response/response/hookSpecificOutput/hookEventName"},
		},
		{
			"an output for an event without one", []recording.Entry{cli(ask("1", hook("PreCompact"))), sdk(answer("1", `{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}`))},
			[]string{"2 error invalid /response/response/hookSpecificOutput/hookEventName"},
			[]string{"2 lint invalid /response/response/hookSpecificOutput/hookEventName"},
		},
		{"the common output", []recording.Entry{cli(ask("1", hook("PreCompact"))), sdk(answer("1", `{"continue":true,"systemMessage":"x"}`))}, nil, nil},
		{"an asynchronous output", []recording.Entry{cli(ask("1", hook("PreToolUse"))), sdk(answer("1", `{"async":true,"asyncTimeout":5}`))}, nil, nil},
		{
			"a broken asynchronous output", []recording.Entry{cli(ask("1", hook("PreToolUse"))), sdk(answer("1", `{"async":"yes"}`))},
			[]string{"2 error invalid /response/response/async"}, []string{"2 lint invalid /response/response/async"},
		},
		{"a JSON-RPC response", []recording.Entry{cli(ask("1", call)), sdk(answer("1", `{"mcp_response":{"jsonrpc":"2.0","id":7,"result":{}}}`))}, nil, nil},
		{
			"one to another request", []recording.Entry{cli(ask("1", call)), sdk(answer("1", `{"mcp_response":{"jsonrpc":"2.0","id":8,"result":{}}}`))},
			[]string{"2 error invalid /response/response/mcp_response/id"}, []string{"2 lint invalid /response/response/mcp_response/id"},
		},
		{
			"one without a result", []recording.Entry{cli(ask("1", call)), sdk(answer("1", `{"mcp_response":{"jsonrpc":"2.0","id":7}}`))},
			[]string{"2 error invalid /response/response/mcp_response"}, []string{"2 lint invalid /response/response/mcp_response"},
		},
		{
			"no JSON-RPC response", []recording.Entry{cli(ask("1", call)), sdk(answer("1", `{}`))},
			[]string{"2 error invalid /response/response/mcp_response"}, []string{"2 lint invalid /response/response/mcp_response"},
		},
		{
			"a broken JSON-RPC error", []recording.Entry{cli(ask("1", call)), sdk(answer("1", `{"mcp_response":{"id":7,"error":{"code":1}}}`))},
			[]string{"2 error invalid /response/response/mcp_response/error/message"}, []string{"2 lint invalid /response/response/mcp_response/error/message"},
		},
		{"anything for a notification", []recording.Entry{cli(ask("1", notify)), sdk(answer("1", `{"mcp_response":[1]}`)), sdk(answer("1", `{}`))}, nil, nil},
		{
			"members where there is no definition", []recording.Entry{sdk(ask("1", `{"subtype":"end_session"}`)), cli(answer("1", `{"a":1,"b/c":{}}`))},
			nil, []string{"2 lint unknown member /response/response/a", "2 lint unknown member /response/response/b~1c"},
		},
		{"nothing where there is no definition", []recording.Entry{sdk(ask("1", `{"subtype":"end_session"}`)), cli(answer("1", ` { } `))}, nil, nil},
		{
			"an unknown subtype", []recording.Entry{sdk(ask("1", `{"subtype":"new_thing"}`)), cli(answer("1", `{"a":1}`))},
			[]string{"1 error unknown tag /request/subtype"}, []string{"1 lint unknown tag /request/subtype", "2 lint unknown member /response/response/a"},
		},
		{"a refusal", []recording.Entry{sdk(ask("1", status)), cli(`{"type":"control_response","response":{"subtype":"error","request_id":"1","error":"no"}}`)}, nil, nil},
		{"another order", []recording.Entry{sdk(ask("1", status)), sdk(ask("2", interrupt)), cli(answer("2", `{"still_queued":[]}`)), cli(answer("1", `{"mcpServers":[]}`))}, nil, nil},
		{"the same id again", []recording.Entry{sdk(ask("1", status)), cli(answer("1", `{"mcpServers":[]}`)), sdk(ask("1", interrupt)), cli(answer("1", `{"still_queued":[]}`))}, nil, nil},
		{"the same id at once", []recording.Entry{sdk(ask("1", status)), sdk(ask("1", interrupt)), cli(answer("1", `{"mcpServers":[]}`)), cli(answer("1", `{"still_queued":[]}`))}, nil, nil},
		{
			"the oldest of an id", []recording.Entry{sdk(ask("1", status)), sdk(ask("1", interrupt)), cli(answer("1", `{}`))},
			[]string{"3 error invalid /response/response/mcpServers"}, []string{"3 lint invalid /response/response/mcpServers"},
		},
		{
			"a second answer", []recording.Entry{cli(ask("1", permission)), sdk(answer("1", `{"behavior":"deny","message":"no"}`)), sdk(answer("1", `{"behavior":"allow","updatedInput":1}`))},
			[]string{"3 error invalid /response/response/updatedInput"}, []string{"3 lint invalid /response/response/updatedInput"},
		},
		{
			"variables", []recording.Entry{sdk(`{"type":"update_environment_variables","variables":{},"request_id":"1"}`), cli(answer("1", `{"applied":1}`))},
			[]string{"2 error invalid /response/response/applied"}, []string{"2 lint invalid /response/response/applied"},
		},
		{
			"broken around the body", []recording.Entry{sdk(ask("1", status)), cli(`{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"mcpServers":1},"x":1}}`)},
			[]string{"2 error unknown member /response/x", "2 error invalid /response/response/mcpServers"},
			[]string{"2 lint unknown member /response/x", "2 lint invalid /response/response/mcpServers"},
		},
		{
			"duplicate members", []recording.Entry{sdk(ask("1", status)), cli(answer("1", `{"mcpServers":[],"mcpServers":[]}`))},
			[]string{"2 error malformed /response/response/mcpServers"}, []string{"2 error malformed "},
		},
	} {
		for _, form := range []struct{ name, input string }{{"recording", recorded(t, tt.entries...)}, {"plain", plain(tt.entries...)}} {
			for _, lint := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/lint=%v", tt.name, form.name, lint), func(t *testing.T) {
					want := tt.strict
					if lint {
						want = tt.lint
					}
					list, sum := findings(t, lint, form.input, 0)
					if diff := cmp.Diff(append([]string{}, want...), append([]string{}, summarize(list)...)); diff != "" {
						t.Errorf("-want +got\n%s", diff)
					}
					if sum.Unchecked > 0 || sum.Findings != len(list) {
						t.Errorf("the summary is %+v", sum)
					}
				})
			}
		}
	}
}

func TestFindingsInAnAnswerHaveTheirPlaceInTheLine(t *testing.T) {
	line := `{"type":"control_response", "response":{"subtype":"success","request_id":"\u0031","response": {"behavior":"deny","message":5}}}`
	input := recorded(t, cli(ask("1", permission)), sdk(`{"type":"keep_alive"}`+"\n"+line))
	list, sum := findings(t, false, input, 0)
	want := []linecheck.Finding{{
		File: "-", Line: 2, Part: 2, Severity: linecheck.Error, Keyword: "permission/result.deny.json#/properties/message/type",
		Deviation: codec.Deviation{
			Kind: codec.Invalid, Path: "/response/response/message", Offset: strings.Index(line, "5}"), Detail: "got a number, want a string",
		},
	}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff(linecheck.Summary{Files: 1, Lines: 3, Invalid: 1, Findings: 1}, sum); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestARequestIsAnsweredByTheOtherEnd(t *testing.T) {
	permissionOfTheCLI, statusOfTheSDK := cli(ask("1", permission)), sdk(ask("1", status))
	good := []recording.Entry{cli(answer("1", `{"mcpServers":[]}`)), sdk(answer("1", `{"behavior":"deny","message":"no"}`))}
	input := recorded(t, append([]recording.Entry{permissionOfTheCLI, statusOfTheSDK}, good...)...)
	if list, _ := findings(t, true, input, 0); len(list) > 0 {
		t.Errorf("got %v", list)
	}
	input = recorded(t, permissionOfTheCLI, statusOfTheSDK, cli(answer("1", `{"behavior":"deny","message":"no"}`)))
	if list, _ := findings(t, false, input, 0); len(list) == 0 {
		t.Error("the CLI answers its own request")
	}
}

func TestTheCLIMayShowAnAnswerOfTheSDKAgain(t *testing.T) {
	input := recorded(t, cli(ask("1", permission)), sdk(answer("1", `{"behavior":"deny","message":"no"}`)), cli(answer("1", `{"behavior":"deny","message":"no"}`)))
	if list, sum := findings(t, true, input, 0); len(list) > 0 || sum.Unchecked > 0 {
		t.Errorf("got %v, %+v", list, sum)
	}
}

func TestRepliesWithoutTheirRequestsAreCountedAndDoNotFail(t *testing.T) {
	refusal := `{"type":"control_response","response":{"subtype":"error","request_id":"3","error":"no"}}` + "\n"
	for _, tt := range []struct {
		name, input, text string
		count             int
	}{
		{"none", refusal, "1 line in 1 file, all valid\n", 0},
		{"one", answer("1", `{"x":1}`) + "\n" + refusal, "2 lines in 1 file, all valid; 1 reply was not checked: its request is not in the stream\n", 1},
		{"two", answer("1", `{"x":1}`) + "\n" + answer("2", "") + "\n", "2 lines in 1 file, all valid; 2 replies were not checked: their requests are not in the stream\n", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := linestream.Options{Direction: schema.FromCLI}
			if out, _ := run(t, false, o, tt.input, asText); out != tt.text {
				t.Errorf("got %q, want %q", out, tt.text)
			}
			var got struct {
				Summary struct{ Unchecked, Findings int }
			}
			out, _ := run(t, false, o, tt.input, asJSON)
			if err := json.Unmarshal([]byte(out), &got); err != nil || got.Summary.Unchecked != tt.count || got.Summary.Findings != 0 {
				t.Errorf("got %s, %v", out, err)
			}
		})
	}
}

func TestEveryInputIsAConversationOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	names := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	for i, line := range []string{ask("1", status), answer("1", `{"mcpServers":[]}`)} {
		if err := os.WriteFile(names[i], []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := linecheck.Run{Checker: linecheck.New(false), Emit: func(f linecheck.Finding) error { return fmt.Errorf("%v", f) }}
	if sum, err := r.Files(names); err != nil || sum.Unchecked != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// The sessions use the same ids: a reply that took a request of the session before would be wrong.
// They are many, so that a session begins in one block and goes on in the next.
func TestEveryHeaderOfARecordingBeginsASession(t *testing.T) {
	header := recording.Entry{Dir: recording.Header, Version: "2.1.325"}
	sessions := []string{
		recorded(t, header, sdk(ask("1", status)), cli(ask("2", hook("PreToolUse"))), cli(ask("3", permission))),
		recorded(t, header, sdk(ask("1", interrupt)), cli(ask("2", permission)), cli(answer("1", `{"still_queued":[]}`)),
			sdk(answer("2", `{"behavior":"deny","message":"no"}`)), sdk(answer("3", `{"behavior":1}`))),
		recorded(t, header, cli(ask("2", hook("PreCompact"))), sdk(answer("2", `{"continue":1}`)), cli(answer("1", `{"mcpServers":[]}`))),
	}
	const rounds = 1000
	var want []linecheck.Finding
	lines, unchecked := 0, 0
	for _, text := range sessions {
		list, sum := findings(t, false, text, 0)
		for _, f := range list {
			f.Line += lines
			want = append(want, f)
		}
		lines += strings.Count(text, "\n")
		unchecked += sum.Unchecked
	}
	got, sum := findings(t, false, strings.Repeat(strings.Join(sessions, ""), rounds), 0)
	if len(want) == 0 || len(got) != rounds*len(want) || unchecked == 0 || sum.Unchecked != rounds*unchecked {
		t.Fatalf("%d findings and %+v; %d times %d and %d unchecked are those of each alone", len(got), sum, rounds, len(want), unchecked)
	}
	for i, f := range got {
		alone := want[i%len(want)]
		alone.Line += i / len(want) * lines
		if diff := cmp.Diff(alone, f); diff != "" {
			t.Fatalf("-alone +together\n%s", diff)
		}
	}
}

// The sessions use the same ids, and go on at the same time: those that share a log do.
func TestAReplyAnswersARequestOfTheSessionWithItsKey(t *testing.T) {
	keyed := func(key string, e recording.Entry) recording.Entry { e.Key = key; return e }
	header := recording.Entry{Dir: recording.Header, Version: "2.1.325"}
	text := recorded(t, keyed("a", header), keyed("a", sdk(ask("1", status))), keyed("b", header), keyed("b", sdk(ask("1", interrupt))),
		keyed("a", cli(answer("1", `{"mcpServers":[]}`))), keyed("b", cli(answer("1", `{"still_queued":[]}`))))
	if list, sum := findings(t, false, text, 0); len(list) > 0 || sum.Unchecked > 0 {
		t.Errorf("%v, %+v", list, sum)
	}
	text = recorded(t, keyed("a", header), keyed("a", sdk(ask("1", status))), keyed("b", header), keyed("b", cli(answer("1", `{"mcpServers":1}`))))
	if list, sum := findings(t, false, text, 0); len(list) > 0 || sum.Unchecked != 1 {
		t.Errorf("a reply of another session: %v, %+v", list, sum)
	}
}

// far is a stream of many blocks. Line by line it has a request; an answer to the one n requests
// before, every third broken; noise; and filling.
func far(n int) (input string, broken []int) {
	var b strings.Builder
	filling := fmt.Sprintf(`{"type":"user","message":{"role":"user","content":"%s"}}`, strings.Repeat("x", 2000))
	for i := range 3000 {
		b.WriteString(ask(fmt.Sprint(i), permission) + "\n")
		body := `{"behavior":"deny","message":"no"}`
		if i%3 == 0 {
			body = `{"behavior":"deny"}`
			if i >= n {
				broken = append(broken, 4*i+2)
			}
		}
		b.WriteString(answer(fmt.Sprint(i-n), body) + "\nnoise\n" + filling + "\n")
		broken = append(broken, 4*i+3)
	}
	return b.String(), broken
}

func TestAnswersAreMatchedOverManyBlocksAndFindingsKeepTheirOrder(t *testing.T) {
	const n = 500
	input, want := far(n)
	list, sum := findings(t, false, input, 0)
	var got []int
	for _, f := range list {
		got = append(got, f.Line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines with findings: -want +got\n%s", diff)
	}
	if sum.Unchecked != n || sum.Invalid != len(want) || sum.Findings != len(want) {
		t.Errorf("%+v, want %d invalid lines", sum, len(want))
	}
}

func TestFindingsInAnswersCountTowardsTheLimit(t *testing.T) {
	input, want := far(1)
	for _, most := range []int{1, 2, 50, len(want) - 1, len(want)} {
		list, sum := findings(t, false, input, most)
		rest := len(want) - most
		var got []int
		for _, f := range list {
			if f.Kind != codec.Omitted {
				got = append(got, f.Line)
			} else if f.Count != rest {
				t.Errorf("limit %d: %d are left out, want %d", most, f.Count, rest)
			}
		}
		if diff := cmp.Diff(want[:most], got); diff != "" || sum.Findings != len(want) {
			t.Errorf("limit %d: %+v, -want +got\n%s", most, sum, diff)
		}
	}
}
