package mixed

import (
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// A block is one thing that happens in a session.
type block struct {
	name string
	add  func(*session)
}

// blocks are what sessions are made of.
var blocks = []block{
	{"write", tools("Write", `{"file_path":"a.txt","content":"one\n"}`)},
	{"read", tools("Read", `{"file_path":"note.txt"}`)},
	{"edit", tools("Read", `{"file_path":"note.txt"}`, "Edit", `{"file_path":"note.txt","old_string":"alpha","new_string":"beta"}`)},
	{"shell", tools("Bash", `{"command":"echo hi; echo err >&2","description":"say hi"}`)},
	{"failing shell", tools("Bash", `{"command":"./fail.sh","description":"fail"}`)},
	{"commit", tools("Bash", `{"command":"git init -q .; git add note.txt; git -c user.name=a -c user.email=b@c commit -m x","description":"commit"}`)},
	{"search", tools("Glob", `{"pattern":"*.txt"}`, "Grep", `{"pattern":"alpha"}`)},
	{"todo list", tools("TodoWrite", `{"todos":[{"content":"a","status":"pending","activeForm":"doing a"}]}`)},
	{"tasks", tools("TaskCreate", `{"subject":"a","description":"b"}`, "TaskList", `{}`, "TaskUpdate", `{"taskId":"1","status":"completed"}`)},
	{"notebook", tools("Read", `{"file_path":"n.ipynb"}`, "NotebookEdit", `{"notebook_path":"n.ipynb","cell_id":"c1","new_source":"2"}`)},
	{"picture", tools("Read", `{"file_path":"missing.png"}`)},
	{"question", tools("AskUserQuestion", `{"questions":[{"question":"Which?","header":"W","multiSelect":false,"options":[{"label":"A","description":"a"},{"label":"B","description":"b"}]}]}`)},
	{"plan", tools("EnterPlanMode", `{}`, "ExitPlanMode", `{"plan":"do it"}`)},
	{"skill", tools("Skill", `{"skill":"greeter"}`)},
	{"tool search", tools("ToolSearch", `{"query":"select:WebSearch,CronCreate"}`)},
	{"unknown tool", tools("Nonesuch", `{"a":1}`)},
	{"wrong input", tools("Read", `{"path":5}`)},
	{"web", tools("WebFetch", `{"url":"http://127.0.0.1:9/","prompt":"x"}`)},
	{"resources", tools("ListMcpResourcesTool", `{}`)},
	{"MCP", tools("mcp__srv__echo", `{"text":"ping"}`)},
	{"denied", tools("Write", `{"file_path":"denied.txt","content":"x"}`)},
	{"changed input", tools("Write", `{"file_path":"changed.txt","content":"x"}`)},
	{"many tools", tools(strings.Fields(strings.Repeat("Bash {\"command\":\"date\"} ", 6))...)},
	{"two tools at once", twoTools},
	{"thinking", think},
	{"subagent", subagent},
	{"image", image},
	{"interrupt", interrupt},
	{"background shell", backgroundShell},
	{"background shell that ends", shellThatEnds},
	{"background agent", backgroundAgent},
	{"refusal", ending(fakeapi.Turn{Text: "no", StopReason: "refusal"})},
	{"cut answer", ending(fakeapi.Turn{Text: "cut", StopReason: "max_tokens"})},
	{"error of the API", ending(fakeapi.Turn{Error: &fakeapi.Error{Status: 400, Message: "bad"}, Retries: true})},
	{"slash command", slash("/cost", "/context", "/usage", "/status", "/hello", "/nonesuch", "/model sonnet")},
	{"clear", slash("/clear")},
	{"compact", compact},
	{"idle interrupt", requests(`{"subtype":"interrupt"}`)},
	{"model", requests(`{"subtype":"set_model","model":"claude-sonnet-4-5"}`, `{"subtype":"set_model"}`)},
	{"permission mode", requests(`{"subtype":"set_permission_mode","mode":"default"}`, `{"subtype":"set_permission_mode","mode":"plan"}`,
		`{"subtype":"set_permission_mode","mode":"acceptEdits"}`, `{"subtype":"set_permission_mode","mode":"auto"}`)},
	{"state", requests(strings.Fields(`{"subtype":"get_context_usage"} {"subtype":"mcp_status"} {"subtype":"get_settings"} {"subtype":"get_status"}
		{"subtype":"get_usage"} {"subtype":"get_session_cost"} {"subtype":"list_models"} {"subtype":"get_hooks_listing"} {"subtype":"list_permission_rules"}
		{"subtype":"get_workspace_diff"} {"subtype":"background_tasks"} {"subtype":"get_plan"} {"subtype":"export_conversation"}
		{"subtype":"file_suggestions","query":"n"} {"subtype":"read_file","path":"note.txt"}`)...)},
	{"settings", requests(strings.Fields(`{"subtype":"set_max_thinking_tokens","max_thinking_tokens":2000} {"subtype":"reload_skills"}
		{"subtype":"reload_plugins"} {"subtype":"update_settings","source":"localSettings","settings":{"permissions":{"allow":["Read"]}}}
		{"subtype":"apply_flag_settings","settings":{"model":"opus"}} {"subtype":"rename_session","title":"t"}
		{"subtype":"mcp_toggle","serverName":"srv","enabled":true}`)...)},
}

// files are in the working directory of every session.
var files = []txtar.File{
	{Name: "files/note.txt", Data: []byte("alpha\n")},
	{Name: "files/held.txt", Data: []byte("held\n")},
	{Name: "files/fail.sh", Data: []byte("#!/bin/sh\necho bad >&2\nexit 3\n")},
	{Name: "files/n.ipynb", Data: []byte(`{"cells": [{"cell_type": "code", "id": "c1", "metadata": {}, "source": ["print(1)"], "outputs": [], "execution_count": null}], ` +
		`"metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}` + "\n")},
	{Name: "files/CLAUDE.md", Data: []byte("Be brief.\n")},
	{Name: "files/.claude/commands/hello.md", Data: []byte("Say hello.\n")},
	{Name: "files/.claude/skills/greeter/SKILL.md", Data: []byte("---\nname: greeter\ndescription: Greets people.\n---\nAlways greet twice.\n")},
}

// tools is a turn in which the model uses these tools: pairs of a name and an input.
func tools(pairs ...string) func(*session) {
	return func(s *session) {
		var calls []fakeapi.Block
		for i := 0; i < len(pairs); i += 2 {
			calls = append(calls, fakeapi.ToolUse(pairs[i], pairs[i+1]))
		}
		s.ask(calls...)
	}
}

// requests is one of these requests.
func requests(bodies ...string) func(*session) {
	return func(s *session) { s.request(s.oneOf(bodies...)) }
}

// slash is one of these commands.
func slash(commands ...string) func(*session) {
	return func(s *session) {
		s.step(`user %q`, s.oneOf(commands...))
		s.step(`< {"type":"result"}`)
	}
}

// ending is a turn that this answer of the model ends, well or badly.
func ending(turn fakeapi.Turn) func(*session) {
	return func(s *session) {
		name := s.name()
		s.turn(fakeapi.Match{From: fakeapi.Main, Text: name}, turn)
		s.step(`user %q`, name)
		s.step(`< {"type":"result"}`)
	}
}

func compact(s *session) {
	s.turn(fakeapi.Match{Text: "<summary>"}, fakeapi.Turn{Text: "<summary>It was little.</summary>"})
	s.step(`user "/compact"`)
	s.step(`< {"type":"result"}`)
}

func twoTools(s *session) {
	name := s.name()
	s.turn(fakeapi.Match{From: fakeapi.Main, Text: name}, fakeapi.Turn{Content: []fakeapi.Block{
		fakeapi.Text("Both."), fakeapi.ToolUse("Read", `{"file_path":"note.txt"}`), fakeapi.ToolUse("Read", `{"file_path":"missing.txt"}`),
	}})
	s.turn(fakeapi.Match{From: fakeapi.Main, ToolResult: s.use(2)}, fakeapi.Turn{Text: name + " is done"})
	s.step(`user %q`, name)
	s.step(`<result {"result":%q}`, name+" is done")
}

func think(s *session) {
	name := s.name()
	s.turn(fakeapi.Match{From: fakeapi.Main, Text: name}, fakeapi.Turn{Content: []fakeapi.Block{
		fakeapi.Thinking("Hm.", "c2ln"), fakeapi.Text(name + " is done"),
	}})
	s.step(`user %q`, name)
	s.step(`<result {"result":%q}`, name+" is done")
}

func subagent(s *session) {
	prompt := "job of " + s.name()
	from := fakeapi.Match{From: fakeapi.Subagent, Prompt: prompt}
	s.turn(from, fakeapi.Turn{Content: []fakeapi.Block{fakeapi.ToolUse("Bash", `{"command":"echo sub","description":"sub"}`)}})
	s.turn(from, fakeapi.Turn{Text: "Job done."})
	s.ask(fakeapi.ToolUse(s.oneOf("Agent", "Task"), marshal(map[string]any{
		"description": "small job", "prompt": prompt, "subagent_type": s.oneOf("general-purpose", "Explore"), "run_in_background": false})))
}

func image(s *session) {
	const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	name := s.name()
	s.turn(fakeapi.Match{From: fakeapi.Main, Text: name}, fakeapi.Turn{Text: name + " is done"})
	s.step(`> {"type":"user","message":{"role":"user","content":[{"type":"text","text":%q},`+
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":%q}}]},"parent_tool_use_id":null}`, name, dot)
	s.step(`<result {"result":%q}`, name+" is done")
}

// interrupt stops the model in the middle of its answer.
func interrupt(s *session) {
	name := s.name()
	s.turn(fakeapi.Match{From: fakeapi.Main, Text: name}, fakeapi.Turn{Text: name + " begins and", Cut: &fakeapi.Cut{How: fakeapi.Stall}})
	s.step(`user %q`, name)
	s.step(`< {"type":"stream_event","event":{"type":"content_block_delta","delta":{"text":%q}}}`, name+" begins and")
	s.request(`{"subtype":"interrupt"}`)
	s.step(`< {"type":"result"}`)
}

// asks sets the mode in which every tool runs that the SDK allows: others may refuse it.
const asks = `{"subtype":"set_permission_mode","mode":"default"}`

// backgroundShell starts a shell in the background and stops it when the turn is over.
func backgroundShell(s *session) {
	s.request(asks)
	name := s.name()
	s.turn(fakeapi.Match{From: fakeapi.Main, Text: name}, fakeapi.Turn{Content: []fakeapi.Block{
		fakeapi.ToolUse("Bash", `{"command":"sleep 600","description":"wait","run_in_background":true}`),
	}})
	s.turn(fakeapi.Match{From: fakeapi.Main, ToolResult: s.use(0)}, fakeapi.Turn{Text: name + " is done"})
	s.step(`user %q`, name)
	s.step(`< {"type":"system","subtype":"task_started","task_id":"$bind:%s"}`, name)
	s.step(`<result {"result":%q}`, name+" is done")
	s.request(`{"subtype":"stop_task","task_id":"$ref:` + name + `"}`)
}

// shellThatEnds starts a shell in the background, which ends during the turn.
func shellThatEnds(s *session) {
	s.behind(fakeapi.ToolUse("Bash", `{"command":"echo worked","description":"work","run_in_background":true}`))
}

// backgroundAgent starts a subagent in the background, which ends during the turn.
func backgroundAgent(s *session) {
	prompt := "job of " + s.name()
	s.turn(fakeapi.Match{From: fakeapi.Subagent, Prompt: prompt}, fakeapi.Turn{Text: "Job done."})
	s.behind(fakeapi.ToolUse("Agent", marshal(map[string]any{
		"description": "small job", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": true})))
}

// behind adds a turn with a tool that runs in the background. The hook of the next tool is answered
// when it has ended, so that the CLI tells the model in this turn and begins none of its own.
func (s *session) behind(call fakeapi.Block) {
	s.request(asks)
	name := s.name()
	s.turn(fakeapi.Match{From: fakeapi.Main, Text: name}, fakeapi.Turn{Content: []fakeapi.Block{call}})
	s.turn(fakeapi.Match{From: fakeapi.Main, ToolResult: s.use(0)},
		fakeapi.Turn{Content: []fakeapi.Block{fakeapi.ToolUse("Read", `{"file_path":"held.txt"}`)}})
	s.turn(fakeapi.Match{From: fakeapi.Main, ToolResult: s.use(0)}, fakeapi.Turn{Text: name + " is done"})
	s.step(`user %q`, name)
	s.step(`<unordered`)
	s.step(`<request %s {"subtype":"hook_callback","input":{"hook_event_name":"PreToolUse","tool_input":{"file_path":"$re:held"}}}`, name)
	s.step(`< {"type":"system","subtype":"task_updated","patch":{"status":"completed"}}`)
	s.step(`<end`)
	s.step(`answer %s {}`, name)
	s.step(`<result {"result":%q}`, name+" is done")
}
