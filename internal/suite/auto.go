package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// frameHead is what the player looks at in every line of the CLI.
type frameHead struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	RequestID json.RawMessage `json:"request_id"`
	Request   json.RawMessage `json:"request"`
	Response  json.RawMessage `json:"response"`
}

// requestHead is what the rules look at in a request of the CLI.
type requestHead struct {
	Subtype    string          `json:"subtype"`
	Input      json.RawMessage `json:"input"`
	ServerName string          `json:"server_name"`
	Message    json.RawMessage `json:"message"`
}

// autoAnswer returns the answer of the first rule that is for the request, as a line without LF,
// nil if there is none.
func autoAnswer(rules []scenario.Rule, head *frameHead, vars scenario.Vars) ([]byte, error) {
	var req requestHead
	if err := json.Unmarshal(head.Request, &req); err != nil {
		return nil, nil // the schemas have judged it
	}
	for _, rule := range rules {
		var body json.RawMessage
		switch r := rule.(type) {
		case scenario.AllowTools:
			if req.Subtype == "can_use_tool" {
				body = fmt.Appendf(nil, `{"behavior":"allow","updatedInput":%s}`, req.Input)
			}
		case scenario.AnswerWith:
			if r.Pattern.Match(head.Request, vars) == nil {
				text, err := vars.ExpandJSON(r.Response)
				if err != nil {
					return nil, err
				}
				body = json.RawMessage(text)
			}
		case scenario.ServeMCP:
			if req.Subtype == "mcp_message" && req.ServerName == r.Name {
				body = answerMCP(&r, req.Message)
			}
		}
		if body != nil {
			return fmt.Appendf(nil, `{"type":"control_response","response":{"subtype":"success","request_id":%s,"response":%s}}`, head.RequestID, body), nil
		}
	}
	return nil, nil
}

const (
	echoTools = `[{"name":"echo","description":"Returns its text.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]`
	echoCaps  = `{"tools":{"listChanged":true}}`
)

// answerMCP is the body of the answer to an MCP message, nil if the script answers it.
func answerMCP(o *scenario.ServeMCP, message json.RawMessage) json.RawMessage {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			ProtocolVersion json.RawMessage `json:"protocolVersion"`
			Arguments       struct {
				Text string `json:"text"`
			} `json:"arguments"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &m) != nil || slices.Contains(o.Manual, m.Method) {
		return nil
	}
	if m.ID == nil || m.Method == "" { // a notification, or a reply
		return json.RawMessage(`{"mcp_response":{"jsonrpc":"2.0","result":{},"id":0}}`)
	}
	reply := func(member string, body json.RawMessage) json.RawMessage {
		return fmt.Appendf(nil, `{"mcp_response":{"jsonrpc":"2.0","id":%s,%q:%s}}`, m.ID, member, bytes.TrimSpace(body))
	}
	switch m.Method {
	case "initialize":
		return reply("result", fmt.Appendf(nil, `{"protocolVersion":%s,"capabilities":%s,"serverInfo":{"name":%q,"version":"1.0.0"}}`,
			m.Params.ProtocolVersion, or(o.Capabilities, echoCaps), o.Name))
	case "tools/list":
		return reply("result", fmt.Appendf(nil, `{"tools":%s}`, or(o.Tools, echoTools)))
	case "tools/call":
		if o.Error != nil {
			return reply("error", o.Error)
		}
		text, _ := json.Marshal("echo: " + m.Params.Arguments.Text) // a string is always valid
		return reply("result", or(o.Result, fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, text)))
	}
	return reply("error", json.RawMessage(`{"code":-32601,"message":"method not found"}`))
}

func or(raw json.RawMessage, text string) json.RawMessage {
	if raw != nil {
		return raw
	}
	return json.RawMessage(text)
}
