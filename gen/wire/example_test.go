package wire_test

import (
	"fmt"

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
