package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MCPOptions says what an MCP server of a script offers. Without any it has one tool, echo, that
// returns its argument "text".
type MCPOptions struct {
	Tools        json.RawMessage `json:"tools,omitempty"`        // what tools/list says
	Result       json.RawMessage `json:"result,omitempty"`       // what tools/call says
	Error        json.RawMessage `json:"error,omitempty"`        // the JSON-RPC error of tools/call
	Capabilities json.RawMessage `json:"capabilities,omitempty"` // what initialize says
	Manual       []string        `json:"manual,omitempty"`       // methods that the script answers
}

func parseMCPOptions(text string) (o MCPOptions, err error) {
	if text == "" {
		return o, nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		return o, fmt.Errorf("options of the MCP server: %w", err)
	}
	return o, nil
}
