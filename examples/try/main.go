// Try runs an example where no CLI is installed. In place of the CLI it has a simulated one, whose
// model says what the script of the example tells it to.
//
//	go run ./examples/try ask "What is the capital of France?"
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"

	"github.com/ccwire/ccwire/examples/internal/offline"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("try: ")
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: try EXAMPLE [ARGUMENT...]")
		os.Exit(2)
	}
	code, err := try(os.Args[1], os.Args[2:])
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

// try runs an example with this program as its CLI, and returns the exit code.
func try(name string, args []string) (int, error) {
	script, err := offline.Script(name)
	if err != nil {
		return 0, fmt.Errorf("there is no example %q: give ask, batch, chat, hooks, mcptool or policy", name)
	}
	dir, err := os.MkdirTemp("", "ccwire-example-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir) // what is left does no harm
	env, err := offline.Install(dir, script)
	if err != nil {
		return 0, err
	}
	cmd := exec.Command("go", append([]string{"run", "github.com/ccwire/ccwire/examples/" + name}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil // -1 for a signal
	}
	return 0, err
}
