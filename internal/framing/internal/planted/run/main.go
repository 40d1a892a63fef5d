// Run is a parser of package planted as a command. The first argument names it.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/ccwire/ccwire/internal/framing/internal/planted"
)

func main() {
	if len(os.Args) != 2 || planted.Parsers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: run PARSER")
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	code := planted.Parsers[os.Args[1]](os.Stdin, out)
	out.Flush()
	os.Exit(code)
}
