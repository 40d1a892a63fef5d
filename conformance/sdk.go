package conformance

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ccwire/ccwire/conformance/driver"
	_ "github.com/ccwire/ccwire/conformance/sim" // this program is the simulated CLI when it is started as such
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// An SDK is something to judge as an SDK: see [Driver], [Command] and [Program].
type SDK struct {
	argv  []string
	spawn bool
	serve func(in io.Reader, out io.Writer) error
}

// Driver is an SDK in Go, in the process of the test.
func Driver(d *driver.SDK) SDK {
	if d == nil {
		return SDK{}
	}
	return SDK{serve: d.Serve}
}

// Command is a driver in any language: a program that uses the SDK as it is told on its stdin, and
// tells on its stdout what the SDK gave it. docs/drivers.md has the protocol. The program is run
// without a shell, for each scenario anew; the paths in argv are from here.
func Command(argv ...string) SDK { return SDK{argv: argv} }

// Program is a program that sends one prompt through the SDK and ends. It is judged on the wire
// alone, by the scenarios that need nothing else. The simulated CLI is the claude in its PATH, and
// its path is in CCWIRE_CLAUDE.
func Program(argv ...string) SDK { return SDK{argv: argv, spawn: true} }

// prepare returns what is played with an SDK that has said what it is.
func (s SDK) prepare(ctx context.Context, o *Options) (*sdk.Options, error) {
	if s.serve == nil && len(s.argv) == 0 {
		return nil, errors.New("conformance: no SDK: use Driver, Command or Program")
	}
	all, err := sdk.All()
	if o.Scenarios != nil {
		all, err = sdk.With(o.Scenarios)
	}
	if err != nil {
		return nil, fmt.Errorf("conformance: %w", err)
	}
	chosen, known, err := choose(o, all)
	if err != nil {
		return nil, err
	}
	subject := &sdk.Subject{Args: append([]string(nil), s.argv...), Spawn: s.spawn, Serve: s.serve, Env: o.Env}
	if s.serve == nil {
		if err := subject.Resolve(); err != nil {
			return nil, err
		}
	}
	if err := subject.Probe(ctx); err != nil {
		return nil, err
	}
	return &sdk.Options{
		Scenarios: chosen, Subject: subject, Parallel: o.Parallel, Timeout: o.Timeout, Known: known, Progress: o.progress(),
	}, nil
}

// RunSDK plays the scenarios for SDKs with an SDK, several at once. The error says that nothing
// could be judged: the driver does not start, or does not say that it is ready. When ctx ends, what
// runs is stopped and cleaned up, and RunSDK returns the cause.
func RunSDK(ctx context.Context, s SDK, o *Options) (*Report, error) {
	o = o.orDefault()
	run, err := s.prepare(ctx, o)
	if err != nil {
		return nil, err
	}
	result, err := sdk.Run(ctx, *run)
	if err != nil {
		return nil, err
	}
	result.WantJudged()
	return o.finish(result)
}
