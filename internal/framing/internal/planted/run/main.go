// Run is a parser of package planted as a command. The first argument names it. With --persistent
// after it, it reads many streams, each in pieces.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/ccwire/ccwire/internal/framing/internal/planted"
)

func main() {
	persistent := len(os.Args) == 3 && os.Args[2] == "--persistent"
	if len(os.Args) != 2 && !persistent || planted.Parsers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: run PARSER [--persistent]")
		os.Exit(2)
	}
	if persistent {
		servePersistent(planted.Parsers[os.Args[1]])
		return
	}
	out := bufio.NewWriter(os.Stdout)
	code := planted.Parsers[os.Args[1]](os.Stdin, out)
	out.Flush()
	os.Exit(code)
}
