package differ

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// messageID is the uuid that the SDK gives the nth message.
func messageID(n int) string { return fmt.Sprintf("111111%02d-2222-4333-8444-000000000000", n) }

// named is a prompt with a uuid; it waits until the CLI is done with it, one way or the other.
func (b *builder) named(n int, text string) {
	b.step(`> {"type":"user","uuid":%q,"message":{"role":"user","content":%s},"parent_tool_use_id":null}`, messageID(n), marshal(text))
	b.step(`< {"type":"result"}`)
	b.step(`< {"type":"command_lifecycle","state":"$re:completed|cancelled"}`)
}

// checkpoints turns on that files can be put back, as the SDKs do.
func (b *builder) checkpoints() {
	if b.one(4) {
		b.init["enable_file_checkpointing"] = true
	} else {
		b.env = append(b.env, "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1")
	}
}

// rewind goes back: files, or the conversation, are what they were before a message.
func rewind(b *builder) {
	if !b.once("rewind") {
		return
	}
	if !b.one(6) {
		b.checkpoints()
	}
	count := 1 + b.rand.IntN(3)
	for i := range count {
		for _, c := range oneOf(b, changes...) {
			b.say(fakeapi.ToolUse(c[0], c[1]))
		}
		b.done()
		b.named(i+1, fmt.Sprintf("change number %d", i+1))
	}
	for range 1 + b.rand.IntN(2) {
		target := messageID(count)
		if b.one(3) {
			target = messageID(1 + b.rand.IntN(count))
		}
		if b.one(10) {
			target = messageID(99)
		}
		if b.one(2) {
			b.request(fmt.Sprintf(`{"subtype":"rewind_files","user_message_id":%q%s}`, target, oneOf(b, "", "", `,"dry_run":true`)))
			continue
		}
		more := oneOf(b, "", "", "", fmt.Sprintf(`,"last_seen_user_message_uuid":%q`, messageID(count)), `,"interrupt_if_running":true`,
			`,"allow_assistant_target":true`, `,"next_turn_model":"haiku"`, `,"expires_at":"2020-01-01T00:00:00Z"`)
		b.request(fmt.Sprintf(`{"subtype":"rewind_conversation","target_message_uuid":%q%s}`, target, more))
	}
	if b.one(2) {
		b.request(`{"subtype":"get_session_cost"}`)
	}
	for n := count; n > 0; n-- { // what it is told of shows what is left
		told := fmt.Sprintf("change number %d", n)
		b.turns = append(b.turns, fakeapi.Turn{Match: &fakeapi.Match{From: fakeapi.Main, Text: "what is left", Told: told}, Text: "I know of " + told + "."})
	}
	b.say(fakeapi.ToolUse("Bash", `{"command":"cat note.txt made.txt","description":"Show the files"}`))
	b.sayText("I know of nothing.")
	b.prompt("what is left?")
}

// changes are uses of tools that change files.
var changes = [][][2]string{
	{{"Write", `{"file_path":"made.txt","content":"one\ntwo\n"}`}},
	{{"Read", `{"file_path":"note.txt"}`}, {"Edit", `{"file_path":"note.txt","old_string":"beta","new_string":"BETA"}`}},
	{{"Read", `{"file_path":"note.txt"}`}, {"Write", `{"file_path":"note.txt","content":"new\n"}`}},
	{{"Write", `{"file_path":"made.txt","content":"three\n"}`}, {"Edit", `{"file_path":"made.txt","old_string":"three","new_string":"four"}`}},
	{{"Bash", `{"command":"echo shell >> note.txt","description":"Append"}`}},
	{{"Bash", `{"command":"rm -f note.txt","description":"Remove"}`}},
	{},
}
