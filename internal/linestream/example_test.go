package linestream_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/schema"
)

func ExampleReader() {
	const recording = `{"dir":"header","version":"2.1.325"}
{"dir":"cli->sdk","line":"{\"type\":\"keep_alive\"}"}
`
	r := linestream.NewReader(strings.NewReader(recording), linestream.Options{})
	for {
		l, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		for _, p := range l.Parts {
			fmt.Printf("line %d, from the CLI: %t, %s\n", l.Number, p.Direction == schema.FromCLI, p.Bytes)
		}
	}
	// Output: line 2, from the CLI: true, {"type":"keep_alive"}
}
