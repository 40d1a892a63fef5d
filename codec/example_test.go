package codec_test

import (
	"bytes"
	"errors"
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
			fmt.Printf("message %s\n", f.Line)
		case codec.OversizeLine:
			fmt.Printf("%v: %d bytes at offset %d\n", f.Kind, f.Len, f.Offset)
		default:
			fmt.Printf("%v: %q\n", f.Kind, f.Line)
		}
	}
	// Output:
	// text that is no JSON object: "starting up"
	// message {"type":"a"}
	// blank line: ""
	// line over the limit: 44 bytes at offset 27
	// message {"type":"c"}
}

func ExampleWriter() {
	w := codec.NewWriter(os.Stdout)
	fmt.Println(w.WriteFrame([]byte(`{"type":"a"}`)))
	fmt.Println(w.WriteFrame([]byte("{\n}")))
	// Output:
	// {"type":"a"}
	// <nil>
	// codec: a frame must be one line
}

// Errors carry a kind, a path and an offset.
func ExampleError() {
	var counts map[string][]int64
	read := func(p *map[string][]int64, d *codec.Decoder) bool {
		return codec.Map(p, d, func(p *[]int64, d *codec.Decoder) bool { return codec.Slice(p, d, codec.ReadInt64) })
	}
	err := codec.Unmarshal(&counts, []byte(`{"a":[1,2.5]}`), nil, read)
	fmt.Println(err)
	fmt.Println(errors.Is(err, &codec.Error{Kind: codec.WrongKind}))
	var e *codec.Error
	if errors.As(err, &e) {
		fmt.Println(e.Path, e.Offset)
	}
	// Output:
	// wrong kind at /a/1 (byte 8): want an integer, got a number with a fraction
	// true
	// /a/1 8
}

// Raw JSON is written as it is, but on one line.
func ExampleAppendRaw() {
	line, err := codec.AppendRaw(nil, codec.Raw("{\n  \"id\": 12345678901234567890,\n  \"html\": \"<b>\"\n}"))
	fmt.Println(string(line), err)
	_, err = codec.AppendRaw(nil, codec.Raw(`{"id":}`))
	fmt.Println(err)
	// Output:
	// {  "id": 12345678901234567890,  "html": "<b>"} <nil>
	// cannot be encoded: raw JSON: invalid JSON at /id (byte 6): a value
}

// A lone surrogate is not UTF-8, and survives all the same.
func ExampleAppendString() {
	s, _ := codec.Raw(`"half of a pair: \ud83d"`).Text()
	line, err := codec.AppendString(nil, s)
	fmt.Println(string(line), err)
	_, err = codec.AppendString(nil, "\xff")
	fmt.Println(err)
	// Output:
	// "half of a pair: \ud83d" <nil>
	// cannot be encoded: text that is UTF-8
}

func ExampleFind() {
	line := []byte(`{"type":"control_request","request":{"subtype":"interrupt"}}`)
	subtype, ok := codec.Find(line, "/request/subtype").Text()
	fmt.Println(subtype, ok)
	fmt.Println(codec.PathAt(line, bytes.Index(line, []byte("interrupt"))))
	// Output:
	// interrupt true
	// /request/subtype
}
