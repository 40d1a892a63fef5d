package playback

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/recording/inventory"
)

// A line is what is read of a line of the protocol.
type line struct {
	text string
	kind string // what is counted, "" for lines that may come or not
	asks string // of a request: what it asks, such as can_use_tool Bash
	id   string // of the request, or of the one that is answered
	rpc  string // the id of the JSON-RPC request in it, as JSON
}

func read(text string) line {
	var v struct {
		Type      string `json:"type"`
		RequestID string `json:"request_id"`
		Request   struct {
			Subtype string `json:"subtype"`
			Tool    string `json:"tool_name"`
			Server  string `json:"server_name"`
			Input   struct {
				Event string `json:"hook_event_name"`
				Tool  string `json:"tool_name"`
			} `json:"input"`
			Callback string `json:"callback_id"`
			Message  struct {
				Method string          `json:"method"`
				ID     json.RawMessage `json:"id"`
			} `json:"message"`
		} `json:"request"`
		Response struct {
			RequestID string `json:"request_id"`
		} `json:"response"`
	}
	_ = json.Unmarshal([]byte(text), &v) // what is not as it should be is left out
	l := line{text: text}
	kind := inventory.Kind(text)
	switch v.Type {
	case "control_request":
		l.kind, l.id, l.rpc = kind, v.RequestID, string(v.Request.Message.ID)
		r := &v.Request
		l.asks = strings.Join([]string{r.Subtype, r.Tool, r.Server, r.Input.Event, r.Input.Tool, r.Callback, r.Message.Method}, " ")
	case "control_response":
		l.kind, l.id = "control_response", v.Response.RequestID
	case "assistant", "user":
		l.kind = v.Type
	case "result":
		l.kind = "result"
	case "system":
		if kind == "system/init" {
			l.kind = kind
		}
	}
	return l
}

// subtype returns the first word of what a request asks.
func (l *line) subtype() string {
	word, _, _ := strings.Cut(l.asks, " ")
	return word
}

// made are the members that have ids which a peer makes up.
var made = regexp.MustCompile(`"(session_id|uuid|tool_use_id|id|agent_id|task_id)"\s*:\s*"([^"\\]{6,})"`)

// ids returns the ids that a line has, by their members, the first of each.
func ids(text string) map[string]string {
	found := map[string]string{}
	for _, m := range made.FindAllStringSubmatch(text, -1) {
		if _, twice := found[m[1]]; !twice {
			found[m[1]] = m[2]
		}
	}
	return found
}

// withID returns an answer with another id of its request, and of the JSON-RPC request in it.
func withID(text, id, newID, rpc, newRPC string) string {
	if id != newID {
		was, _ := json.Marshal(id)
		is, _ := json.Marshal(newID)
		at := regexp.MustCompile(`("request_id"\s*:\s*)` + regexp.QuoteMeta(string(was)))
		text = at.ReplaceAllStringFunc(text, func(found string) string {
			return strings.TrimSuffix(found, string(was)) + string(is)
		})
	}
	if rpc == newRPC || rpc == "" || newRPC == "" {
		return text
	}
	edited, err := editRPC([]byte(text), newRPC)
	if err != nil {
		return text // it has no answer of a server
	}
	return edited
}

// editRPC sets the id of the JSON-RPC answer in an answer. The members come in another order.
func editRPC(text []byte, id string) (string, error) {
	path := []string{"response", "response", "mcp_response"}
	objects := make([]map[string]json.RawMessage, len(path)+1)
	for i := range objects {
		if err := json.Unmarshal(text, &objects[i]); err != nil {
			return "", err
		}
		if i < len(path) {
			text = objects[i][path[i]]
		}
	}
	objects[len(path)]["id"] = json.RawMessage(id)
	for i := len(path); i > 0; i-- {
		inner, err := json.Marshal(objects[i])
		if err != nil {
			return "", err
		}
		objects[i-1][path[i-1]] = inner
	}
	out, err := json.Marshal(objects[0])
	return string(out), err
}
