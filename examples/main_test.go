package examples

import (
	"fmt"
	"os"
	"testing"

	"github.com/ccwire/ccwire/examples/internal/offline"
)

// scriptEnv names a script in the environment in which the test binary is the simulated CLI.
const scriptEnv = "EXAMPLES_SCRIPT"

func TestMain(m *testing.M) {
	name := os.Getenv(scriptEnv)
	if name == "" {
		os.Exit(m.Run())
	}
	script, err := os.ReadFile(name)
	code := 2
	if err == nil {
		code, err = offline.Serve(script, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}
