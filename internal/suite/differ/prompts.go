package differ

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// prompts are what happens in a session, one after the other.
var prompts = []feature{
	{"text", 3, greet},
	{"tools", 14, toolsInTurn},
	{"tools at once", 6, toolsAtOnce},
	{"thinking", 2, thinking},
	{"subagent", 4, subagent},
	{"large result", 1, largeResult},
	{"slash command", 3, slash},
	{"custom command", 3, customCommand},
	{"skill", 2, skill},
	{"question", 2, question},
	{"plan", 2, plan},
	{"error of the API", 4, apiError},
	{"error in a stream", 2, streamError},
	{"prompt with an id that fails", 1, failedPrompt},
	{"blank prompt", 1, blankPrompt},
	{"agent in the background", 3, backgroundAgent},
	{"end of the answer", 2, ending},
	{"request", 8, someRequest},
	{"image", 1, image},
	{"notebook", 1, notebook},
	{"change of mode", 2, changeOfMode},
	{"change of model", 2, changeOfModel},
	{"compaction", 1, compaction},
	{"two prompts", 2, twoPrompts},
	{"rewind", 4, rewind},
	{"mention", 4, mention},
	{"requests for servers", 4, serverRequests},
}

func greet(b *builder) {
	b.sayText(oneOf(b, "Hello there.", "# Title\n\n- one\n- two\n", "Ünïcode: ✓ 你好"))
	b.ask()
}

func thinking(b *builder) {
	b.say(fakeapi.Thinking("Let me think about it.", "c2lnbmF0dXJl"), fakeapi.Text("I thought about it."))
	b.ask()
}

// agentsOption defines agents.
func agentsOption(b *builder) {
	definition := map[string]any{"description": "Reviews code.", "prompt": "You review code."}
	if b.one(2) {
		definition["tools"] = []string{"Read", "Grep"}
	}
	if b.one(2) {
		definition["model"] = oneOf(b, "sonnet", "haiku", "inherit")
	}
	switch b.rand.IntN(3) {
	case 0:
		b.files[".claude/agents/reviewer.md"] = "---\nname: reviewer\ndescription: Reviews code.\nmodel: haiku\n---\nYou review code.\n"
	case 1:
		if b.once("--agents") {
			b.arg("--agents", marshal(map[string]any{"reviewer": definition}))
		}
	default:
		b.init["agents"] = map[string]any{"reviewer": definition}
	}
	b.agent("reviewer")
}

func subagent(b *builder) {
	b.agent(oneOf(b, "general-purpose", "general-purpose", "Explore", "no-such-agent"))
}

// agent is a prompt for which the model starts a subagent.
func (b *builder) agent(kind string) {
	b.prompts++
	prompt := fmt.Sprintf("small job %d", b.prompts)
	match := &fakeapi.Match{From: fakeapi.Subagent, Prompt: prompt}
	b.say(fakeapi.ToolUse(oneOf(b, "Agent", "Task"), marshal(map[string]any{
		"description": "A small job", "prompt": prompt, "subagent_type": kind, "run_in_background": false})))
	if b.one(2) {
		b.turns = append(b.turns, fakeapi.Turn{Match: match, Content: []fakeapi.Block{b.call()}})
	}
	b.turns = append(b.turns, fakeapi.Turn{Match: match, Text: "The job is done."})
	b.done()
	b.ask()
}

func slash(b *builder) {
	b.prompt(oneOf(b, "/cost", "/context", "/usage", "/clear", "/model sonnet", "/nonesuch", "/help", "/config", "/init", "/status", "/review", "/code-review low",
		"/permissions", "/mcp", "/mcp enable nobody", "/mcp restart", "/agents", "/model", "/compact", "/effort high", "/effort auto", "/effort nope", "/output-style", "/output-style explanatory", "/schedule", "/security-review", "/simplify", "/memory"))
	if b.one(2) {
		greet(b)
	}
}

func customCommand(b *builder) {
	head := oneOf(b, "", "---\ndescription: Greets.\n---\n", "---\ndescription: Greets.\nargument-hint: [name]\nmodel: haiku\n---\n", "---\nallowed-tools: Bash(echo:*)\n---\n",
		"---\ndescription: Greets.\ncontext: fork\n---\n", "---\ndescription: Greets.\ncontext: fork\nagent: Explore\nmodel: haiku\n---\n")
	body := oneOf(b, "Greet $ARGUMENTS warmly.", "Greet $1 and then $2.", "Greet them as on !`echo a ship`.", "Greet by @note.txt.", "Say hello.")
	b.files[".claude/commands/"+oneOf(b, "greet.md", "greet.md", "team/greet.md")] = head + body + "\n"
	if b.one(3) {
		b.say(b.call())
	}
	b.sayText("Hello Ada.")
	b.prompt(oneOf(b, "/greet Ada Grace", "/greet", "/greet 'Ada L' x", "/team:greet Ada"))
}

