package exchange_test

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/schema"
)

func ExampleBook() {
	asked := []byte(`{"type":"control_request","request_id":"1","request":{"subtype":"mcp_status"}}`)
	answered := []byte(`{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"mcpServers":[]}}}`)
	var book exchange.Book
	request, _ := exchange.Read(asked)
	book.Ask(schema.FromSDK, &request)
	reply, _ := exchange.Read(answered)
	subject := book.Answer(schema.FromCLI, &reply, nil)
	fmt.Println(subject.Definition(), subject.Clean(reply.Body(answered)))
	// Output: control/mcp_status.json#/$defs/Response true
}
