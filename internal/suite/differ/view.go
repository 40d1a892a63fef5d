package differ

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/inventory"
	"github.com/ccwire/ccwire/internal/suite"
)

// A line is one line of a CLI, without what differs from session to session.
type line struct {
	kind  string // "result/success"
	about string // the use of a tool whose result it is; "" for other lines
	value any
	text  string // of the value
}

// A view is what the user of an SDK sees of a session, by the way on which it comes to them: each
// has an order of its own.
type view struct {
	channels map[string][]line
	names    []string // of the channels, in the order of their first lines
	err      error    // why the script does not hold
}

// viewOf returns the view of a session.
func viewOf(version string, p *suite.Played) *view {
	v := &view{channels: map[string][]line{}, err: p.Err}
	cwd, _ := p.Vars["cwd"].(string)
	names := recording.NewNames(version, filepath.Dir(cwd))
	var mirrored mirror
	for i := range p.Entries {
		e := &p.Entries[i]
		switch e.Dir {
		case recording.ToSDK:
			if !mirrored.take(names, e.Line) {
				v.add(names, e.Line)
			}
		case recording.Exit:
			for _, text := range said(e.Stderr) {
				v.put("stderr", "stderr", names.Hide(text))
			}
			v.put("exit", "exit", strings.TrimSpace(fmt.Sprint(*e.Code, " ", e.Signal)))
		}
	}
	mirrored.put(v)
	if p.Err != nil {
		v.put("script", "script", names.Hide(p.Err.Error()))
	}
	return v
}

// said returns what is on the standard error, each message once: lines that are indented, and the
// brackets after them, go on with the message before.
func said(stderr string) (list []string) {
	for line := range strings.Lines(stderr) {
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		if n := len(list); n > 0 && (strings.HasPrefix(line, " ") || strings.ContainsAny(text[:1], "]}")) {
			list[n-1] += " " + text
		} else {
			list = append(list, text)
		}
	}
	return list
}

// add adds a line of the CLI.
func (v *view) add(names *recording.Names, text string) {
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil {
		v.put("messages", "not JSON", names.Hide(text))
		return
	}
	kind := inventory.Kind(text)
	v.put(channelOf(value), kind, settled(names, "", value))
}

func (v *view) put(channel, kind string, value any) {
	if v.channels[channel] == nil {
		v.names = append(v.names, channel)
	}
	v.channels[channel] = append(v.channels[channel], line{kind, resultOf(value), value, textOf(value)})
}

// resultOf returns the id of the use of a tool whose result a line is, "" if it is none.
func resultOf(value any) string {
	frame, _ := value.(map[string]any)
	message, _ := frame["message"].(map[string]any)
	content, _ := message["content"].([]any)
	for _, e := range content {
		block, _ := e.(map[string]any)
		if id, ok := block["tool_use_id"].(string); ok {
			return id
		}
	}
	return ""
}

// channelOf names the way on which a line comes to the user: messages are one sequence; callbacks
// are called beside them, at the same time for tools that are used at once, and so are requests
// answered.
func channelOf(value any) string {
	frame, _ := value.(map[string]any)
	switch frame["type"] {
	case "control_request", "control_cancel_request":
		request, _ := frame["request"].(map[string]any)
		name, _ := request["subtype"].(string)
		for _, more := range []string{"server_name", "callback_id"} {
			if text, ok := request[more].(string); ok {
				name += " " + text
			}
		}
		input, _ := request["input"].(map[string]any)
		for _, o := range []map[string]any{request, input} {
			// Hooks of events that are not about a tool have an id that is random.
			if id, ok := o["tool_use_id"].(string); ok && strings.HasPrefix(id, "toolu_") {
				name += " for " + id
				break
			}
		}
		return strings.TrimSpace(fmt.Sprint(frame["type"], " ", name))
	case "control_response":
		response, _ := frame["response"].(map[string]any)
		return fmt.Sprint("reply to ", response["request_id"])
	}
	return "messages"
}

// settled returns a value of a member without what differs from session to session.
func settled(names *recording.Names, name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[names.Hide(k)] = settled(names, k, e)
		}
		if v["type"] == "control_request" || v["type"] == "control_cancel_request" {
			out["request_id"] = "[id]"
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = settled(names, name, e)
		}
		return out
	case string:
		return names.Hide(v)
	case json.Number:
		if volatile(name, v.String()) {
			return json.Number("0")
		}
	}
	return value
}

// volatile reports whether a number is a time, the number of a process, or an estimate of what the
// CLI's own prompts need.
func volatile(name, literal string) bool {
	lower := strings.ToLower(name)
	for _, part := range []string{"duration", "timestamp"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	for _, end := range []string{"_ms", "_at", "Ms", "At", "_seconds", "Seconds"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	whole, _, _ := strings.Cut(literal, ".")
	return name == "pid" || name == "post_tokens" || name == "postTokens" || len(whole) >= 13 // milliseconds since 1970
}

func textOf(value any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return fmt.Sprint(value) // never: it was decoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
