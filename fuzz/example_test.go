package fuzz_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/fuzz"
	"github.com/ccwire/ccwire/schema"
)

// parse keeps the rules: codec.Reader cuts the lines, and what looks like an object must be JSON.
func parse(r io.Reader, yield func(object []byte)) error {
	for lines := codec.NewReader(r, nil); ; {
		line, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if line.Kind == codec.ObjectLine && json.Valid(line.Bytes) {
			yield(line.Bytes)
		}
	}
}

func ExampleParser() {
	var p fuzz.Parser = parse
	p(strings.NewReader("{\"n\":1}\r\nnoise\n{\"n\":2}"), func(object []byte) {
		fmt.Printf("%q\n", object)
	})
	// Output:
	// "{\"n\":1}"
	// "{\"n\":2}"
}

// In a test, Draw takes a value from the generator inside rapid.Check.
func ExampleFrames() {
	frame := fuzz.Frames(schema.FromCLI).Example(1)
	fmt.Println(schema.Default().Closed().ValidateFrame(schema.FromCLI, frame))
	// Output: <nil>
}

func ExampleMutants() {
	m := fuzz.Mutants(schema.FromSDK).Example(1)
	err := schema.Default().Closed().ValidateFrame(schema.FromSDK, m.JSON)
	fmt.Println(m.Reason != "", schema.Default().Lookup(m.Definition) != nil, err != nil)
	// Output: true true true
}
