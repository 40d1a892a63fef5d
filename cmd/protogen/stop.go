package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// interruptible returns a context that ends when the user wants to stop.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

// A stoppedError ends a verb that the user has stopped. Its text says how far it came.
type stoppedError struct{ text string }

func (e *stoppedError) Error() string { return "stopped " + e.text + "; nothing is left running" }

// unlessStopped returns the error, or that the user has stopped the verb before it began. The exit
// code of another process stays: that process has said everything.
func unlessStopped(ctx context.Context, err error) error {
	var other otherExit
	if err == nil || ctx.Err() == nil || errors.As(err, &other) {
		return err
	}
	return &stoppedError{"before the start"}
}
