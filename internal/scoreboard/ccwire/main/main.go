// Command main is the driver of package ccwire.
package main

import (
	"os"

	"github.com/ccwire/ccwire/internal/scoreboard/ccwire"
)

func main() {
	if err := ccwire.Serve(os.Stdin, os.Stdout); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}
