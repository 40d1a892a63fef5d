package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// A recorder keeps what is written to it, line by line.
type recorder struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

// lines returns what was written since the last call, and forgets it.
func (r *recorder) lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.text.Reset()
	return strings.FieldsFunc(r.text.String(), func(c rune) bool { return c == '\n' })
}

// session runs f with a client whose CLI is the test: what it writes to cli is read by the client,
// and what the client writes is in the recorder.
func session(t *testing.T, s sdk, h host, f func(t *testing.T, c client, cli io.Writer, written *recorder)) {
	synctest.Test(t, func(t *testing.T) {
		stdout, cli := io.Pipe()
		written := new(recorder)
		c := s.open(stdout, written, h)
		go c.each(func(any) {}) // ends with the output
		f(t, c, cli, written)
		cli.Close()
		synctest.Wait()
	})
}

func say(t *testing.T, cli io.Writer, line string) {
	t.Helper()
	if _, err := io.WriteString(cli, line+"\n"); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

// check compares lines as JSON.
func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(values(t, want), values(t, got)); diff != "" {
		t.Error(diff)
	}
}

func values(t *testing.T, lines []string) []any {
	t.Helper()
	list := make([]any, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal([]byte(line), &list[i]); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return list
}

// eachSDK runs a test with both.
func eachSDK(t *testing.T, h host, f func(t *testing.T, c client, cli io.Writer, written *recorder)) {
	for _, s := range both {
		t.Run(s.name, func(t *testing.T) { session(t, s, h, f) })
	}
}

func TestCallbacksAnswerRequests(t *testing.T) {
	h := host{
		canUseTool: func(_ context.Context, tool string, input map[string]any) (permission, error) {
			return permission{allow: input["command"] == "ls", message: "no " + tool}, nil
		},
		hooks: []hook{{"PreToolUse", "Bash", func(_ context.Context, input map[string]any) (map[string]any, error) {
			if input["tool_name"] != "Bash" {
				return nil, errors.New("no tool")
			}
			return map[string]any{"continue": false, "stopReason": "enough"}, nil
		}}},
		mcp: map[string]mcpServer{"tools": func(_ context.Context, method string, params map[string]any) (any, error) {
			if method != "tools/call" {
				return nil, errors.New("no " + method)
			}
			return map[string]any{"content": []any{params["name"]}}, nil
		}},
	}
	eachSDK(t, h, func(t *testing.T, c client, cli io.Writer, written *recorder) {
		ended := make(chan error, 1)
		go func() {
			_, err := c.Initialize(t.Context())
			ended <- err
		}()
		synctest.Wait()
		check(t, written.lines(), `{"type":"control_request","request_id":"req_1","request":{"subtype":"initialize",`+
			`"hooks":{"PreToolUse":[{"matcher":"Bash","hookCallbackIds":["hook_0"]}]}}}`)
		say(t, cli, `{"type":"control_response","response":{"subtype":"success","request_id":"req_1","response":{}}}`)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct{ request, answer string }{
			{`{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}`,
				`{"subtype":"success","request_id":"r","response":{"behavior":"allow","updatedInput":{"command":"ls"}}}`},
			{`{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"rm"}}`,
				`{"subtype":"success","request_id":"r","response":{"behavior":"deny","message":"no Bash"}}`},
			{`{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}}`,
				`{"subtype":"success","request_id":"r","response":{"continue":false,"stopReason":"enough"}}`},
			{`{"subtype":"hook_callback","callback_id":"hook_9","input":{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}}`,
				`{"subtype":"error","request_id":"r","error":"no hook \"hook_9\""}`},
			{`{"subtype":"mcp_message","server_name":"tools","message":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add"}}}`,
				`{"subtype":"success","request_id":"r","response":{"mcp_response":{"jsonrpc":"2.0","id":4,"result":{"content":["add"]}}}}`},
			{`{"subtype":"mcp_message","server_name":"tools","message":{"jsonrpc":"2.0","id":4,"method":"ping"}}`,
				`{"subtype":"success","request_id":"r","response":{"mcp_response":{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"no ping"}}}}`},
		} {
			say(t, cli, `{"type":"control_request","request_id":"r","request":`+row.request+`}`)
			check(t, written.lines(), `{"type":"control_response","response":`+row.answer+`}`)
		}
	})
}

func TestOperationsReturnWhatTheCLIAnswers(t *testing.T) {
	eachSDK(t, host{}, func(t *testing.T, c client, cli io.Writer, written *recorder) {
		ended := make(chan error, 1)
		go func() { ended <- c.SetModel(t.Context(), "opus") }()
		synctest.Wait()
		check(t, written.lines(), `{"type":"control_request","request_id":"req_1","request":{"subtype":"set_model","model":"opus"}}`)
		say(t, cli, `{"type":"control_response","response":{"subtype":"error","request_id":"req_1","error":"no such model"}}`)
		if err := <-ended; err == nil || err.Error() != "no such model" {
			t.Errorf("got %v", err)
		}
		go func() { ended <- c.Interrupt(t.Context()) }()
		synctest.Wait()
		say(t, cli, `{"type":"control_response","response":{"subtype":"success","request_id":"req_2"}}`)
		if err := <-ended; err != nil {
			t.Errorf("got %v", err)
		}
		written.lines()
		if err := c.Prompt("hello"); err != nil {
			t.Error(err)
		}
		check(t, written.lines(), `{"type":"user","message":{"role":"user","content":"hello"}}`)
	})
}

func TestTheTwinAnswersWhatTheFirstLeavesOpen(t *testing.T) {
	session(t, twin, host{}, func(t *testing.T, _ client, cli io.Writer, written *recorder) {
		say(t, cli, `{"type":"control_request","request_id":"r","request":{"subtype":"new_thing"}}`)
		check(t, written.lines(), `{"type":"control_response","response":{"subtype":"error","request_id":"r",`+
			`"error":"unsupported control request subtype: new_thing","error_code":"unsupported_request"}}`)
		say(t, cli, `{"type":"control_request","request_id":"s","request":{"subtype":"can_use_tool","tool_name":7,"input":{},"input":{}}}`)
		if lines := written.lines(); len(lines) != 1 || !strings.Contains(lines[0], `"subtype":"error","request_id":"s"`) {
			t.Errorf("a request that cannot be read is answered with %s", lines)
		}
	})
}

func TestTheTwinDoesNotAnswerWhatTheCLITakesBack(t *testing.T) {
	h := host{canUseTool: func(ctx context.Context, _ string, _ map[string]any) (permission, error) {
		<-ctx.Done()
		return permission{message: "too late"}, nil
	}}
	session(t, twin, h, func(t *testing.T, _ client, cli io.Writer, written *recorder) {
		say(t, cli, `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}`)
		say(t, cli, `{"type":"control_cancel_request","request_id":"r"}`)
		check(t, written.lines())
	})
}

func TestTheTwinEndsACallWhoseAnswerCannotBeRead(t *testing.T) {
	session(t, twin, host{}, func(t *testing.T, c client, cli io.Writer, _ *recorder) {
		ended := make(chan error, 1)
		go func() { ended <- c.Interrupt(t.Context()) }()
		synctest.Wait()
		say(t, cli, `{"type":"control_response","response":{"subtype":"success","request_id":"req_1","response":{]}}`)
		select {
		case err := <-ended:
			if err == nil {
				t.Error("no error")
			}
		default:
			t.Error("the call still waits")
		}
	})
}
