package wire_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

func Example() {
	line := []byte(`{"type":"control_request","request_id":"req_1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}}`)
	frame, err := wire.Decode(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	switch f := frame.(type) {
	case *wire.ControlRequest:
		switch r := f.Request.(type) {
		case *wire.CanUseToolRequest:
			answer, err := r.Allow().AppendJSON(nil)
			if err != nil {
				fmt.Println(err)
				return
			}
			line, err = wire.Append(line[:0], f.Success(answer))
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Printf("%s\n", line)
		case *wire.UnknownRequest:
			fmt.Println("a request of a newer CLI:", r.Subtype())
		}
	case *wire.UnknownFrame:
		fmt.Println("a line of a newer CLI:", f.Type())
	}
	// Output:
	// {"type":"control_response","response":{"subtype":"success","request_id":"req_1","response":{"behavior":"allow","updatedInput":{"command":"ls"}}}}
}

func ExampleCanUseToolRequest_TypedInput() {
	decide := func(r *wire.CanUseToolRequest) wire.PermissionResult {
		switch in := r.TypedInput().(type) {
		case *wire.ReadInput:
			return r.Allow()
		case *wire.BashInput:
			if strings.Contains(in.Command, "rm -rf") {
				return r.Deny("nothing is deleted here")
			}
			return r.Allow()
		case *wire.UnknownToolInput:
			return r.Deny("what is " + in.Name + "?") // a tool without a type, or an input that does not fit
		}
		return r.Deny("only commands and files to read")
	}
	for _, r := range []*wire.CanUseToolRequest{
		{ToolName: "Bash", Input: wire.Raw(`{"command":"ls"}`)},
		{ToolName: "Bash", Input: wire.Raw(`{"command":"cd / && rm -rf tmp"}`)},
		{ToolName: "Bash", Input: wire.Raw(`{"command":["rm","-rf","/"]}`)},
		{ToolName: "mcp__disk__erase", Input: wire.Raw(`{}`)},
	} {
		answer, err := decide(r).AppendJSON(nil)
		fmt.Println(string(answer), err)
	}
	// Output:
	// {"behavior":"allow","updatedInput":{"command":"ls"}} <nil>
	// {"behavior":"deny","message":"nothing is deleted here"} <nil>
	// {"behavior":"deny","message":"what is Bash?"} <nil>
	// {"behavior":"deny","message":"what is mcp__disk__erase?"} <nil>
}

func ExampleDecodeFrame() {
	line := []byte(`{"type":"keep_alive","mood":"good"}`)
	report := func(d codec.Deviation) { fmt.Println(d) }
	_, err := wire.DecodeFrame(line, &codec.Options{Report: report})
	fmt.Println(err)
	_, err = wire.DecodeFrame(line, &codec.Options{Strict: true})
	fmt.Println(err)
	// Output:
	// unknown member at /mood: "mood"
	// <nil>
	// not allowed by the strict mode at /mood (byte 28): unknown member "mood"
}

// gate denies everything.
type gate struct{ wire.BaseHandler }

func (gate) CanUseTool(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	return r.Deny("not today"), nil
}

func ExampleControlRequest_Answer() {
	for _, request := range []*wire.ControlRequest{
		{RequestID: "1", Request: &wire.CanUseToolRequest{ToolName: "Bash", Input: wire.Raw(`{"command":"ls"}`)}},
		{RequestID: "2", Request: &wire.HookCallbackRequest{CallbackID: "hook_0"}},
	} {
		answer := request.Answer(wire.Dispatch(context.Background(), gate{}, request.Request))
		line, err := wire.Append(nil, answer)
		fmt.Println(string(line), err)
	}
	// Output:
	// {"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"behavior":"deny","message":"not today"}}} <nil>
	// {"type":"control_response","response":{"subtype":"error","request_id":"2","error":"unsupported control request subtype: hook_callback","error_code":"unsupported_request"}} <nil>
}
