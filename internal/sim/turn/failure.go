package turn

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/result"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// failure is what the CLI says of an error of the API.
type failure struct {
	text, name, kind, code, requestID string
	status                            int
	reason                            string // of the end of the turn
	details                           string // that only the transcript has
	params                            object.Object
}

func (s *Stage) describe(model string, err error) failure {
	f := failure{name: "server_error", code: "connection_failed", reason: "api_error"}
	var api *script.APIError
	switch {
	case errors.Is(err, errRefused):
		f.text = "API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)"
		return f
	case !errors.As(err, &api):
		f.text = "API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again."
		return f
	}
	f.status, f.kind, f.name, f.requestID, f.code = api.Status, api.Type, ErrorName(api.Status), api.RequestID, ""
	old := s.Out.Release()
	if old.Before("2.1.90") || old.Before("2.1.200") && api.Status != 404 && api.Status != 413 {
		f.text = s.plainly(api)
		return f
	}
	if c := complaintOf(api); c != nil {
		f.name, f.code, f.text = c.name, c.code, c.text
		if tooLong(api) {
			f.text += s.aloneTooLong(api)
		}
		if c.reason != "" {
			f.reason = c.reason
		}
		return f
	}
	switch {
	case api.Status == 0:
		f.text, f.name = "API Error: "+api.Message, "unknown"
		if api.Type == rateLimit {
			f.status = 429
		}
	case api.Status == 401 && strings.Contains(api.Message, "x-api-key"):
		f.text = "Invalid API key · Fix external API key"
	case api.Status == 401 || api.Status == 403:
		f.text = fmt.Sprintf("Failed to authenticate. API Error: %d %s", api.Status, api.Message)
	case api.Status == 404:
		f.text = fmt.Sprintf("There's an issue with the selected model (%s). It may not exist or you may not have access to it.", model)
	case api.Status == 413:
		f.reason = "image_error"
		f.details = api.Type + ": " + rawError(api)
		f.text = "Request too large (max 32MB). Accumulated images and attachments in the conversation pushed the request over the limit. " +
			"Remove older images or compact the conversation."
	case s.exceeded(api) != nil:
		limit := s.exceeded(api)
		f.text = s.limitReached(limit)
		if !old.Before("2.1.325") {
			f.code, f.params = "usage_limit_reached", object.Of("rate_limit_info", limit)
		}
	case api.Status == 429:
		f.text = "API Error: Request rejected (429) · " + api.Message
	case api.Status >= 500:
		text := fmt.Sprintf("%d %s. This is a server-side issue, usually temporary — try again in a moment.", api.Status, api.Message)
		if errors.Is(err, errOverloaded) {
			text = "Repeated 529 Overloaded errors. The API has too much to do. Try again in a moment."
		}
		f.text = fmt.Sprintf("API Error: %s If it persists, check your inference gateway (%s).", text, s.gateway())
	default:
		f.text = fmt.Sprintf("API Error: %d %s", api.Status, api.Message)
	}
	return f
}

// plainly tells of an error of the API as versions before 2.1.200 do: with what the API has said.
func (s *Stage) plainly(api *script.APIError) string {
	said := object.Text(object.Of("type", "error", "error", object.Of("type", api.Type, "message", api.Message), "request_id", api.RequestID))
	text := fmt.Sprintf("API Error: %d %s", api.Status, said)
	switch login := api.Status == 401 || api.Status == 403; {
	case login && s.Out.Release().Before("2.1.90"):
		text += " · Please run /login"
	case login:
		text = "Failed to authenticate. " + text
	}
	return text
}

// rawError is an error of the API as the CLI has received it.
func rawError(api *script.APIError) string {
	return fmt.Sprintf("%d %s", api.Status, object.Text(object.Of("type", "error", "error", object.Of("type", api.Type, "message", api.Message), "request_id", api.RequestID)))
}

// gateway is where the API is.
func (s *Stage) gateway() string {
	u, err := url.Parse(s.Place.Get("ANTHROPIC_BASE_URL"))
	if err != nil {
		return ""
	}
	return u.Host
}

// apiFailed is the outcome of a turn in which the API gives an error.
func (t *Turn) apiFailed(a *Agent, err error) Outcome {
	model := t.stage.ModelOf(a)
	if t.asking != "" {
		model = t.asking
	}
	f := t.stage.describe(model, err)
	if t.uncompacted != "" {
		f.text += " · automatic compaction failed: " + t.uncompacted
	}
	var api *script.APIError
	if errors.As(err, &api) && filtered(api) {
		t.counts.count(&t.counts.refusals)
	}
	more := []any{
		"error", f.name, "request_id", object.If(f.requestID != "", f.requestID), "is_api_error_message", true,
		"api_error_status", object.If(f.status != 0, f.status), "api_error", object.If(f.code != "", f.code),
		"api_error_params", object.If(f.params != nil, f.params), "api_error_type", object.If(f.kind != "", f.kind),
	}
	if !t.worked && len(t.uuids) > 0 && !t.stage.Out.Release().Before("2.1.325") {
		more = append(more, "user_message_uuid", t.uuids[len(t.uuids)-1], "user_message_uuids", t.uuids)
	}
	if a.ID != "" {
		return Outcome{Text: f.text, Failure: err}
	}
	var own object.Object
	if f.details != "" {
		own = object.Of("errorDetails", f.details)
	}
	t.synthetic(a, f.text, "stop_sequence", own, more...)
	if t.stage.Out.Release().Before("2.1.250") {
		f.reason = "completed"
	}
	t.stage.Hooks.Call(t.ctx, "StopFailure", t.When(nil, f.name), "error", f.name, "last_assistant_message", f.text)
	return Outcome{Reason: f.reason, Subtype: "success", IsError: true, Text: f.text, StopReason: "stop_sequence",
		API: &result.APIError{Status: f.status, Type: f.kind, Code: f.code}}
}

// ErrorName is what an assistant's line calls an error of the API.
func ErrorName(status int) string {
	switch {
	case status == 401, status == 403:
		return "authentication_failed"
	case status == 404:
		return "model_not_found"
	case status == 413:
		return "invalid_request"
	case status == 429:
		return "rate_limit"
	case status >= 500:
		return "server_error"
	}
	return "unknown"
}

// errRefused says that the API does not answer at its address.
var errRefused = errors.New("connection refused")

// errOverloaded says that the API had too much to do each time that it was asked.
var errOverloaded = errors.New("overloaded again and again")
