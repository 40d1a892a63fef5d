package view

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/schema"
)

// briefly is how many characters a summary has at most.
const briefly = 160

// brief returns the start of a text, in one line that a terminal does not act upon.
func brief(s string) string {
	s = strings.ToValidUTF8(cut(s, 4*briefly), "\uFFFD")
	return terminal.Printable(cut(strings.Join(strings.Fields(s), " "), briefly))
}

// cut returns the first characters of a text.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for i := range s {
		if most--; most < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// A kindOf is what says of which kind a line is.
type kindOf struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Event   struct {
		Type  string `json:"type"`
		Delta struct {
			Text        string `json:"text"`
			Thinking    string `json:"thinking"`
			PartialJSON string `json:"partial_json"`
		} `json:"delta"`
	} `json:"event"`
	Request struct {
		Subtype  string `json:"subtype"`
		ToolName string `json:"tool_name"`
		Server   string `json:"server_name"`
		Mode     string `json:"mode"`
		Input    struct {
			Event string `json:"hook_event_name"`
		} `json:"input"`
		Message struct {
			Method string `json:"method"`
		} `json:"message"`
	} `json:"request"`
	Response struct {
		Subtype  string `json:"subtype"`
		Error    string `json:"error"`
		Response struct {
			Behavior string `json:"behavior"`
		} `json:"response"`
	} `json:"response"`
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Result string `json:"result"`

	broken bool // it is not an object
	blank  bool
	result bool // a user line that has results of tools
	blocks []block
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Name      string          `json:"name"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
}

// read reads a line. Members of another kind than they should be are left out.
func read(text []byte) (k kindOf) {
	switch {
	case len(text) == 0:
		k.blank = true
		return k
	case !json.Valid(text) || text[0] != '{':
		k.broken = true
		k.Result = cut(string(text), 4*briefly)
		return k
	}
	_ = json.Unmarshal(text, &k)
	if content := k.Message.Content; len(content) > 0 && content[0] == '[' {
		_ = json.Unmarshal(content, &k.blocks)
	} else if len(content) > 0 {
		var text string
		_ = json.Unmarshal(content, &text)
		k.blocks = []block{{Type: "text", Text: text}}
	}
	for _, b := range k.blocks {
		k.result = k.result || b.Type == "tool_result"
	}
	return k
}

// name returns the kind as a path, such as system/init.
func (k *kindOf) name() string {
	if k.blank {
		return "blank"
	}
	if k.broken {
		return "noise"
	}
	second := k.Subtype
	switch k.Type {
	case "control_request":
		second = k.Request.Subtype
	case "control_response":
		second = ""
	case "stream_event":
		second = k.Event.Type
	}
	name := cut(k.Type, 40) // json has made it UTF-8
	if name == "" {
		name = "untyped"
	}
	if second != "" {
		name += "/" + cut(second, 40)
	}
	return terminal.Printable(name)
}

// summary returns what the line says.
func (k *kindOf) summary() string {
	r := &k.Request
	switch {
	case k.broken:
		return brief(k.Result)
	case k.Type == "control_request":
		return brief(strings.TrimSpace(strings.Join([]string{r.ToolName, r.Input.Event, r.Server, r.Message.Method, r.Mode}, " ")))
	case k.Type == "control_response":
		return brief(k.Response.Subtype + " " + k.Response.Error)
	case k.Type == "stream_event":
		return brief(k.Event.Delta.Text + k.Event.Delta.Thinking + k.Event.Delta.PartialJSON)
	case k.Type == "result":
		return brief(k.Result)
	}
	var words []string
	for _, b := range k.blocks {
		switch b.Type {
		case "text":
			words = append(words, b.Text)
		case "thinking":
			words = append(words, "(thinking) "+cut(b.Thinking, briefly))
		case "tool_use", "server_tool_use":
			words = append(words, b.Type+" "+b.Name)
		case "tool_result":
			words = append(words, "tool_result "+cut(string(b.Content), briefly))
		default:
			words = append(words, b.Type)
		}
		if len(words) > 3 {
			break
		}
	}
	return brief(strings.Join(words, " · "))
}

// answer returns what an answer says.
func (k *kindOf) answer(to *exchange.Subject, failed bool) string {
	words := []string{to.Event}
	if failed {
		words = append(words, "error:", k.Response.Error)
	} else {
		words = append(words, k.Response.Response.Behavior)
	}
	return brief(strings.Join(words, " "))
}

// definitions are the names of the definitions of lines, by type and subtype.
var definitions = sync.OnceValue(func() map[[2]string]string {
	all := map[[2]string]string{}
	set := schema.Default()
	for _, d := range set.Definitions() {
		var tags [2]string
		for i, member := range []string{"type", "subtype"} {
			if p := d.Property(member); p != nil && p.HasConst {
				tags[i], _ = p.Const.(string)
			}
		}
		folder, _, _ := strings.Cut(d.File, "/")
		if tags[0] == "" || folder != "envelope" && folder != "message" || d.Legacy() {
			continue
		}
		if _, ok := all[tags]; !ok {
			all[tags] = d.Name()
		}
	}
	return all
})

// names returns the definitions that a line is an instance of, the innermost first.
func names(k kindOf, answers *exchange.Subject) (list []string) {
	set := schema.Default()
	switch {
	case k.Type == "control_request":
		list = append(list, hookName(k.Request.Input.Event, "Input")...)
		if d := set.Request(k.Request.Subtype); d != nil {
			list = append(list, d.Name())
		}
	case answers != nil:
		list = append(list, hookName(answers.Event, "Output")...)
		if name := answers.Definition(); name != "" {
			list = append(list, name)
		}
	}
	for _, tags := range [][2]string{{k.Type, k.Subtype}, {k.Type, ""}} {
		if name := definitions()[tags]; name != "" {
			return append(list, name)
		}
	}
	return list
}

// hookName returns the definition of what a hook is told, or what it may answer, if there is one.
func hookName(event, key string) []string {
	if d := schema.Default().Lookup("hook/" + event + ".json#/$defs/" + key); event != "" && d != nil {
		return []string{d.Name()}
	}
	return nil
}