func skill(b *builder) {
	b.files[".claude/skills/greeter/SKILL.md"] = "---\nname: greeter\ndescription: Greets people.\n" + oneOf(b, "", "allowed-tools: Read\n", "context: fork\n") + "---\nAlways greet twice.\n"
	if b.one(2) {
		b.say(fakeapi.ToolUse("Skill", oneOf(b, `{"skill":"greeter"}`, `{"skill":"greeter","args":"Ada"}`, `{"skill":"nobody"}`)))
		b.done()
		b.ask()
	} else {
		b.sayText("Hello, hello.")
		b.prompt("/greeter Ada")
	}
}

func question(b *builder) {
	input := map[string]any{"questions": []any{map[string]any{"question": "Which colour?", "header": "Colour", "multiSelect": false,
		"options": []any{map[string]any{"label": "Red", "description": "warm"}, map[string]any{"label": "Blue", "description": "cold"}}}}}
	b.say(fakeapi.ToolUse("AskUserQuestion", marshal(input)))
	b.done()
	switch b.rand.IntN(3) {
	case 0:
		b.rule(`{"subtype":"can_use_tool","tool_name":"AskUserQuestion"} => {"behavior":"deny","message":"The user declined to answer"}`)
	case 1:
		input["answers"] = map[string]any{"Which colour?": "Red"}
		b.rule(`{"subtype":"can_use_tool","tool_name":"AskUserQuestion"} => {"behavior":"allow","updatedInput":%s}`, marshal(input))
	}
	b.ask()
}

func plan(b *builder) {
	if b.one(3) {
		b.request(`{"subtype":"set_permission_mode","mode":"plan"}`)
	} else if b.once("mode") {
		b.arg("--permission-mode", "plan")
	}
	switch b.rand.IntN(4) {
	case 0:
		b.rule(`{"subtype":"can_use_tool","tool_name":"ExitPlanMode"} => {"behavior":"deny","message":"Plan it again."}`)
	case 1:
		b.rule(`{"subtype":"can_use_tool","tool_name":"ExitPlanMode"} => {"behavior":"allow","updatedInput":{"plan":"1. do it"},"updatedPermissions":[` +
			`{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`)
	}
	b.say(fakeapi.ToolUse("ExitPlanMode", `{"plan":"1. do it"}`))
	if b.one(2) {
		b.say(fakeapi.ToolUse("Write", `{"file_path":"planned.txt","content":"x"}`))
	}
	b.done()
	b.ask()
}

