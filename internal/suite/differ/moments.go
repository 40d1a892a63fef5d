package differ

import "github.com/ccwire/ccwire/internal/fakeapi"

// moments are sessions in which the SDK's user acts at one moment of a turn: interrupts it, says
// more, changes a setting. The script waits for that moment, so nothing else may keep it from
// coming.
var moments = []feature{
	{"interrupt of a text", 4, interruptText},
	{"interrupt of a thought", 2, interruptThought},
	{"interrupt of a hook of the prompt", 1, interruptSubmit},
	{"interrupt of a hook after a tool", 1, interruptPost},
	{"interrupt of a question", 3, interruptQuestion},
	{"interrupt of a command", 3, interruptCommand},
	{"interrupt of a hook", 2, interruptHook},
	{"interrupt of an MCP tool", 2, interruptServer},
	{"prompt during a question", 3, promptDuringQuestion},
	{"prompts during a text", 2, promptsDuringText},
	{"request during a question", 6, requestDuringQuestion},
	{"requests during a text", 3, requestsDuringText},
	{"prompts of several priorities", 5, priorities},
	{"prompt that is taken back", 2, takenBack},
	{"interrupted retry", 1, interruptRetry},
	{"background shell", 2, backgroundShell},
	{"mode that is refused", 1, refusedMode},
}

// stop interrupts the turn, and the session may go on.
func (b *builder) stop() {
	b.step(`request stop {"subtype":"interrupt"}`)
	b.reply("stop")
	b.step(`< {"type":"result"}`)
	b.after()
}

// after may go on with another prompt, when every tool is allowed.
func (b *builder) after() {
	if b.one(3) {
		return
	}
	b.step("auto allow")
	if b.one(2) {
		greet(b)
	} else {
		toolsInTurn(b)
	}
}

func interruptText(b *builder) {
	if b.one(2) {
		b.partial()
		b.turns = append(b.turns, fakeapi.Turn{Text: "I begin and", Cut: &fakeapi.Cut{How: fakeapi.Stall}})
		b.send("talk")
		b.step(`< {"type":"stream_event","event":{"type":"content_block_delta"}}`)
	} else {
		b.turns = append(b.turns, fakeapi.Turn{Content: []fakeapi.Block{fakeapi.Text("First."), fakeapi.Text("And then")}, Cut: &fakeapi.Cut{How: fakeapi.Stall}})
		b.send("talk")
		b.step(`< {"type":"assistant"}`)
	}
	b.stop()
}

func interruptThought(b *builder) {
	b.partial()
	blocks := []fakeapi.Block{fakeapi.Thinking("Let me think about it.", "c2lnbmF0dXJl")}
	wait := `< {"type":"stream_event","event":{"type":"content_block_delta"}}`
	if b.one(2) {
		blocks = append(blocks, fakeapi.Text("I say that"))
		wait = `< {"type":"stream_event","event":{"delta":{"type":"text_delta"}}}`
	}
	b.turns = append(b.turns, fakeapi.Turn{Content: blocks, Cut: &fakeapi.Cut{How: fakeapi.Stall}})
	b.send("think")
	b.step("%s", wait)
	b.stop()
}

// heldBy has a callback for an event, for some tools if matcher names them, which the script waits
// for and interrupts.
func (b *builder) heldBy(event, matcher string) {
	hook := map[string]any{"hookCallbackIds": []string{"held"}}
	if matcher != "" {
		hook["matcher"] = matcher
	}
	b.init["hooks"] = map[string]any{event: []any{hook}}
	b.taken["hook held"] = true
	b.send("do it")
	b.step(`<request hook {"subtype":"hook_callback","callback_id":"held"}`)
	b.step(`request stop {"subtype":"interrupt"}`)
	b.reply("stop")
	b.step(`< {"type":"result"}`)
}

func interruptSubmit(b *builder) {
	b.sayText("Hello.")
	b.heldBy("UserPromptSubmit", "")
}

func interruptPost(b *builder) {
	b.say(fakeapi.ToolUse("Read", `{"file_path":"note.txt"}`))
	b.done()
	b.heldBy("PostToolUse", "")
}

// held is a use of a tool that is asked for.
func (b *builder) held() string {
	call := oneOf(b, [2]string{"Write", `{"file_path":"held.txt","content":"x"}`}, [2]string{"Bash", `{"command":"touch held","description":"Hold"}`})
	blocks := []fakeapi.Block{fakeapi.ToolUse(call[0], call[1])}
	if b.one(3) {
		blocks = append(blocks, fakeapi.ToolUse("Read", `{"file_path":"note.txt"}`))
	}
	b.say(blocks...)
	b.send("do it")
	b.step(`<request ask {"subtype":"can_use_tool","tool_name":%q}`, call[0])
	if b.taken["partial"] { // what is left of the message has come
		b.request(`{"subtype":"mcp_status"}`)
	}
	return call[0]
}

