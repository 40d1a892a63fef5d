package suite

import (
	"context"
	"encoding/json"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

// Conversation is what a CLI has asked its model in the main conversation: a part of a [Peer].
type Conversation struct {
	// Model is a fake API, or the model of a simulated CLI.
	Model interface {
		Requests() []fakeapi.Request
		Wait(ctx context.Context, cond func([]fakeapi.Request) bool) error
	}
}

// Asked is that of a [Peer].
func (c *Conversation) Asked(ctx context.Context, n int, cond func([]byte) bool) (summary []byte, err error) {
	err = c.Model.Wait(ctx, func(all []fakeapi.Request) bool {
		main := ofConversation(all)
		if len(main) < n {
			return false
		}
		summary, err = json.Marshal(main[n-1])
		return err == nil && cond(summary)
	})
	return summary, err
}

// AskedTotal is that of a [Peer].
func (c *Conversation) AskedTotal() int { return len(ofConversation(c.Model.Requests())) }

func ofConversation(all []fakeapi.Request) (main []fakeapi.Request) {
	for _, r := range all {
		if r.From == fakeapi.Main && r.Path == "/v1/messages" {
			main = append(main, r)
		}
	}
	return main
}
