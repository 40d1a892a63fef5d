package turn

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/script"
)

// complaint is an error of the API that the CLI knows by its text.
type complaint struct {
	part   string // of the text
	tries  int    // how often the CLI asks
	name   string // what the assistant's line calls it
	code   string // api_error; "" for none
	reason string // of the end of the turn; "" for that of all errors
	text   string // what the user is told
}

// complaints are the errors with the status 400 that the CLI knows by their texts.
var complaints = []complaint{
	{part: "prompt is too long", tries: 1, name: "invalid_request", reason: "prompt_too_long", text: "Prompt is too long"},
	{part: "exceed context limit", tries: 2, name: "invalid_request", reason: "prompt_too_long", text: "Prompt is too long"},
	{part: "credit balance is too low", tries: 1, name: "billing_error", text: "Credit balance is too low"},
	{part: "organization has been disabled", tries: 1, name: "invalid_request", code: "org_disabled_credential",
		text: "Your ANTHROPIC_API_KEY belongs to a disabled organization"},
	{part: "many-image requests", tries: 1, name: "invalid_request", reason: "image_error",
		text: "An image in the conversation exceeds the dimension limit for many-image requests. Start a new session with fewer images."},
	{part: "image exceeds", tries: 1, name: "invalid_request", reason: "image_error", text: "Image was too large."},
	{part: "PDF pages", tries: 1, name: "invalid_request", code: "pdf_too_large", reason: "image_error", text: "PDF too large."},
	{part: "PDF specified was not valid", tries: 1, name: "invalid_request", reason: "image_error", text: "The PDF file was not valid."},
	{part: "password protected", tries: 2, name: "invalid_request", code: "pdf_password_protected", reason: "image_error",
		text: "PDF is password protected. Try using a CLI tool to extract or convert the PDF."},
	{part: "without `tool_result` blocks", tries: 6, name: "invalid_request", code: "tool_history_mismatch", text: "API Error: 400 due to tool use concurrency issues."},
	{part: "unexpected `tool_use_id` found", tries: 6, name: "invalid_request", code: "tool_history_mismatch",
		text: "API Error: 400 orphaned tool_result in conversation history."},
}

// complaintOf returns what the CLI knows of an error, nil if its text tells it nothing.
func complaintOf(e *script.APIError) *complaint {
	if e.Status != 400 {
		return nil
	}
	for i := range complaints {
		if strings.Contains(e.Message, complaints[i].part) {
			return &complaints[i]
		}
	}
	return nil
}

// tooLong reports whether the API finds a conversation too long.
func tooLong(e *script.APIError) bool {
	c := complaintOf(e)
	return c != nil && c.reason == "prompt_too_long"
}

// promptTokens finds in an error how many tokens a request has, and how many it may have.
var promptTokens = regexp.MustCompile(`prompt is too long: (\d+) tokens > (\d+) maximum`)

// aloneTooLong adds to the text of an error why a conversation of one round is not compacted.
func (s *Stage) aloneTooLong(e *script.APIError) string {
	m := promptTokens.FindStringSubmatch(e.Message)
	if m == nil || s.Main.Talk.Rounds() > 1 {
		return ""
	}
	const session = 2487 // what the CLI tells the model of the session
	return fmt.Sprintf(" · the request has ~%s tokens (limit %s), the conversation only ~%d: the rest is what every request has. "+
		"A conversation of one exchange cannot be compacted.", m[1], m[2], session+said(s.Main.Talk.Last()))
}

// filtered reports whether the API did not give its answer away.
func filtered(e *script.APIError) bool {
	return e.Status == 400 && strings.Contains(e.Message, "content filtering policy")
}

// maxSilentTries is how often the CLI asks when the API does not say what it does not understand.
const maxSilentTries = 6

// silentTries is how often the CLI asks when the API does not understand it, with less each time; 0
// if it says that it asks again.
func silentTries(e *script.APIError) int {
	switch e.Status {
	case 400, 422:
		if c := complaintOf(e); c != nil {
			return c.tries
		}
		if filtered(e) || strings.Contains(e.Message, "thinking") {
			return 1
		}
		return maxSilentTries
	case 404:
		return 2
	case 408, 409, 429, 401:
		return 0
	}
	if e.Status >= 400 && e.Status < 500 {
		return 1
	}
	return 0
}
