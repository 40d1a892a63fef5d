// Package sdktest lets a test program be the simulated CLI and the subject too, so that the tests
// of the suite build no other program.
package sdktest

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/sim/program"
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// role is the first argument of a test program that is not to run tests.
const role = "ccwire-test-role"

// Main runs the test program as what its arguments say: the simulated CLI, or one of the subjects,
// by name. It returns if the tests are to be run; TestMain calls it first.
func Main(subjects map[string]func(args []string) int) {
	if len(os.Args) < 3 || os.Args[1] != role {
		return
	}
	name, args := os.Args[2], os.Args[3:]
	if name == "sim" {
		os.Exit(simulate(args))
	}
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
	return &sdk.Subject{Args: Command(name, args...), Simulator: Command("sim")}
}

// simulate is the simulated CLI with the flags --script and --log, which come first.
func simulate(args []string) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if len(args) < 4 || args[0] != "--script" || args[2] != "--log" {
		return fail(fmt.Errorf("want --script FILE --log FILE, got %q", args))
	}
	script, err := program.Load(args[1])
	if err != nil {
		return fail(err)
	}
	log, err := os.OpenFile(args[3], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fail(err)
	}
	defer log.Close()
	dir, err := os.Getwd()
	if err != nil {
		return fail(err)
	}
	got := make(chan os.Signal, 4)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	signals := make(chan string, 4)
	go func() { // ends with the process
		for s := range got {
			signals <- map[os.Signal]string{os.Interrupt: "INT", syscall.SIGTERM: "TERM"}[s]
		}
	}()
	p := program.Program{Script: script, Log: journal.New(log)}
	exit, err := p.Run(context.Background(), program.Streams{
		Args: slices.Clone(args[4:]), Env: os.Environ(), Dir: dir, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Signals: signals,
	})
	switch {
	case err != nil:
		return fail(err)
	case exit.Signal != "":
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {} // the signal comes
	}
	return exit.Code
}
