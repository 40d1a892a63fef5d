package tooluse

import (
	"context"

	"github.com/ccwire/ccwire/internal/sim/turn"
)

// adapt lets the texts of an answer in a form of its own stand for what the form wants.
func (b *Box) adapt(u *turn.Use) {
	if form := b.Host.Form(); u.Name == "StructuredOutput" && form != nil {
		u.Input = form.Adapt(u.Input)
	}
}

// answerInForm takes an answer that must have a form of its own.
func (b *Box) answerInForm(_ context.Context, u *turn.Use) turn.Result {
	if wrong := b.Host.Form().Check(u.Input); wrong != "" {
		text := "Output does not match required schema: " + wrong
		return badResult(u, text, "Error: "+text)
	}
	const text = "Structured output provided successfully"
	return okResult(u, text, text)
}