func apiError(b *builder) {
	const wrongKey = 4
	after := func(seconds int) *int { return &seconds }
	always := func(status int, kind, message string) fakeapi.Turn {
		return fakeapi.Turn{Error: &fakeapi.Error{Status: status, Type: kind, Message: message}, Retries: true}
	}
	kind := b.rand.IntN(10)
	switch kind {
	case 0:
		b.turns = append(b.turns, fakeapi.Turn{Error: &fakeapi.Error{Status: 429, Message: "slow down", RetryAfter: after(1)}})
		b.done()
	case 1:
		b.turns = append(b.turns, fakeapi.Turn{Error: &fakeapi.Error{Status: 529, Message: "overloaded"}})
		b.done()
	case 2:
		b.turns = append(b.turns, always(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"))
	case 3:
		b.turns = append(b.turns, always(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."))
	case wrongKey:
		b.turns = append(b.turns, always(401, "authentication_error", "invalid x-api-key"))
	case 5:
		b.turns = append(b.turns, always(403, "permission_error", "not for you"))
	case 6:
		b.turns = append(b.turns, always(404, "not_found_error", "model: no-such-model"))
	case 7:
		b.turns = append(b.turns, always(400, "invalid_request_error", "messages: something is wrong"))
	case 8:
		b.turns = append(b.turns, always(413, "request_too_large", "Request exceeds the maximum size"))
	case 9:
		cut := 4
		b.turns = append(b.turns, fakeapi.Turn{Text: "It begins and", Cut: &fakeapi.Cut{How: fakeapi.Fail, After: &cut},
			Error: &fakeapi.Error{Type: "overloaded_error", Message: "Overloaded"}})
		b.done()
	}
	switch {
	case b.one(4):
		b.env = append(b.env, "CLAUDE_CODE_MAX_RETRIES=0")
	case kind == wrongKey: // by itself the CLI tries for minutes
		b.env = append(b.env, "CLAUDE_CODE_MAX_RETRIES=2")
	}
	b.ask()
}

// streamError is an error of the API in the middle of an answer.
func streamError(b *builder) {
	after := oneOf(b, 2, 4, 7)
	t := fakeapi.Turn{Content: []fakeapi.Block{fakeapi.Text("It begins and"), fakeapi.ToolUse("Read", `{"file_path":"note.txt"}`)},
		Cut: &fakeapi.Cut{How: fakeapi.Fail, After: &after}}
	kind := oneOf(b, "overloaded_error", "api_error", "invalid_request_error", "rate_limit_error")
	final := false // nobody asks again
	if b.one(3) {
		t.Cut.How = fakeapi.Drop
	} else {
		t.Error = &fakeapi.Error{Type: kind, Message: "something is wrong"}
		final = after == 4 && (kind == "invalid_request_error" || kind == "rate_limit_error")
	}
	b.turns = append(b.turns, t)
	if !final {
		b.done()
	}
	b.ask()
}

// failedPrompt is a prompt with a uuid whose turn ends with an error.
func failedPrompt(b *builder) {
	if b.one(3) {
		b.say(fakeapi.ToolUse("Read", `{"file_path":"note.txt"}`))
	}
	b.turns = append(b.turns, fakeapi.Turn{Error: &fakeapi.Error{Status: 400, Type: "invalid_request_error", Message: "messages: something is wrong"}, Retries: true})
	b.prompts++
	b.named(50+b.prompts, "do what fails")
}

func blankPrompt(b *builder) {
	b.prompt(oneOf(b, " ", "\n", "  \n "))
	greet(b)
}

// backgroundAgent starts a subagent that works while the turn ends, and of whose end the model is
// told in a turn of its own. Its first tool waits for what the turn does.
func backgroundAgent(b *builder) {
	if b.taken["limits"] || b.unasked {
		greet(b)
		return
	}
	b.prompts++
	prompt := fmt.Sprintf("long job %d", b.prompts)
	match := &fakeapi.Match{From: fakeapi.Subagent, Prompt: prompt}
	b.say(fakeapi.ToolUse("Agent", marshal(map[string]any{
		"description": "A long job", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": true})))
	b.turns = append(b.turns, fakeapi.Turn{Match: match, Content: []fakeapi.Block{oneOf(b,
		fakeapi.ToolUse("Read", `{"file_path":"note.txt"}`), fakeapi.ToolUse("Bash", `{"command":"ls","description":"List files"}`))}})
	b.turns = append(b.turns, fakeapi.Turn{Match: match, Text: "The job is done."})
	b.sayText("Started.")
	b.sayText("The agent has ended.")
	b.ask()
	b.step(`< {"type":"result"}`)
}

func ending(b *builder) {
	b.turns = append(b.turns, oneOf(b,
		fakeapi.Turn{Text: "No.", StopReason: "refusal"},
		fakeapi.Turn{Text: "It is cut", StopReason: "max_tokens"},
		fakeapi.Turn{Text: "Stopped", StopReason: "stop_sequence", StopSequence: "END"},
		fakeapi.Turn{Content: []fakeapi.Block{fakeapi.Text("First."), fakeapi.Text("Second.")}}))
	b.sayText("More.")
	b.ask()
}

func image(b *builder) {
	const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	b.step(`> {"type":"user","message":{"role":"user","content":[{"type":"text","text":"what is it"},`+
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":%q}}]},"parent_tool_use_id":null}`, dot)
	b.step(`< {"type":"result"}`)
	b.sayText("A dot.")
}

func notebook(b *builder) {
	b.files["n.ipynb"] = emptyNotebook
	if b.one(2) {
		b.say(fakeapi.ToolUse("Read", `{"file_path":"n.ipynb"}`))
	}
	b.say(fakeapi.ToolUse("NotebookEdit", oneOf(b, `{"notebook_path":"n.ipynb","cell_id":"c1","new_source":"print(2)"}`,
		`{"notebook_path":"n.ipynb","cell_id":"c1","new_source":"x = 1","edit_mode":"insert","cell_type":"code"}`,
		`{"notebook_path":"n.ipynb","cell_id":"zz","new_source":"x"}`)))
	b.done()
	b.ask()
}

func changeOfMode(b *builder) {
	b.request(fmt.Sprintf(`{"subtype":"set_permission_mode","mode":%q}`, oneOf(b, "acceptEdits", "plan", "default", "dontAsk", "bypassPermissions")))
	b.say(oneOf(b, fakeapi.ToolUse("Write", `{"file_path":"mode.txt","content":"x"}`), fakeapi.ToolUse("Bash", `{"command":"touch mode"}`)))
	b.done()
	b.ask()
}

func changeOfModel(b *builder) {
	if b.one(5) {
		b.request(`{"subtype":"set_model"}`)
	} else {
		b.request(fmt.Sprintf(`{"subtype":"set_model","model":%q}`, oneOf(b, modelNames...)))
	}
	if b.one(3) {
		b.request(`{"subtype":"list_models"}`)
	}
	greet(b)
}

func compaction(b *builder) {
	greet(b)
	b.turns = append(b.turns, fakeapi.Turn{Match: &fakeapi.Match{Text: "<summary>"}, Text: "<summary>It was little.</summary>"})
	b.prompt("/compact")
}

// twoPrompts sends a prompt while the first is answered.
func twoPrompts(b *builder) {
	b.sayText("One.")
	b.sayText("Two.")
	b.send("the first")
	b.step(`< {"type":"system","subtype":"init"}`)
	b.step(`< {"type":"result"}`)
	b.send("the second")
	b.step(`< {"type":"result"}`)
}
