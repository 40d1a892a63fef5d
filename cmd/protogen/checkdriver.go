package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/drivercheck"
	"github.com/ccwire/ccwire/internal/terminal"
)

// checkDriver prints what is wrong with a driver.
func (f *sdkFlags) checkDriver(ctx context.Context, cmd *cobra.Command, s *sdk.Subject) error {
	if s.Spawn {
		return &usageError{cmd, errors.New("--check-driver is for --driver: a program has no protocol to keep")}
	}
	s.Ready = f.ready
	report, err := drivercheck.Run(ctx, s, 0)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	if f.json != "" {
		err = printListJSON(cmd.OutOrStdout(), report, f.json)
	} else {
		err = printDriverReport(cmd.OutOrStdout(), report)
	}
	if err == nil && report.Wrong() > 0 {
		err = errFindings
	}
	return err
}

// printDriverReport prints a line for each check, and below it what is wrong.
func printDriverReport(w io.Writer, r *drivercheck.Report) error {
	out := &errorWriter{w: w}
	if r.SDK != "" {
		out.printf("%s, %s\n", r.SDK, terminal.Count(len(r.Features), "feature"))
	}
	for _, res := range r.Results {
		switch res.Status {
		case drivercheck.OK:
			out.printf("  ok     %s\n", res.Check)
		case drivercheck.NotDeclared:
			out.printf("  -      %s (%s)\n", res.Check, res.Problem)
		case drivercheck.Wrong:
			whose := "the driver"
			if res.MaybeSDK {
				whose = "the driver or the SDK"
			}
			out.printf("  WRONG  %s\n         must hold: %s\n         %s: %s\n", res.Check, res.Rule, whose, terminal.Printable(res.Problem))
			if res.Stderr != "" {
				out.printf("         stderr: %s\n", terminal.Printable(res.Stderr))
			}
		}
	}
	if n := r.Wrong(); n > 0 {
		out.printf("%s found something wrong with the driver\n", terminal.Count(n, "check"))
	} else {
		out.printf("nothing is wrong with the driver: what the scenarios find is the SDK's\n")
	}
	return out.err
}

// errorWriter keeps the first error of printing.
type errorWriter struct {
	w   io.Writer
	err error
}

func (e *errorWriter) printf(format string, args ...any) {
	if e.err == nil {
		_, e.err = fmt.Fprintf(e.w, format, args...)
	}
}
