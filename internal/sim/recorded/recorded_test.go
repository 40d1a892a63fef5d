package recorded_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/sim/recorded"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// made makes the script of a recording: lines of the CLI, and of the SDK after "> ".
func made(t *testing.T, o recorded.Options, text string) *script.Script {
	t.Helper()
	s, err := recorded.Make(sessions(t, text), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sessions(t *testing.T, text string) []*recorded.Session {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"dir":"header"}` + "\n")
	at := 0
	for line := range strings.Lines(strings.TrimSpace(text)) {
		dir := "cli->sdk"
		line = strings.TrimSpace(line)
		if rest, sdk := strings.CutPrefix(line, "> "); sdk {
			dir, line = "sdk->cli", rest
		}
		at += 100
		entry, err := json.Marshal(map[string]any{"dir": dir, "t_ms": at, "line": line})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(entry, '\n'))
	}
	b.WriteString(`{"dir":"exit","code":0}` + "\n")
	name := filepath.Join(t.TempDir(), "r.ndjson")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := recorded.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

const begin = `> {"type":"user","message":{"role":"user","content":"go"}}
{"type":"system","subtype":"init","cwd":"/project/here","model":"m","claude_code_version":"2.1.325"}
`

// said is the line of an assistant message of one block.
func said(id, block, more string) string {
	return `{"type":"assistant","message":{"id":"` + id + `","model":"m","content":[` + block + `],"stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}}` + more + "}\n"
}

const done = `{"type":"result","subtype":"success","usage":{"output_tokens":5}}`

func TestWhatARecordingShowsIsInTheScript(t *testing.T) {
	use := func(id, name, input string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + input + `}`
	}
	result := func(id, content, more string) string {
		return `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":` + content + `}]}` + more + "}\n"
	}
	key := "sk-" + strings.Repeat("a1", 20)
	for _, tt := range []struct{ name, lines, want string }{
		{"a text", said("1", `{"type":"text","text":"Hello."}`, "") + done, `{"turns":[{"text":"Hello."}]}`},
		{"blocks of one message", said("1", `{"type":"thinking","thinking":"Hm.","signature":"s"}`, "") + said("1", `{"type":"text","text":"Hi."}`, "") + done,
			`{"turns":[{"content":[{"signature":"s","thinking":"Hm.","type":"thinking"},{"text":"Hi.","type":"text"}]}]}`},
		{"a tool and its result, with folders", said("1", use("t", "Bash", `{"command":"ls /project/here"}`), "") + result("t", `"/project/here/a"`, `,"tool_use_result":{"stdout":"/project/here/a"}`),
			`{"turns":[{"content":[{"input":{"command":"ls {{cwd}}"},"name":"Bash","type":"tool_use"}]}],
			"tools":{"Bash":[{"input":{"command":"ls {{cwd}}"},"times":1,"text":"{{cwd}}/a","tool_use_result":{"stdout":"{{cwd}}/a"}}]}}`},
		{"a tool that acts too", said("1", use("t", "Write", `{"file_path":"a"}`), "") + result("t", `"ok"`, ""),
			`{"turns":[{"content":[{"input":{"file_path":"a"},"name":"Write","type":"tool_use"}]}],"tools":{"Write":[{"input":{"file_path":"a"},"times":1,"acts":true,"text":"ok"}]}}`},
		{"a tool that was refused", said("1", use("t", "Bash", `{}`), "") + result("t", `"no"`, `,"tool_result_meta":[{"id":"t","non_execution_kind":"permission-rule"}]`),
			`{"turns":[{"content":[{"input":{},"name":"Bash","type":"tool_use"}]}]}`},
		{"a tool of the SDK", `{"type":"control_request","request_id":"1","request":{"subtype":"mcp_message","server_name":"srv"}}` + "\n" +
			said("1", use("t", "mcp__srv__echo", `{}`), "") + result("t", `"hi"`, ""), `{"turns":[{"content":[{"input":{},"name":"mcp__srv__echo","type":"tool_use"}]}]}`},
		{"an input that the SDK changed", said("1", use("t", "Bash", `{"command":"a"}`), "") +
			`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_use_id":"t"}}` + "\n" +
			`> {"type":"control_response","response":{"request_id":"1","response":{"behavior":"allow","updatedInput":{"command":"b"}}}}` + "\n" + result("t", `"b"`, ""),
			`{"turns":[{"content":[{"input":{"command":"a"},"name":"Bash","type":"tool_use"}]}],"tools":{"Bash":[{"times":1,"text":"b"}]}}`},
		{"a subagent", said("1", use("t", "Agent", `{"prompt":"the job"}`), "") + said("2", use("u", "Bash", `{}`), `,"parent_tool_use_id":"t"`) +
			result("t", `"done"`, `,"tool_use_result":{"status":"completed","content":[{"type":"text","text":"Done."}],"usage":{"output_tokens":9}}`),
			`{"turns":[{"content":[{"input":{"prompt":"the job"},"name":"Agent","type":"tool_use"}]},
			{"match":{"prompt":"the job","from":"subagent"},"content":[{"input":{},"name":"Bash","type":"tool_use"}]},
			{"match":{"prompt":"the job","from":"subagent"},"text":"Done.","usage":{"output_tokens":9}}],
			"tools":{"Agent":[{"input":{"prompt":"the job"},"times":1,"acts":true,"text":"done","tool_use_result":{"status":"completed","content":[{"type":"text","text":"Done."}],"usage":{"output_tokens":9}}}]}}`},
		{"errors of the API", `{"type":"system","subtype":"api_retry","attempt":1,"error_status":529,"error":"overloaded"}` + "\n" +
			`{"type":"system","subtype":"api_retry","attempt":2,"error_status":null,"error":"unknown"}` + "\n" +
			`{"type":"assistant","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"API Error: 403 no access"}]},"error":"x","api_error_status":403}`,
			`{"turns":[{"error":{"status":529,"message":"overloaded"}},{"text":"lost","cut":{"how":"drop","after":0}},{"retries":true,"error":{"status":403,"message":"no access"}}]}`},
		{"partial messages", `{"type":"stream_event","event":{"type":"message_start","message":{"id":"1","model":"other","usage":{"input_tokens":20,"output_tokens":1}}}}
			{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}
			{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}}
			{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo."}}}
			` + said("1", `{"type":"text","text":"Hello."}`, "") + `{"type":"stream_event","event":{"type":"content_block_stop","index":0}}
			{"type":"stream_event","event":{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":7}}}`,
			`{"turns":[{"text":"Hello.","stop_reason":"max_tokens","usage":{"input_tokens":20,"output_tokens":7},"model":"other","pace":{"before":"200ms","chunk":3,"every":"100ms"}}]}`},
		{"an answer that an interrupt cut", `{"type":"stream_event","event":{"type":"message_start","message":{"id":"1","model":"m","usage":{}}}}
			{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}
			{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}}
			{"type":"result","subtype":"success","terminal_reason":"aborted_streaming"}`,
			`{"turns":[{"text":"Hel","pace":{"before":"200ms"},"cut":{"how":"stall","after":3}}]}`},
		{"placeholders and keys", said("1", `{"type":"text","text":"{{text}} `+key+`"}`, ""), `{"turns":[{"text":"\\{{text}} [secret]"}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := made(t, recorded.Options{Pauses: strings.Contains(tt.want, "pace")}, begin+tt.lines)
			s.Recorded = nil
			var want, got any
			data, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestSeveralSessionsAreToldApartByTheirPrompts(t *testing.T) {
	list := append(sessions(t, begin+said("1", `{"type":"text","text":"One."}`, "")),
		sessions(t, strings.Replace(begin, `"go"`, `"other"`, 1)+said("2", `{"type":"text","text":"Two."}`, ""))...)
	s, err := recorded.Make(list, recorded.Options{})
	if err != nil || len(s.Turns) != 2 || s.Turns[0].Match.Prompt != "go" || s.Turns[1].Match.Prompt != "other" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestAScriptSaysHowItWasRecorded(t *testing.T) {
	s := made(t, recorded.Options{Command: []string{"python", "agent.py"}}, begin+said("1", `{"type":"tool_use","id":"t","name":"Bash","input":{}}`, "")+
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}}`)
	if s.Recorded.Version != "2.1.325" || cmp.Diff([]string{"python", "agent.py"}, s.Recorded.Command) != "" || len(s.Recorded.Notes) == 0 {
		t.Errorf("%+v", s.Recorded)
	}
}

func TestTheSumOfTokensIsThatOfTheResult(t *testing.T) {
	s := made(t, recorded.Options{}, begin+said("1", `{"type":"text","text":"a"}`, "")+said("2", `{"type":"text","text":"b"}`, "")+
		`{"type":"result","subtype":"success","usage":{"output_tokens":90}}`)
	if a, b := string(s.Turns[0].Usage["output_tokens"]), string(s.Turns[1].Usage["output_tokens"]); a != "1" || b != "89" {
		t.Errorf("%s and %s", a, b)
	}
}

func TestSecretsOfTheEnvironmentAreLeftOut(t *testing.T) {
	secrets := recorded.Secrets([]string{"MY_API_KEY=hunter2hunter2", "NAME=somebody-else", "TOKEN=short"})
	s := made(t, recorded.Options{Secrets: secrets, Home: "/home/me"}, begin+said("1", `{"type":"text","text":"hunter2hunter2 of somebody-else in /home/me/x"}`, ""))
	if want := "[secret] of somebody-else in {{home}}/x"; s.Turns[0].Text != want {
		t.Errorf("got %q, want %q", s.Turns[0].Text, want)
	}
}

func TestADifferenceIsShownTurnByTurn(t *testing.T) {
	parse := func(text string) *script.Script {
		s, err := script.Parse("s", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := parse(`{"turns":[{"text":"a"},{"text":"b","pace":{"before":"1s"}}],"tools":{"Bash":[{"input":{"command":"x"},"text":"1\n2"}]}}`)
	if diff := recorded.Diff(before, parse(`{"turns":[{"text":"a"},{"text":"b"}],"tools":{"Bash":{"input": {"command":"x"},"text":"1\n2"}}}`)); diff != nil {
		t.Errorf("scripts that say the same: %q", diff)
	}
	after := parse(`{"turns":[{"text":"a"},{"error":{"status":500,"message":"no"}}],"tools":{"Bash":[{"input":{"command":"x"},"text":"3"}]}}`)
	want := []string{"  model: a", "- model: b", `- tool Bash {"command":"x"} gives 1\n2`, "+ model: error 500 no", `+ tool Bash {"command":"x"} gives 3`}
	if diff := cmp.Diff(want, recorded.Diff(before, after)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
