package tooluse

import (
	"context"
	"fmt"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/turn"
)

func (b *Box) searchWeb(ctx context.Context, u *turn.Use) turn.Result {
	query := u.Input.Text("query")
	model := b.Stage.ModelOf(b.Stage.Main)
	answer := b.Model.Ask(&fakeapi.Ask{Model: model, Messages: []fakeapi.AskMessage{
		{Role: "user", Content: []fakeapi.AskBlock{{Type: "text", Text: "Perform a web search for the query: " + query}}}}})
	m, err := answer.Whole(ctx)
	if err != nil {
		return badResult(u, err.Error(), "Error: "+err.Error())
	}
	used := ledger.Read(answer.Usage())
	b.Spent.Spend(model, used)
	text := conversation.Text(m.List("content"))
	return okResult(u, fmt.Sprintf("Web search results for query: %q\n\n%s\n\n\nREMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks.", query, text),
		object.Of("query", query, "results", []any{text}, "durationSeconds", 0.01, "searchCount", 0))
}

func (b *Box) fetchPage(_ context.Context, u *turn.Use) turn.Result {
	text := "The simulated CLI has no network: " + u.Input.Text("url") + " was not fetched. A script can have a result for WebFetch."
	return badResult(u, text, "Error: "+text)
}
