package wire_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
)

func TestAnMCPMessageIsAnsweredUnderItsID(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add"}}`
	for _, row := range []struct {
		name, message string
		result        any
		err           error
		want          string
	}{
		{"a result", call, map[string]any{"content": []any{}}, nil, `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`},
		{"an id that is a string", `{"id":"a","method":"ping"}`, wire.Raw(`{}`), nil, `{"jsonrpc":"2.0","id":"a","result":{}}`},
		{"an error", call, nil, errors.New("no"), `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no"}}`},
		{"an error with a code", call, nil, fmt.Errorf("so: %w", &wire.MCPError{Code: -32601, Message: "no"}), `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}`},
		{"data that is not JSON", call, nil, &wire.MCPError{Code: 1, Message: "n\xff", Data: wire.Raw(`{`)}, `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"n\uFFFD"}}`},
		{"nothing", call, nil, nil, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"the handler returned neither an answer nor an error"}}`},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, nil, `{}`},
		{"a notification that failed", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, errors.New("no"), `{}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			request := &wire.MCPMessageRequest{ServerName: "s", Message: wire.Raw(row.message)}
			message, err := request.TypedMessage()
			if err != nil {
				t.Fatal(err)
			}
			if got := message.Answer(row.result, row.err).MCPResponse; !sameJSON(t, got, []byte(row.want)) {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
	broken := &wire.MCPMessageRequest{ServerName: "s", Message: wire.Raw(`[]`)}
	if m, err := broken.TypedMessage(); err == nil || m != nil {
		t.Errorf("got %v, %v", m, err)
	}
}
