package tooluse

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

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
	return okResult(u, content, result)
}
