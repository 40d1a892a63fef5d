// Package sdktest lets a test program be the simulated CLI and the subject too, so that the tests
// of the suite build no other program.
package sdktest

import (
	"fmt"
	"os"

	"github.com/ccwire/ccwire/internal/sim/program"
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// role is the first argument of a test program that is not to run tests.
const role = "ccwire-test-role"

// Main runs the test program as what it was started as: the simulated CLI, or one of the subjects,
// by name. It returns if the tests are to be run; TestMain calls it first.
func Main(subjects map[string]func(args []string) int) {
	program.RunConfigured()
	if len(os.Args) < 3 || os.Args[1] != role {
		return
	}
	name, args := os.Args[2], os.Args[3:]
	run := subjects[name]
	if run == nil {
		fmt.Fprintln(os.Stderr, "no such subject:", name)
		os.Exit(2)
	}
	os.Exit(run(args))
}

// Command returns the command line of the test program as a subject.
func Command(name string, args ...string) []string {
	return append([]string{os.Args[0], role, name}, args...)
}

// Subject returns a driver that is the test program itself.
func Subject(name string, args ...string) *sdk.Subject {
	return &sdk.Subject{Args: Command(name, args...)}
}