func interruptQuestion(b *builder) {
	b.held()
	b.stop()
	if b.one(2) {
		b.step("auto allow")
	}
}

func interruptCommand(b *builder) {
	b.arg("--allowedTools", "Bash")
	b.say(fakeapi.ToolUse("Bash", `{"command":"./wait.sh","description":"Wait"}`))
	b.files["wait.sh"] = "#!/bin/sh\nexec sleep 60\n"
	b.send("wait for it")
	b.step(`< {"type":"system","subtype":"task_started"}`)
	b.stop()
}

func interruptHook(b *builder) {
	b.say(fakeapi.ToolUse("Bash", `{"command":"touch held","description":"Hold"}`))
	b.heldBy("PreToolUse", "Bash")
}

func interruptServer(b *builder) {
	b.init["sdkMcpServers"] = []string{"srv"}
	b.rule(`mcp srv {"manual":["tools/call"]}`)
	b.arg("--allowedTools", "mcp__srv__echo")
	b.say(fakeapi.ToolUse("mcp__srv__echo", `{"text":"ping"}`))
	b.send("call it")
	b.step(`<request call {"subtype":"mcp_message","server_name":"srv","message":{"method":"tools/call"}}`)
	b.step(`auto {"subtype":"mcp_message"} => {"mcp_response":{"jsonrpc":"2.0","result":{},"id":0}}`)
	b.step(`request stop {"subtype":"interrupt"}`)
	b.reply("stop")
	b.step(`< {"type":"result"}`)
}

func promptDuringQuestion(b *builder) {
	b.held()
	b.send("and hurry")
	b.step(`request fence {"subtype":"mcp_status"}`)
	b.reply("fence")
	b.step("auto allow")
	b.step(`answer ask %s`, oneOf(b, `{"behavior":"deny","message":"no"}`, `{"behavior":"deny","message":"no","interrupt":true}`))
	b.done()
	b.step(`< {"type":"result"}`)
}

func promptsDuringText(b *builder) {
	b.partial()
	b.turns = append(b.turns, fakeapi.Turn{Text: "I begin and", Cut: &fakeapi.Cut{How: fakeapi.Stall}})
	b.send("talk")
	b.step(`< {"type":"stream_event","event":{"type":"content_block_delta"}}`)
	b.send("the second")
	if b.one(2) {
		b.send("the third")
	}
	b.sayText("The next.")
	b.sayText("The last.")
	b.step(`request stop {"subtype":"interrupt"}`)
	b.reply("stop")
	b.step(`< {"type":"result"}`)
	b.step(`< {"type":"result"}`)
}

func requestDuringQuestion(b *builder) {
	tool := b.held()
	for range 1 + b.rand.IntN(2) {
		b.request(oneOf(b, duringTurns...))
	}
	b.step("auto allow")
	if tool == "Write" {
		b.step(`answer ask {"behavior":"allow","updatedInput":{"file_path":"${cwd}/held.txt","content":"x"}}`)
	} else {
		b.step(`answer ask {"behavior":"allow","updatedInput":{"command":"touch held","description":"Hold"}}`)
	}
	b.done()
	b.step(`< {"type":"result"}`)
}

func interruptRetry(b *builder) {
	seconds := 30
	b.turns = append(b.turns, fakeapi.Turn{Error: &fakeapi.Error{Status: 429, Message: "slow down", RetryAfter: &seconds}})
	b.send("greet me")
	b.step(`< {"type":"system","subtype":"api_retry"}`)
	b.stop()
}

// backgroundShell starts a shell that ends after the turn, and the model is told.
func backgroundShell(b *builder) {
	b.say(fakeapi.ToolUse("Bash", `{"command":"./work.sh","description":"Work","run_in_background":true}`))
	b.files["work.sh"] = "#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.05; done\necho worked\n"
	b.sayText("Started.")
	b.sayText("It is done.")
	b.arg("--allowedTools", "Bash")
	b.send("run it behind")
	b.step(`< {"type":"result"}`)
	b.step(`touch go`)
	b.step(`< {"type":"result"}`)
}

// refusedMode starts the CLI in a mode that it refuses to the system's administrator.
func refusedMode(b *builder) {
	b.taken["mode"], b.refused = true, true
	b.arg("--permission-mode", "bypassPermissions")
}
