// Planted is a set of parsers of NDJSON for the tests of package framing: a few correct ones, and
// many with a bug each. The first argument names the parser.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 || parsers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: planted PARSER")
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	code := parsers[os.Args[1]](os.Stdin, out)
	out.Flush()
	os.Exit(code)
}
