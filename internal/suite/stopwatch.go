package suite

import (
	"bytes"
	"encoding/json"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
)

// Reply is how long the CLI took to reply to a request.
type Reply struct {
	ID      string        `json:"id"`      // of the request: a string, or the JSON of anything else
	Request string        `json:"request"` // its subtype
	Took    time.Duration `json:"took"`
	// Last is how long it took in the run before, 0 if that is not known.
	Last time.Duration `json:"last,omitempty"`
}

// stopwatch takes the times between requests and their replies. The time of a reply is that of its
// arrival, whenever the player looks at it.
type stopwatch struct {
	mu    sync.Mutex // guards the fields below
	asked recording.Requests[int]
	all   []timed
}

type timed struct {
	Reply
	at       time.Time
	answered bool
}

// sent notes the requests in what the SDK is about to write.
func (w *stopwatch) sent(data []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for line := range bytes.Lines(data) {
		var head frameHead
		var request requestHead
		if json.Unmarshal(line, &head) != nil || head.Type != "control_request" || json.Unmarshal(head.Request, &request) != nil {
			continue
		}
		id := canonicalID(head.RequestID)
		w.asked.Ask(id, len(w.all))
		w.all = append(w.all, timed{Reply: Reply{ID: plainID(id), Request: request.Subtype}, at: time.Now()})
	}
}

// came notes a line that has arrived.
func (w *stopwatch) came(line []byte) {
	if !bytes.Contains(line, []byte(`control_response`)) {
		return
	}
	var head frameHead
	var body struct {
		RequestID json.RawMessage `json:"request_id"`
		Response  json.RawMessage `json:"response"`
	}
	if json.Unmarshal(line, &head) != nil || head.Type != "control_response" || json.Unmarshal(head.Response, &body) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	fits := func(i int) bool { return recording.Fits(w.all[i].Request, body.Response) }
	if i, ok := w.asked.Answer(canonicalID(body.RequestID), fits); ok && !w.all[i].answered {
		w.all[i].Took, w.all[i].answered = time.Since(w.all[i].at), true
	}
}

// replies returns the times of the requests that have a reply.
func (w *stopwatch) replies() (list []Reply) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.all {
		if w.all[i].answered {
			list = append(list, w.all[i].Reply)
		}
	}
	return list
}

// plainID is an id for people.
func plainID(id string) string {
	var text string
	if json.Unmarshal([]byte(id), &text) != nil {
		return id
	}
	return text
}
