package tooluse

import (
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/permit"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

// okResult is the result of a tool that has run.
func okResult(u *turn.Use, content, detail any) turn.Result {
	return turn.Result{Block: object.Of("tool_use_id", u.ID, "type", "tool_result", "content", content), Detail: detail}
}

// badResult is the result of a tool that has not run, or failed.
func badResult(u *turn.Use, content, detail any) turn.Result {
	return turn.Result{Block: object.Of("type", "tool_result", "content", content, "is_error", true, "tool_use_id", u.ID), Detail: detail}
}

// lastID is the result of a tool whose block has its id at the end.
func lastID(u *turn.Use, content, result any) turn.Result {
	return turn.Result{Block: object.Of("type", "tool_result", "content", content, "tool_use_id", u.ID), Detail: result}
}

// secondID is the result of a tool whose block has its id after the type.
func secondID(u *turn.Use, content, result any) turn.Result {
	return turn.Result{Block: object.Of("type", "tool_result", "tool_use_id", u.ID, "content", content), Detail: result}
}

// unwanted is what the model is told of a tool that an interrupt has kept from running.
const unwanted = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
	"the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed."

// rejected is the result of a tool that was interrupted while it ran. The CLI has a text of its own
// there.
func rejected(u *turn.Use) turn.Result {
	r := unasked(u)
	r.Block.Set("content", unwanted+"\n\nThe tool had begun when it was interrupted: a part of what it does may be done. What it did until then stays as it is.")
	return r
}

// unasked is the result of a tool that was interrupted before it ran.
func unasked(u *turn.Use) turn.Result {
	r := badResult(u, unwanted, "User rejected tool use")
	r.Meta = object.Of("non_execution_kind", "user-rejected")
	return r
}

// refused is the result of a tool that may not be used.
func refused(u *turn.Use, r *permit.Refusal) turn.Result {
	switch {
	case r.Interrupted:
		return unasked(u)
	case r.Wrong:
		result := badResult(u, "<tool_use_error>"+r.Text+"</tool_use_error>", "Error: "+r.Text)
		result.Meta = object.Of("permission_decision", r.Decision)
		return result
	}
	result := badResult(u, r.Text, "Error: "+r.Text)
	result.Meta = object.Of("non_execution_kind", object.If(r.Kind != "", r.Kind), "permission_decision", r.Decision)
	return result
}

// sameAgent gives the result of a script the id of the subagent that has run.
func sameAgent(r, acted turn.Result) turn.Result {
	said, _ := r.Detail.(object.Object)
	ran, _ := acted.Detail.(object.Object)
	old, id := said.Text("agentId"), ran.Text("agentId")
	if old == "" || id == "" {
		return r
	}
	text := strings.ReplaceAll(object.Text(object.Of("block", r.Block, "detail", said)), old, id)
	v, err := object.Parse([]byte(text))
	both, ok := v.(object.Object)
	if err != nil || !ok {
		return r
	}
	r.Block, r.Detail = both.Object("block"), both.Object("detail")
	return r
}

// scriptResult is the result that a script has for a tool.
func scriptResult(u *turn.Use, r *script.Result) turn.Result {
	var content any = r.Text
	if r.Content != nil {
		content, _ = object.Parse(r.Content) // checked with its script
	}
	var result any = content
	if r.Result != nil {
		result, _ = object.Parse(r.Result)
	}
	if r.IsError {
		return badResult(u, content, result)
	}
	made := okResult(u, content, result)
	if u.Name == "Bash" {
		made.Block.Set("is_error", false) // of this tool the CLI says it
	}
	return made
}
