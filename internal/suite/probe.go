package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/transport/cli"
)

// probeTimeout is how long a CLI may take to say its version, and to answer initialize, where the
// context has no deadline. One that takes longer is asked again, with [Patience].
const probeTimeout = 20 * time.Second

// firstInitialize is the first version that answers initialize.
var firstInitialize = cli.FeatureHooks.Since()

// NoCLIError says that a program cannot be judged because it does not behave like a CLI at all.
type NoCLIError struct {
	Path string
	Err  error
	Late bool // it was asked twice and did not answer in time
}

func (e *NoCLIError) Error() string {
	if e.Late {
		return fmt.Sprintf("%s cannot be judged: %v, the second time; that is a matter of time if the machine is busy", e.Path, e.Err)
	}
	return fmt.Sprintf("%s is not a Claude Code CLI: %v", e.Path, e.Err)
}

func (e *NoCLIError) Unwrap() error { return e.Err }

// NewProcessTarget returns the CLI at the path. It makes sure that the program says its version and
// starts as an SDK starts it; the error is a [*NoCLIError] if it does not.
func NewProcessTarget(ctx context.Context, path string) (Target, error) {
	path, err := cli.Find(path)
	if err != nil {
		return nil, err
	}
	var version cli.Version
	if err := patiently(ctx, func(ctx context.Context) (err error) {
		version, err = probeVersion(ctx, path)
		return err
	}); err != nil {
		return nil, err
	}
	t := &processTarget{name: version.String(), path: path, version: version}
	if !version.AtLeast(firstInitialize) {
		return t, nil
	}
	if err := patiently(ctx, func(ctx context.Context) error { return probeStart(ctx, t) }); err != nil {
		return nil, err
	}
	return t, nil
}

// ReleaseTarget returns the CLI at the path, which is known to be of the version.
func ReleaseTarget(path string, version cli.Version) Target {
	return &processTarget{name: version.String(), path: path, version: version}
}

// patiently asks, and asks once more with [Patience] if there was no answer in time: a CLI that a
// busy machine does not let run is not broken. A context with a deadline is the caller's patience.
func patiently(ctx context.Context, ask func(context.Context) error) error {
	if _, ok := ctx.Deadline(); ok {
		return ask(ctx)
	}
	late, err := within(ctx, probeTimeout, ask)
	if !late {
		return err
	}
	late, err = within(ctx, Patience*probeTimeout, ask)
	if none := (*NoCLIError)(nil); late && errors.As(err, &none) {
		none.Late = true
	}
	return err
}

// within reports whether there was no answer in time.
func within(ctx context.Context, limit time.Duration, ask func(context.Context) error) (late bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err = ask(ctx)
	return err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded), err
}

func probeVersion(ctx context.Context, path string) (cli.Version, error) {
	scratch, err := sandbox.NewScratch(nil)
	if err != nil {
		return cli.Version{}, err
	}
	defer scratch.Remove()
	start := time.Now()
	version, err := cli.Probe(ctx, path, scratch.Env("http://127.0.0.1:9", nil))
	var spawn *cli.SpawnError
	switch {
	case err == nil, errors.As(err, &spawn), errors.Is(ctx.Err(), context.Canceled):
		return version, err
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("it does not say its version: it was killed after %v", time.Since(start).Round(time.Second))
	}
	return version, &NoCLIError{Path: path, Err: err}
}

// probeStart starts the CLI as an SDK does and waits for the reply to initialize. The error is a
// [*NoCLIError].
func probeStart(ctx context.Context, t *processTarget) error {
	if err := answersInitialize(ctx, t); err != nil {
		return &NoCLIError{Path: t.path, Err: err}
	}
	return nil
}

func answersInitialize(ctx context.Context, t *processTarget) error {
	s, err := scenario.Parse("probe/start", []byte("The CLI answers initialize.\n\nlevel: required\nsince: 1.0.85\n-- script --\ninit\n"))
	if err != nil {
		return err
	}
	peer, err := t.Start(ctx, s)
	if err != nil {
		return err
	}
	start := time.Now()
	played := Play(ctx, s, t.version, peer)
	var step *StepError
	switch {
	case played.Err == nil, errors.As(played.Err, &step) && step.Line == 0: // how it ends is for the scenarios to say
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("it does not answer initialize: it was killed after %v%s", time.Since(start).Round(time.Second), tail(played.Exit.Stderr))
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Cause(ctx)
	case !slices.ContainsFunc(played.Entries, func(e recording.Entry) bool { return e.Dir == recording.ToSDK }):
		return fmt.Errorf("started as an SDK starts it, it ends with code %d and says nothing%s", played.Exit.Code, tail(played.Exit.Stderr))
	}
	return fmt.Errorf("started as an SDK starts it, it does not answer initialize: %w", step.Err)
}
