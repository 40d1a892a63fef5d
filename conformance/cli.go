package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording/capture"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
	"github.com/ccwire/ccwire/transport/cli"
)

// A CLI is something to judge as a Claude Code CLI: see [Installed], [NPM] and [Simulated].
type CLI struct {
	open func(context.Context) (suite.Target, error)
	// known are failures that are known of it; recorded says that sessions are compared with
	// recordings.
	known func(recorded bool) (suite.Known, error)
	// varied returns scenarios as they are for it; nil is as they are.
	varied func(all []*scenario.Scenario) ([]*scenario.Scenario, error)
}

// Installed is the CLI at a path, or of that name in PATH; "" is the one that [cli.Find] finds.
// Each scenario runs it in empty folders of its own, with a fake Messages API on loopback; it reads
// nothing of the user's. It has the network of the test, and is told to use loopback alone:
// "unshare -rn go test" makes sure of that.
func Installed(path string) CLI {
	return CLI{open: func(ctx context.Context) (suite.Target, error) { return suite.NewProcessTarget(ctx, path) }}
}

// NPM is a version of the CLI from npm, such as "2.1.325", or a tag such as "latest". It is
// installed once, and kept in the user's folder for caches. Scenarios run it as [Installed] says.
func NPM(version string) CLI {
	return CLI{open: func(ctx context.Context) (suite.Target, error) {
		version, err := npm.Resolve(ctx, version)
		if err != nil {
			return nil, err
		}
		cache, err := npm.DefaultCache()
		if err != nil {
			return nil, err
		}
		path, err := cache.Path(ctx, version)
		if err != nil {
			return nil, err
		}
		return suite.NewProcessTarget(ctx, path)
	}}
}

// Simulated is the simulated CLI, in this process. What it is known to do otherwise than the real
// one counts as a known failure.
func Simulated() CLI {
	return CLI{open: func(context.Context) (suite.Target, error) { return simtarget.New() }, known: simtarget.Known}
}

// SimulatedVersion is the simulated CLI as an older version, such as "2.1.250". A version that is
// not simulated is an error of [Run].
func SimulatedVersion(version string) CLI {
	return CLI{
		open:  func(context.Context) (suite.Target, error) { return simtarget.Older(version) },
		known: func(recorded bool) (suite.Known, error) { return simtarget.KnownOlder(version, recorded) },
		varied: func(all []*scenario.Scenario) ([]*scenario.Scenario, error) {
			return simtarget.Varied(version, all)
		},
	}
}

// versioned is a CLI that is judged as another version than it says.
type versioned struct {
	suite.Target
	version cli.Version
}

func (v versioned) Version() cli.Version { return v.version }

// limited is a CLI that answers at once, and so has a limit of its own.
type limited interface{ Limit() time.Duration }

// asVersion returns a CLI that says it is of another version, and has the same limit.
func asVersion(t suite.Target, v cli.Version) suite.Target {
	if l, ok := t.(limited); ok {
		return struct {
			versioned
			limited
		}{versioned{t, v}, l}
	}
	return versioned{t, v}
}

// prepare returns what is played against a CLI.
func (c CLI) prepare(ctx context.Context, o *Options) (*suite.Options, error) {
	if c.open == nil {
		return nil, errors.New("conformance: no CLI: use Installed, NPM or Simulated")
	}
	if o.Scenarios != nil {
		return nil, errors.New("conformance: the option Scenarios is for SDKs")
	}
	all, err := scenario.All()
	if err != nil {
		return nil, err
	}
	if c.varied != nil {
		if all, err = c.varied(all); err != nil {
			return nil, err
		}
	}
	chosen, known, err := choose(o, all)
	if err != nil {
		return nil, err
	}
	if c.known != nil {
		own, err := c.known(o.recorded())
		if err != nil {
			return nil, err
		}
		known = append(known, slices.DeleteFunc(own, func(e suite.KnownEntry) bool { return !matches(e, chosen) })...)
	}
	target, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	if o.Version != "" {
		v, err := cli.ParseVersion(o.Version)
		if err != nil {
			return nil, fmt.Errorf("conformance: the option Version: %w", err)
		}
		target = asVersion(target, v)
	}
	run := &suite.Options{
		Scenarios: chosen, Targets: []suite.Target{target}, Parallel: o.Parallel, Timeout: o.Timeout, Known: known, Progress: o.progress(),
	}
	if o.recorded() {
		run.Judge = capture.Judge
	}
	return run, nil
}

// Run plays the scenarios against a CLI, several at once. The error says that nothing could be
// judged; what fails is in the report. When ctx ends, what runs is stopped and cleaned up, and Run
// returns the cause.
func Run(ctx context.Context, cli CLI, o *Options) (*Report, error) {
	o = o.orDefault()
	run, err := cli.prepare(ctx, o)
	if err != nil {
		return nil, err
	}
	result, err := suite.Run(ctx, *run)
	if err != nil {
		return nil, err
	}
	if o.recorded() {
		result.Notes = append(result.Notes, capture.Unrecorded(run.Targets[0], run.Scenarios)...)
	}
	result.WantJudged()
	return o.finish(result)
}
