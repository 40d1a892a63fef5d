package codec_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ccwire/ccwire/codec"
)

// A stream is read line by line; noise is told apart from messages.
func ExampleReader() {
	stream := strings.NewReader("starting up\r\n{\"type\":\"a\"}\n\n{\"type\":\"b\",\"text\":\"too long for the limit\"}\n{\"type\":\"c\"}")
	r := codec.NewReader(stream, &codec.ReaderOptions{MaxLine: 32})
	for {
		f, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		switch f.Kind {
		case codec.ObjectLine:
			fmt.Printf("message %s\n", f.Bytes)
		case codec.OversizeLine:
			fmt.Printf("%v: %d bytes at offset %d\n", f.Kind, f.Len, f.Offset)
		default:
			fmt.Printf("%v: %q\n", f.Kind, f.Bytes)
		}
	}
	// Output:
	// text that is not a JSON object: "starting up"
	// message {"type":"a"}
	// blank line: ""
	// line over the limit: 44 bytes at offset 27
	// message {"type":"c"}
}

func ExampleWriter() {
	w := codec.NewWriter(os.Stdout)
	fmt.Println(w.WriteLine([]byte(`{"type":"a"}`)))
	fmt.Println(w.WriteLine([]byte("{\n}")))
	// Output:
	// {"type":"a"}
	// <nil>
	// codec: a line must not hold a line break
}

// A Nullable tells an absent member from one that is null, also inside other structs.
func ExampleNullable() {
	var v struct {
		Effort codec.Nullable[string] `json:"effort"`
		Model  codec.Nullable[string] `json:"model"`
		Mode   codec.Nullable[string] `json:"mode"`
	}
	if err := json.Unmarshal([]byte(`{"effort":"high","model":null}`), &v); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Effort.Value, v.Model.Null, v.Mode.Absent())
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output:
	// high true true
	// {"effort":"high","model":null,"mode":null} <nil>
}

func ExampleRaw_Find() {
	line := []byte(`{"type":"control_request","request":{"subtype":"interrupt"}}`)
	subtype, ok := codec.Raw(line).Find("/request/subtype").Text()
	fmt.Println(subtype, ok)
	// Output:
	// interrupt true
}

func ExampleRaw_Map() {
	input, err := codec.Raw(`{"command":"ls","timeout":5000,"env":["A=1"]}`).Map()
	fmt.Println(input["command"], input["timeout"], input["env"], err)
	// Output:
	// ls 5000 [A=1] <nil>
}
