package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/near"
	"github.com/ccwire/ccwire/internal/reports"
	"github.com/ccwire/ccwire/internal/suite"
)

// Options say what to play and how. A nil *Options is the zero value: everything, as the command
// protogen conform does it.
type Options struct {
	// Run and Skip are patterns for the scenarios to play, all if Run is empty, and to leave out:
	// an area, AREA/NAME, or either with the wildcards of path.Match. A pattern that matches no
	// scenario is an error.
	Run, Skip []string

	// KnownFailing lists failures that are expected, one on a line: a pattern, a condition on the
	// version where it is not for all, and the reason.
	//
	//	hook/timeout [<2.1.200]  # the hook fails open
	//	survive/noise sometimes  # a race in the reader
	//
	// A listed scenario that passes is a failure, unless it fails only sometimes, and so is a line
	// that matches no scenario.
	KnownFailing string

	// Scenarios has scenarios of your own for SDKs, AREA/NAME.txtar, which are played beside those
	// that are built in; docs/sdk-scenarios.md describes them. None may have the name of another.
	Scenarios fs.FS

	// Version is the version to judge a CLI as, in place of what it says of itself.
	Version string
	// IgnoreRecordings judges a CLI by the scenarios and the laws of a session alone, also where
	// there is a recording of the same version. Recordings are of Linux, and ignored elsewhere.
	IgnoreRecordings bool

	// Env is added to the environment of a [Command] or [Program], NAME=value.
	Env []string

	// Timeout bounds a scenario that sets no time of its own; 0 means 60 s for a CLI and 45 s for
	// an SDK. Of these, one step with an SDK may take 12 s, and a driver has 60 s before that to
	// say that it is ready.
	//
	// What fails by a time alone is played once more in the end, alone and with three times the
	// time, until such plays have taken five minutes.
	Timeout time.Duration
	// Parallel is how many scenarios [Run] and [RunSDK] play at once; 0 chooses by the number of
	// processors. In tests it is the flag -parallel of go test.
	Parallel int

	// JSON, JUnit and HTML are files that the report is written to; "" for none.
	JSON, JUnit, HTML string

	// Progress, if set, is called by [Run] and [RunSDK] after each scenario, by one goroutine at a
	// time.
	Progress func(done, all int, r Result)
}

func (o *Options) orDefault() *Options {
	if o == nil {
		return &Options{}
	}
	return o
}

func (o *Options) recorded() bool { return !o.IgnoreRecordings && runtime.GOOS == "linux" }

// choose returns the scenarios to play and their known failures. A known failure that is for
// scenarios which are not chosen says nothing; one that is for none at all stays, and is a problem.
func choose[S suite.Named](o *Options, all []S) (chosen []S, known suite.Known, err error) {
	if o.Timeout < 0 || o.Parallel < 0 {
		return nil, nil, fmt.Errorf("conformance: the options Timeout and Parallel must not be negative, got %v and %d", o.Timeout, o.Parallel)
	}
	chosen, err = suite.Select(all, globs(o.Run), globs(o.Skip))
	if none := (*suite.NoMatchError)(nil); errors.As(err, &none) {
		if words := near.Words(string(none.Pattern), suite.Names(all)); len(words) > 0 {
			err = fmt.Errorf("%w; did you mean %s?", err, strings.Join(words, " or "))
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("conformance: %w", err)
	}
	if known, err = suite.ParseKnown(strings.NewReader(o.KnownFailing)); err != nil {
		return nil, nil, fmt.Errorf("conformance: the option KnownFailing: %w", err)
	}
	return chosen, suite.Narrow(known, all, chosen), nil
}

// matches reports whether a known failure can be that of one of the scenarios.
func matches[S suite.Named](e suite.KnownEntry, list []S) bool {
	return slices.ContainsFunc(list, func(s S) bool { return e.Pattern.Match(s.FullName()) })
}

func globs(patterns []string) (list []suite.Glob) {
	for _, p := range patterns {
		list = append(list, suite.Glob(p))
	}
	return list
}

func (o *Options) progress() func(done, all int, r *suite.Result) {
	if o.Progress == nil {
		return nil
	}
	return func(done, all int, r *suite.Result) { o.Progress(done, all, newResult(r)) }
}

// finish writes the files of a report.
func (o *Options) finish(r *suite.Report) (*Report, error) {
	var errs []error
	for _, f := range []struct {
		path   string
		format reports.Format
	}{{o.JSON, reports.JSON}, {o.JUnit, reports.JUnit}, {o.HTML, reports.HTML}} {
		if f.path != "" {
			errs = append(errs, reports.ToFile(f.path, r, f.format))
		}
	}
	return newReport(r), errors.Join(errs...)
}
