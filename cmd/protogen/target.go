package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/transport/cli"
)

// targetFlags say which CLIs a verb runs.
type targetFlags struct {
	bin     []string
	npm     []string
	network bool
	version string // of the simulated CLI; "" for the newest
}

func addTargetFlags(cmd *cobra.Command, f *targetFlags) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.bin, "bin", nil, "run the CLI at this `path` (may be repeated)")
	flags.StringSliceVar(&f.npm, "npm", nil, "run these `versions` of the CLI from npm, or latest; each is installed once and kept")
	completeBy(cmd, "npm", npmWords)
	flags.BoolVar(&f.network, "shared-network", false, "do not give the CLI a network of its own, where the system would allow it")
}

// onDisk reports whether the flags name a CLI; otherwise it is the simulated one.
func (f *targetFlags) onDisk() bool { return len(f.bin)+len(f.npm) > 0 }

// open returns the CLIs that the flags name. It installs what is missing and, where the system
// allows it, goes on in a second process whose network ends at loopback; then the exit code of that
// process is all that is left to say.
func (f *targetFlags) open(ctx context.Context, cmd *cobra.Command) (targets []suite.Target, err error) {
	paths := append([]string(nil), f.bin...)
	if len(f.npm) > 0 {
		installed, err := f.install(ctx, cmd)
		if err != nil {
			return nil, err
		}
		paths = append(paths, installed...)
	}
	if len(paths) == 0 {
		return f.simulated()
	}
	inside, code, err := true, 0, error(nil)
	if !f.network {
		inside, code, err = sandbox.Isolate()
	}
	switch {
	case errors.Is(err, sandbox.ErrNoPrivateNetwork):
		fmt.Fprintf(cmd.ErrOrStderr(), "protogen: %v; the CLI is told to use loopback only\n", err)
	case err != nil:
		return nil, err
	case !inside:
		return nil, otherExit(code)
	}
	for _, path := range paths {
		t, err := suite.NewProcessTarget(ctx, path)
		if err != nil {
			return nil, binError(path, err)
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// binError says of a program that is not there or does not start what to give instead.
func binError(path string, err error) error {
	var spawn *cli.SpawnError
	switch {
	case errors.Is(err, cli.ErrNotFound):
		return fmt.Errorf("--bin %s: not found: give the path of a CLI, or install one with --npm VERSION", path)
	case errors.As(err, &spawn):
		return fmt.Errorf("--bin %s does not start: %w: give the path of a CLI, or install one with --npm VERSION", path, spawn.Err)
	}
	return err
}

// latestEnv hands what latest stands for to the second process, which cannot ask.
const latestEnv = "CCWIRE_NPM_TAG_"

func (f *targetFlags) install(ctx context.Context, cmd *cobra.Command) (paths []string, err error) {
	cache, err := npm.DefaultCache()
	if err != nil {
		return nil, err
	}
	for _, name := range f.npm {
		version, err := resolveNPM(ctx, cmd, name)
		if err != nil {
			return nil, err
		}
		path, err := installNPM(ctx, cmd, cache, version)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// resolveNPM returns the version that a name stands for, and says so once if it is a tag.
func resolveNPM(ctx context.Context, cmd *cobra.Command, name string) (string, error) {
	known := latestEnv + strings.ToUpper(name)
	if version := os.Getenv(known); version != "" {
		return version, nil
	}
	version, err := npm.Resolve(ctx, name)
	if err != nil {
		return "", npmError(err)
	}
	if version != name {
		fmt.Fprintf(cmd.ErrOrStderr(), "protogen: %s is version %s\n", name, version)
		os.Setenv(known, version)
	}
	return version, nil
}

// installNPM returns the executable of a version. If it must be installed first, that is told.
func installNPM(ctx context.Context, cmd *cobra.Command, cache *npm.Cache, version string) (string, error) {
	done := func() {}
	cache.Log = func(text string) { done = terminal.Working(cmd.ErrOrStderr(), "protogen: "+text) }
	path, err := cache.Path(ctx, version)
	done()
	if err != nil {
		return "", npmError(err)
	}
	return path, nil
}

// npmError says of a version that npm does not have which ones are before and after it, and of a
// tag which ones look like it.
func npmError(err error) error {
	missing := (*npm.NoVersionError)(nil)
	if !errors.As(err, &missing) {
		return err
	}
	if beside := versionsBeside(missing.Name, missing.Known); len(beside) > 0 {
		return fmt.Errorf("%w; it has %s", err, strings.Join(beside, " and "))
	}
	return suggest(err, missing.Name, missing.Known)
}

func (f *targetFlags) simulated() ([]suite.Target, error) {
	t, err := simtarget.Older(f.version)
	if err != nil {
		return nil, err
	}
	return []suite.Target{t}, nil
}

// otherExit ends a verb with the code of another process that has printed everything.
type otherExit int

func (e otherExit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }
