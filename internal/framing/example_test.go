package framing_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ccwire/ccwire/internal/framing"
)

// Cat writes every line, also those that are not frames.
func Example() {
	report, err := framing.Run(context.Background(), []string{"cat"}, framing.Options{Time: time.Minute, Growth: -1, Findings: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Println(f.Kind, framing.Quote(f.Stream.Data))
	}
	// Output: cr-kept "{}\r"
}

// A stream is judged by what encoding/json makes of its lines.
func ExampleExpect() {
	for _, f := range framing.Expect([]byte("{\"a\":1}\r\nnoise\n{\"b\":1,\"b\":2}\n[3]\n{\"c\":4}")) {
		fmt.Printf("%d %s %t\n", f.Line, f.Text, f.Must)
	}
	// Output:
	// 1 {"a":1} true
	// 3 {"b":1,"b":2} false
	// 5 {"c":4} true
}
