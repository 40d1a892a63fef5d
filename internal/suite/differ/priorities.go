package differ

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// queued sends a prompt with a priority, and maybe with a uuid. It reports whether the prompt
// cannot wait.
func (b *builder) queued(n int) (urgent bool) {
	urgent = b.one(6)
	more := oneOf(b, "", `,"priority":"next"`, `,"priority":"next"`, `,"priority":"later"`, `,"priority":"later"`, `,"priority":"soon"`)
	if urgent {
		more = `,"priority":"now"`
	}
	if b.one(2) {
		more += fmt.Sprintf(`,"uuid":%q`, messageID(n))
	}
	text := oneOf(b, fmt.Sprintf("prompt number %d", n), fmt.Sprintf("prompt number %d", n), fmt.Sprintf("and %d more", n), "/cost")
	b.step(`> {"type":"user"%s,"message":{"role":"user","content":%s},"parent_tool_use_id":null}`, more, marshal(text))
	return urgent
}

// priorities sends prompts of several priorities while something is done.
func priorities(b *builder) {
	held, text := "", false
	switch b.rand.IntN(3) {
	case 0:
		held = b.held()
	case 1:
		b.arg("--allowedTools", "Bash")
		b.files["work.sh"] = "#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.05; done\necho worked\n"
		b.say(fakeapi.ToolUse("Bash", `{"command":"./work.sh","description":"Work"}`))
		b.send("work")
		b.step(`< {"type":"system","subtype":"task_started"}`)
	default:
		text = true
		b.partial()
		b.turns = append(b.turns, fakeapi.Turn{Text: "I begin and", Cut: &fakeapi.Cut{How: fakeapi.Stall}})
		b.send("talk")
		b.step(`< {"type":"stream_event","event":{"type":"content_block_delta"}}`)
	}
	b.step("auto allow") // what is asked from now on
	urgent := false
	for n := 1 + b.rand.IntN(3); n > 0 && !urgent; n-- {
		urgent = b.queued(n)
	}
	working := held == "" && !text
	if !urgent || working {
		b.request(`{"subtype":"mcp_status"}`) // they have come
	}
	switch {
	case urgent && !working: // it ends the turn
	case held != "":
		b.step(`answer ask {"behavior":"deny","message":"no"}`)
	case text:
		b.request(`{"subtype":"interrupt"` + oneOf(b, "", "", `,"cancel_queued":true`) + `}`)
	default:
		b.step("touch go")
	}
	for _, s := range []string{"One.", "Two.", "Three.", "Four."} {
		b.sayText(s)
	}
	b.step(`< {"type":"result"}`)
}

// takenBack takes back a prompt that waits.
func takenBack(b *builder) {
	b.held()
	for n := range 1 + b.rand.IntN(2) {
		b.step(`> {"type":"user","uuid":%q,"message":{"role":"user","content":"never mind"},"parent_tool_use_id":null}`, messageID(n+1))
		b.step(`< {"type":"command_lifecycle","command_uuid":%q,"state":"queued"}`, messageID(n+1))
	}
	b.request(fmt.Sprintf(`{"subtype":"cancel_async_message","message_uuid":%q}`, messageID(1)))
	b.step("auto allow")
	b.step(`answer ask {"behavior":"deny","message":"no"}`)
	b.sayText("One.")
	b.sayText("Two.")
	b.step(`< {"type":"result"}`)
}
