package servers

import (
	"context"
	"errors"
	"fmt"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/calls"
)

// elicit asks the user what a server wants to know.
func (s *Servers) elicit(ctx context.Context, server string, params object.Object) (object.Object, error) {
	ctx = s.Turns.Context(ctx)
	request := object.Of("subtype", "elicitation", "mcp_server_name", server, "message", params.Get("message"))
	if params.Text("mode") == "url" {
		request = request.With("mode", "url", "url", params.Get("url"), "elicitation_id", params.Get("elicitationId"))
	} else {
		schema := params.Object("requestedSchema")
		names := []any{}
		for _, m := range schema.Object("properties") {
			names = append(names, m.Name)
		}
		request = request.With("mode", "form", "requested_schema", schema, "property_order", names)
	}
	about := request.Without("subtype", "property_order")
	if answer := s.elicitHook(ctx, "Elicitation", server, about); answer != nil {
		return answer, nil
	}
	s.Turns.Asks()
	answer, err := s.Calls.Ask(ctx, request)
	s.Turns.Answered()
	if no := (*calls.Refusal)(nil); errors.As(err, &no) {
		answer = object.Of("action", "cancel")
	} else if err != nil {
		return object.Of("action", "cancel"), nil
	}
	result := object.Of("mcp_server_name", server, "mode", about.Get("mode"), "action", answer.Get("action"), "content", object.If(answer.Has("content"), answer.Get("content")))
	if changed := s.elicitHook(ctx, "ElicitationResult", server, result); changed != nil {
		answer = changed
	}
	s.Hooks.Announce("Notification", s.Turns.LastOccasion("elicitation_response"),
		"message", fmt.Sprintf("Elicitation response for server %q: %v", server, answer.Get("action")), "notification_type", "elicitation_response")
	return answer, nil
}

// elicitHook calls the hooks of an elicitation. It returns what they answer in the user's place,
// nil if they do not.
func (s *Servers) elicitHook(ctx context.Context, event, server string, input object.Object) object.Object {
	v := s.Hooks.Call(ctx, event, s.Turns.Occasion(server), input.Pairs()...)
	if !v.Specific.Has("action") {
		return nil
	}
	return object.Of("action", v.Specific.Get("action"), "content", object.If(v.Specific.Has("content"), v.Specific.Get("content")))
}

// elicited tells that a page that the user was sent to is done.
func (s *Servers) elicited(server, id string) {
	s.Out.Tell("type", "system", "subtype", "elicitation_complete", "mcp_server_name", server, "elicitation_id", id)
}
