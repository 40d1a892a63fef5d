package view

import (
	"encoding/json"
	"strings"

	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/internal/terminal"
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

// A kindOf is what says of which kind a line is, and what it is about.
type kindOf struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Parent  string `json:"parent_tool_use_id"`
	Event   struct {
		Type  string `json:"type"`
		Delta struct {
			Text        string `json:"text"`
			Thinking    string `json:"thinking"`
			PartialJSON string `json:"partial_json"`
			StopReason  string `json:"stop_reason"`
		} `json:"delta"`
		Message struct {
			Model string `json:"model"`
		} `json:"message"`
		Block block `json:"content_block"`
	} `json:"event"`
	Request struct {
		Subtype   string          `json:"subtype"`
		ToolName  string          `json:"tool_name"`
		ToolUseID string          `json:"tool_use_id"`
		Server    string          `json:"server_name"`
		Mode      string          `json:"mode"`
		Model     string          `json:"model"`
		Hooks     json.RawMessage `json:"hooks"`
		Input     json.RawMessage `json:"input"`
		Message   struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		} `json:"message"`
	} `json:"request"`
	Response struct {
		Subtype  string          `json:"subtype"`
		Error    string          `json:"error"`
		Response json.RawMessage `json:"response"`
	} `json:"response"`
	Message struct {
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	ToolUseID string `json:"tool_use_id"`

	Result         string   `json:"result"`
	Errors         []string `json:"errors"`
	TerminalReason string   `json:"terminal_reason"`
	Cost           float64  `json:"total_cost_usd"`
	Usage          struct {
		Input      int64 `json:"input_tokens"`
		Output     int64 `json:"output_tokens"`
		CacheRead  int64 `json:"cache_read_input_tokens"`
		CacheWrite int64 `json:"cache_creation_input_tokens"`
	} `json:"usage"`

	Model          string `json:"model"`
	PermissionMode string `json:"permissionMode"`
	Version        string `json:"claude_code_version"`

	// Of entries of transcript files.
	EntryVersion string `json:"version"`
	Timestamp    string `json:"timestamp"`
	Meta         bool   `json:"isMeta"`
	Sidechain    bool   `json:"isSidechain"`
	Attachment   struct {
		Type string `json:"type"`
	} `json:"attachment"`

	text       []byte // the line
	broken     bool   // it is not an object
	blank      bool
	transcript bool // it is an entry of a transcript file
	result     bool // a user line that has results of tools
	blocks     []block
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Name      string          `json:"name"`
	ID        string          `json:"id"`
	Input     json.RawMessage `json:"input"`
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
	k.text = text
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
	case "attachment":
		second = k.Attachment.Type
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
	switch {
	case k.broken:
		return brief(k.Result)
	case k.Type == "control_request":
		return brief(k.asks())
	case k.Type == "control_response":
		return brief(k.Response.Subtype + " " + k.Response.Error)
	case k.Type == "stream_event":
		return piece(k.streams())
	case k.Type == "result":
		return brief(k.ends())
	case len(k.blocks) == 0:
		return brief(k.tells())
	}
	var words []string
	for _, b := range k.blocks {
		words = append(words, b.summary())
		if len(words) > 3 {
			break
		}
	}
	return brief(strings.Join(words, " · "))
}

// summary returns what a block of a message says.
func (b *block) summary() string {
	switch b.Type {
	case "text":
		return b.Text
	case "thinking":
		return "(thinking) " + cut(b.Thinking, briefly)
	case "tool_use", "server_tool_use":
		return toolPoint(b.Name, b.Input)
	case "tool_result":
		return "tool_result " + b.output()
	}
	return b.Type
}

// output returns the text of a tool's result.
func (b *block) output() string {
	var text string
	var list []block
	if json.Unmarshal(b.Content, &text) == nil {
		return cut(text, briefly)
	}
	if json.Unmarshal(b.Content, &list) != nil || len(list) == 0 {
		return cut(string(b.Content), briefly)
	}
	if list[0].Text != "" {
		return cut(list[0].Text, briefly)
	}
	return list[0].Type
}

// piece is brief for a piece of a text, whose spaces at the ends count.
func piece(s string) string {
	s = strings.ToValidUTF8(cut(s, briefly), "\uFFFD")
	return terminal.Printable(strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(s))
}

// answer returns what an answer says.
func (k *kindOf) answer(to *exchange.Subject, failed bool) string {
	if failed {
		return brief(joined(" ", to.Event, "error:", k.Response.Error))
	}
	return brief(joined(" · ", to.Event, k.answered()))
}
