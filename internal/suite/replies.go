package suite

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/schema"
)

// replies counts requests and replies, by id as JSON text. A request without an id has the id "".
type replies struct {
	open map[string]int  // replies that the CLI owes
	seen map[string]bool // ids that either side has used for a request
	book exchange.Book   // requests from the SDK
}

// sent notes the requests in what the SDK has written.
func (r *replies) sent(data []byte) {
	for line := range bytes.Lines(data) {
		var head frameHead
		if json.Unmarshal(line, &head) != nil {
			continue
		}
		switch {
		case head.Type == "control_request":
			r.note(head.RequestID, 1)
		case head.Type == "update_environment_variables" && head.RequestID != nil: // is answered like a request
			r.note(head.RequestID, 1)
		}
		if l, ok := exchange.Read(line); ok && l.Kind == exchange.Request {
			r.book.Ask(schema.FromSDK, &l)
		}
	}
}

// more says that another reply to a request may come.
func (r *replies) more(id string) {
	text, _ := json.Marshal(id) // a string is always valid
	r.note(text, 1)
}

func (r *replies) note(id json.RawMessage, owed int) {
	if r.open == nil {
		r.open, r.seen = map[string]int{}, map[string]bool{}
	}
	key := canonicalID(id)
	r.open[key] += owed
	r.seen[key] = true
}

// canonicalID makes ids comparable however they are escaped.
func canonicalID(id json.RawMessage) string {
	var v any
	if len(id) == 0 || json.Unmarshal(id, &v) != nil {
		return ""
	}
	text, _ := json.Marshal(v) // it was JSON
	return string(text)
}

// answer returns what a line of the CLI answers and, of a successful reply, its body. The subject
// is nil if the line answers nothing that the SDK has asked.
func (r *replies) answer(line []byte) (*exchange.Subject, json.RawMessage) {
	l, ok := exchange.Read(line)
	if !ok || l.Kind == exchange.Request {
		return nil, nil
	}
	body := l.Body(line)
	subject := r.book.Answer(schema.FromCLI, &l, func(s *exchange.Subject) bool { return body == nil || s.Clean(body) })
	if l.Kind == exchange.Failure {
		return subject, nil
	}
	return subject, body
}

// received judges a line of the CLI. A reply must answer a request of the SDK that was not answered
// yet. The CLI may also show a reply of the SDK again.
func (r *replies) received(head *frameHead) error {
	switch head.Type {
	case "control_request":
		r.note(head.RequestID, 0)
		delete(r.open, canonicalID(head.RequestID))
	case "control_response":
		var body struct {
			RequestID json.RawMessage `json:"request_id"`
		}
		if json.Unmarshal(head.Response, &body) != nil {
			return nil // the schemas have judged it
		}
		key := canonicalID(body.RequestID)
		owed, ours := r.open[key]
		switch {
		case !r.seen[key] && key == "":
			return fmt.Errorf("the CLI replies without a request_id")
		case !r.seen[key]:
			return fmt.Errorf("the CLI replies to %s, which was not asked", key)
		case ours && owed == 0:
			return fmt.Errorf("the CLI replies to %s once more", key)
		case ours:
			r.open[key]--
		}
	}
	return nil
}

// done reports whether a line is the last reply to a request of the SDK, and returns its id.
func (r *replies) done(line []byte) (id string, ok bool) {
	var reply struct {
		Type     string `json:"type"`
		Response struct {
			ID string `json:"request_id"`
		} `json:"response"`
	}
	if json.Unmarshal(line, &reply) != nil || reply.Type != "control_response" {
		return "", false
	}
	text, _ := json.Marshal(reply.Response.ID) // a string is always valid
	owed, ours := r.open[canonicalID(text)]
	return reply.Response.ID, ours && owed == 0
}
