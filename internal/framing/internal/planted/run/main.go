// Run is a parser of package planted as a command. The first argument names it. With --persistent
// after it, it reads many streams, each in pieces.
package main

import (
	"github.com/ccwire/ccwire/internal/framing/internal/harness"
	"github.com/ccwire/ccwire/internal/framing/internal/planted"
)

func main() { harness.Main(planted.Parsers) }
