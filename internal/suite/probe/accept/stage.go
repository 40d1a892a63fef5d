package accept

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// A stage is where a line is played: what comes before it, and what is waited for after it.
type stage struct {
	open   string // the body of the initialize request; "" for none
	prompt string // what is asked before the line; "" if the line comes first
	target string // the kind of the CLI's request that the line answers
	reply  bool   // the line is a request, and its reply is waited for
	after  string // what is asked after the line, to see what it has changed
}

const serving = `{"subtype":"initialize","sdkMcpServers":["srv"]}`

var (
	requests = &stage{open: serving, reply: true}
	opening  = &stage{reply: true, after: "please write"}
	prompts  = &stage{open: serving}
	lone     = &stage{open: serving, after: "hello"}
	asks     = &stage{open: serving, prompt: "please write", target: "can_use_tool"}

	hookStages = map[string]*stage{}
	mcpStages  = map[string]*stage{
		"tools/call": {open: serving, prompt: "please echo", target: "mcp_message/tools/call"},
	}
)

func init() {
	for event, prompt := range map[string]string{
		"UserPromptSubmit": "hello", "PreToolUse": "please write", "PostToolUse": "please write", "Stop": "hello",
		"PermissionRequest": "please write", "PostToolUseFailure": "please fail", "SubagentStart": "please delegate",
		"SubagentStop": "please delegate",
	} {
		hookStages[event] = &stage{
			open:   fmt.Sprintf(`{"subtype":"initialize","hooks":{%q:[{"hookCallbackIds":["hook"]}]}}`, event),
			prompt: prompt, target: "hook_callback/" + event,
		}
	}
}

// model is what the fake API says.
var model = fakeapi.Script{Turns: []fakeapi.Turn{
	{Match: &fakeapi.Match{ToolResult: "Write"}, Times: -1, Text: "written"},
	{Match: &fakeapi.Match{ToolResult: "Read"}, Times: -1, Text: "read"},
	{Match: &fakeapi.Match{ToolResult: "mcp__srv__echo"}, Times: -1, Text: "echoed"},
	{Match: &fakeapi.Match{ToolResult: "Task"}, Times: -1, Text: "delegated"},
	{Match: &fakeapi.Match{ToolResult: "Agent"}, Times: -1, Text: "delegated"},
	{Match: &fakeapi.Match{Text: "please write", From: fakeapi.Main}, Times: -1, Content: []fakeapi.Block{fakeapi.ToolUse("Write", `{"file_path":"a.txt","content":"hi"}`)}},
	{Match: &fakeapi.Match{Text: "please fail", From: fakeapi.Main}, Times: -1, Content: []fakeapi.Block{fakeapi.ToolUse("Read", `{"file_path":"no-such-file"}`)}},
	{Match: &fakeapi.Match{Text: "please echo", From: fakeapi.Main}, Times: -1, Content: []fakeapi.Block{fakeapi.ToolUse("mcp__srv__echo", `{"text":"hi"}`)}},
	{Match: &fakeapi.Match{Text: "please delegate", From: fakeapi.Main}, Times: -1, Content: []fakeapi.Block{fakeapi.ToolUse("Task", `{"description":"look","prompt":"look around","subagent_type":"general-purpose"}`)}},
}}

func userLine(text string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":%q},"parent_tool_use_id":null,"session_id":""}`+"\n", text)
}

func requestLine(id, body string) string {
	return fmt.Sprintf(`{"type":"control_request","request_id":%q,"request":%s}`+"\n", id, body)
}

func isResult(h *head) bool { return h.Type == "result" }

func isReply(id string) func(*head) bool {
	return func(h *head) bool { return h.Type == "control_response" && string(h.Response.RequestID) == `"`+id+`"` }
}

// start brings a session to where lines are played.
func (st *stage) start(ctx context.Context, s *session) error {
	if st.open == "" {
		return nil
	}
	id := s.id()
	s.write(requestLine(id, st.open))
	if !s.pump(ctx, startRounds, isReply(id), nil) {
		return fmt.Errorf("the CLI does not answer initialize: %s", s.peer.Exit().Stderr)
	}
	s.write(userLine("hello"))
	if !s.pump(ctx, startRounds, isResult, nil) {
		return fmt.Errorf("the CLI does not end its first turn: %s", s.peer.Exit().Stderr)
	}
	return nil
}

// rounds is how long the line is waited for.
func (st *stage) rounds() int {
	if st.open == "" {
		return 3 * mostRounds // the session begins with it
	}
	return mostRounds
}

// play writes a line, which may have marks in it, and returns what came of it.
func (st *stage) play(ctx context.Context, s *session, text string) *seen {
	start, asked := s.next, s.proxy.count()
	out := &seen{values: map[string][]string{}}
	id := s.id()
	fill := strings.NewReplacer(idMark, id, uuidMark, newUUID(), "/scratch/cwd", fmt.Sprint(s.peer.Vars()["cwd"])).Replace
	switch {
	case st.target != "":
		st.answer(ctx, s, text, out)
	case st.reply:
		s.write(fill(text) + "\n")
		out.answered = s.pump(ctx, st.rounds(), func(h *head) bool { return h.Type == "control_response" }, nil)
	case st.after != "":
		s.write(fill(text) + "\n")
		out.answered = true
	default:
		s.write(fill(text) + "\n")
		out.answered = s.pump(ctx, mostRounds, isResult, nil)
	}
	if st.after != "" && !s.dead() {
		s.write(userLine(st.after))
		if !s.pump(ctx, st.rounds(), isResult, nil) {
			out.stuck = true
		}
	}
	fence := s.id()
	s.write(requestLine(fence, `{"subtype":"interrupt"}`))
	if !s.pump(ctx, mostRounds, isReply(fence), nil) {
		out.stuck = true
	}
	out.dead = s.dead()
	for _, line := range s.from(start)[:s.next-start] {
		var h head
		if json.Unmarshal(line, &h) == nil && (isReply(fence)(&h) || isPing(&h)) {
			continue
		}
		if h.Type == "control_response" && h.Response.Subtype == "error" {
			out.refused = true
		}
		out.line(line, s.paths)
	}
	for _, body := range s.proxy.from(asked) {
		out.request(body, st.open == "", s.paths)
	}
	return out
}

// answer asks the model for something and answers the CLI's request with the line.
func (st *stage) answer(ctx context.Context, s *session, text string, out *seen) {
	s.write(userLine(st.prompt))
	given := false
	out.answered = s.pump(ctx, mostRounds, isResult, func(a *asking) (string, bool) {
		if given || a.kind() != st.target {
			return "", false
		}
		given = true
		return strings.NewReplacer(idMark, a.ID, `"@call"`, string(a.Message.ID), "/scratch/cwd", fmt.Sprint(s.peer.Vars()["cwd"])).Replace(text) + "\n", true
	})
	out.answered = out.answered && given
}

func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
