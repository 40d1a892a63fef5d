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
	"github.com/ccwire/ccwire/transport/cli"
)

// exampleEnv names the example when this program is the CLI.
const exampleEnv = "CCWIRE_TRY"

func main() {
	log.SetFlags(0)
	log.SetPrefix("try: ")
	if name := os.Getenv(exampleEnv); name != "" {
		code, err := serve(name, os.Args[1:])
		if err != nil {
			log.Fatal(err)
		}
		os.Exit(code)
	}
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

// serve is the CLI of an example.
func serve(name string, args []string) (int, error) {
	script, err := offline.Script(name)
	if err != nil {
		return 0, err
	}
	return offline.Serve(script, args)
}

// try runs an example with this program as its CLI, and returns the exit code.
func try(name string, args []string) (int, error) {
	if _, err := offline.Script(name); err != nil {
		return 0, fmt.Errorf("there is no example %q: give ask, hooks, mcptool or policy", name)
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command("go", append([]string{"run", "github.com/ccwire/ccwire/examples/" + name}, args...)...)
	cmd.Env = append(os.Environ(), cli.EnvVar+"="+self, exampleEnv+"="+name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil // -1 for a signal
	}
	return 0, err
}
