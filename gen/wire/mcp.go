package wire

import (
	"errors"
	"strings"
)

// mcpInternalError is JSON-RPC's code for a server that failed.
const mcpInternalError = -32603

// TypedMessage reads the JSON-RPC message that the request carries.
func (v *MCPMessageRequest) TypedMessage() (*MCPMessage, error) {
	m := new(MCPMessage)
	if err := decode(m, v.Message); err != nil {
		return nil, err
	}
	return m, nil
}

// Error returns the message.
func (v *MCPError) Error() string { return v.Message }

// Answer returns the answer to the message, under its id, from what a server returned: a result
// that is an [Appender] or anything that encoding/json encodes, or an error. An [*MCPError] is sent
// as it is, any other error with the code -32603, and so is a nil result or one that cannot be
// encoded. A message without an id, which is a notification or a response, gets the empty answer
// that the CLI waits for.
func (v *MCPMessage) Answer(result any, err error) *MCPMessageResponse {
	if v.ID == nil {
		return &MCPMessageResponse{MCPResponse: Raw("{}")}
	}
	answer := MCPMessage{Jsonrpc: Ptr("2.0"), ID: v.ID}
	if err == nil {
		answer.Result, err = encodeAnswer(result)
	}
	if err != nil {
		answer.Error = mcpErrorOf(err)
	}
	text, err := answer.AppendJSON(nil)
	if err != nil { // by a Data that is not JSON
		answer.Error.Data = nil
		text, _ = answer.AppendJSON(nil)
	}
	return &MCPMessageResponse{MCPResponse: text}
}

// mcpErrorOf returns an error as JSON-RPC has it.
func mcpErrorOf(err error) *MCPError {
	var e *MCPError
	if !errors.As(err, &e) {
		return &MCPError{Code: mcpInternalError, Message: strings.ToValidUTF8(err.Error(), "\uFFFD")}
	}
	valid := *e
	valid.Message = strings.ToValidUTF8(e.Message, "\uFFFD")
	return &valid
}
