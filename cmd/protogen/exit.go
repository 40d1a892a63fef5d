package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Exit codes of every verb.
const (
	exitFine       = 0
	exitFindings   = 1
	exitTrouble    = 2
	exitIncomplete = 3   // nothing found, but not everything was tried
	exitStopped    = 130 // as a shell says of a program that was interrupted
)

// errFindings ends a verb that has done its work and found something. What it found has been
// printed.
var errFindings = errors.New("findings")

// errIncomplete ends a verb that found nothing, and had no time to try everything.
var errIncomplete = errors.New("incomplete")

// errReported ends a verb in trouble that has been printed.
var errReported = errors.New("reported")

// A usageError is a command line that cannot be run.
type usageError struct {
	cmd *cobra.Command
	err error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// report prints an error and returns the exit code.
func report(stderr io.Writer, err error) int {
	var usage *usageError
	var other otherExit
	var stopped *stoppedError
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &other):
		return int(other)
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.Is(err, errIncomplete):
		return exitIncomplete
	case errors.Is(err, errReported):
		return exitTrouble
	case errors.As(err, &stopped):
		printError(stderr, err)
		return exitStopped
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "protogen: %v\nrun %q for help\n", err, usage.cmd.CommandPath()+" --help")
	default:
		printError(stderr, err)
	}
	return exitTrouble
}

// printError prints an error that does not end the run by itself.
func printError(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "protogen: %v\n", err)
}

// reportPanic prints what a panic says; the stack only for those who ask for it.
func reportPanic(stderr io.Writer, value any) int {
	fmt.Fprintf(stderr, "protogen: internal error: %v\nthis is a bug: please report it with the output of PROTOGEN_DEBUG=1\n", value)
	if os.Getenv("PROTOGEN_DEBUG") != "" {
		stderr.Write(debug.Stack())
	}
	return exitTrouble
}

// wantNothing is for a verb without arguments.
func wantNothing(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &usageError{cmd, fmt.Errorf("%s takes no arguments, got %q", cmd.Name(), args[0])}
}

// wantVerb is for a command that only holds others.
func wantVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return noVerb(cmd, args[0])
}

// noVerb says that a command has no such verb below it.
func noVerb(cmd *cobra.Command, name string) error {
	err := fmt.Errorf("there is no verb %q", name)
	if cmd.HasParent() {
		err = fmt.Errorf("there is no %s %q", cmd.Name(), name)
	}
	if cmd.SuggestionsMinimumDistance == 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		err = fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
	}
	return &usageError{cmd, err}
}

// wantPositive rejects a flag whose value is below zero.
func wantPositive[N int | time.Duration](cmd *cobra.Command, flag string, value N) error {
	if value < 0 {
		return &usageError{cmd, fmt.Errorf("--%s must not be negative, got %v", flag, value)}
	}
	return nil
}

// wantFiles is for a verb that reads at least one and at most the given number of files; 0 means
// any number.
func wantFiles(most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return &usageError{cmd, errors.New("give a FILE, or - for the standard input")}
		case most > 0 && len(args) > most:
			return &usageError{cmd, fmt.Errorf("%s reads one file, got %d", cmd.Name(), len(args))}
		}
		return nil
	}
}
