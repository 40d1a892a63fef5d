package differ

import "fmt"

// hookOutputs are what callbacks return, by the event.
var hookOutputs = map[string][]string{
	"PreToolUse": {
		`{}`, `{"continue":true}`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not allowed by policy"}}`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"fine"}}`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"better ask"}}`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"echo from the hook"}}}`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"mind the gap"}}`,
		`{"decision":"block","reason":"blocked by the hook"}`,
		`{"systemMessage":"a word to the user"}`,
		`{"continue":false,"stopReason":"enough of it"}`,
	},
	"PostToolUse": {
		`{}`,
		`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"that went well"}}`,
		`{"decision":"block","reason":"look at it again"}`,
		`{"systemMessage":"it was used"}`,
		`{"continue":false,"stopReason":"enough of it"}`,
		`{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"replaced by the hook"}}`,
		`{"suppressOutput":true}`,
	},
	"PostToolUseFailure": {`{}`, `{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"try again"}}`},
	"UserPromptSubmit": {
		`{}`,
		`{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"It is noon."}}`,
		`{"decision":"block","reason":"no such prompts"}`,
		`{"continue":false,"stopReason":"closed"}`,
		`{"systemMessage":"seen"}`,
		`{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","sessionTitle":"A title"}}`,
	},
	"Stop":         {`{}`, `{"systemMessage":"it stops"}`, `{"continue":false,"stopReason":"closed"}`},
	"SessionStart": {`{}`, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"It is Monday."}}`},
	"SessionEnd":   {`{}`},
	"SubagentStop": {`{}`},
	"SubagentStart": {
		`{}`, `{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"be quick"}}`,
	},
	"PreCompact":   {`{}`},
	"Notification": {`{}`},
	"PermissionRequest": {
		`{}`,
		`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`,
		`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"the hook says no"}}}`,
	},
}

// hookEvents are the events of callbacks, the usual ones more than once.
var hookEvents = []string{
	"PreToolUse", "PreToolUse", "PreToolUse", "PostToolUse", "PostToolUse", "PostToolUse", "UserPromptSubmit", "UserPromptSubmit", "Stop", "Stop",
	"SubagentStop", "SubagentStart", "PostToolUseFailure", "PermissionRequest", "Notification", "SessionStart", "PreCompact", "SessionEnd",
}

func hooksOption(b *builder) {
	for range 1 + b.rand.IntN(2) {
		event := oneOf(b, hookEvents...)
		matcher := ""
		switch event {
		case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest":
			matcher = oneOf(b, "", "", "Bash", "Write|Edit", "*", "mcp__.*", "Read")
		}
		b.hook(event, matcher, oneOf(b, hookOutputs[event]...))
	}
	if b.one(6) {
		b.stopOnce()
	}
}

// stopOnce is a hook that sends the model on once.
func (b *builder) stopOnce() {
	id := fmt.Sprintf("hook_%d", len(b.hooks))
	b.hooks["Stop"] = append(b.hooks["Stop"], map[string]any{"hookCallbackIds": []string{id}})
	b.rule(`{"subtype":"hook_callback","callback_id":%q,"input":{"stop_hook_active":false}} => {"decision":"block","reason":"say more"}`, id)
}

// commandHooks are hooks of settings that run a command.
func commandHooks(b *builder) {
	event := oneOf(b, "PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SessionStart")
	output := oneOf(b, hookOutputs[event]...)
	script := oneOf(b,
		"#!/bin/sh\ncat >/dev/null\ncat <<'EOF'\n"+output+"\nEOF\n",
		"#!/bin/sh\ncat >/dev/null\necho plain words\n",
		"#!/bin/sh\ncat >/dev/null\necho not that >&2\nexit 2\n",
		"#!/bin/sh\ncat >/dev/null\necho broken >&2\nexit 1\n",
		"#!/bin/sh\ncat >/dev/null\n")
	if event == "Stop" { // one that blocks would go on for ever
		script = "#!/bin/sh\ncat >/dev/null\necho plain words\n"
	}
	b.files["hook.sh"] = script
	entry := map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "./hook.sh"}}}
	if event == "PreToolUse" || event == "PostToolUse" {
		entry["matcher"] = oneOf(b, "Bash", "*", "Write|Edit")
	}
	b.settings(".claude/settings.json", map[string]any{"hooks": map[string]any{event: []any{entry}}})
	toolsInTurn(b)
}
