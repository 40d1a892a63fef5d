package suite

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/transport/cli"
)

// Known is a list of failures that are expected.
//
// Each line has a pattern for scenarios, a condition on the version where it is not for all, and
// after "#" the reason:
//
//	hook/timeout [<2.1.200]  # the hook fails open
//	survive/noise sometimes  # a race in the reader
//
// What fails sometimes may pass too: neither is a problem. Lines that are empty or begin with "#"
// say nothing.
type Known []KnownEntry

// KnownEntry is one line of the list.
type KnownEntry struct {
	Line     int
	Pattern  Glob
	Versions scenario.Range
	// Sometimes says that a pass is expected as much as a failure.
	Sometimes bool
	Reason    string
}

var knownLine = regexp.MustCompile(`^(\S+)(?:\s+\[([^\]]*)\])?(\s+sometimes)?\s+#\s*(\S.*)$`)

// ParseKnown reads a list. A line without a reason is an error.
func ParseKnown(r io.Reader) (Known, error) {
	var list Known
	in := bufio.NewScanner(r)
	for number := 1; in.Scan(); number++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e, err := parseKnownEntry(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		e.Line = number
		list = append(list, e)
	}
	return list, in.Err()
}

func parseKnownEntry(line string) (e KnownEntry, err error) {
	m := knownLine.FindStringSubmatch(line)
	if m == nil {
		return e, errors.New("want PATTERN [>=VERSION <VERSION] [sometimes] # reason")
	}
	e = KnownEntry{Pattern: Glob(m[1]), Sometimes: m[3] != "", Reason: m[4]}
	if err := e.Pattern.Check(); err != nil {
		return e, err
	}
	if m[2] != "" {
		e.Versions, err = scenario.ParseRange(m[2])
	}
	return e, err
}

// Narrow returns the list for a run of some of the scenarios: without the entries that are for
// others alone. An entry that is for no scenario at all stays, and is a problem of the run.
func Narrow[S Named](k Known, all, chosen []S) Known {
	in := func(e KnownEntry, list []S) bool {
		return slices.ContainsFunc(list, func(s S) bool { return e.Pattern.Match(s.FullName()) })
	}
	return slices.DeleteFunc(slices.Clone(k), func(e KnownEntry) bool { return in(e, all) && !in(e, chosen) })
}

// find returns the first entry for the scenario, -1 if there is none.
func (k Known) find(name string, v cli.Version) int {
	for i, e := range k {
		if e.Pattern.Match(name) && e.Versions.Contains(v) {
			return i
		}
	}
	return -1
}

// Lists reports whether a scenario is expected to fail on a target that is not a CLI, of a version
// that may be anything.
func (k Known) Lists(name, version string) bool {
	v, _ := cli.ParseVersion(version) // as for Apply
	return k.find(name, v) >= 0
}

// Apply marks the known failures in the report of one target that is not a CLI, of a version that
// may be anything.
func (k Known) Apply(r *Report, version string) {
	v, _ := cli.ParseVersion(version) // conditions on the version of one that has none do not hold
	versions := map[string]cli.Version{}
	for _, t := range r.Targets {
		versions[t] = v
	}
	k.apply(r, versions)
}

// apply marks the known failures in a report. A listed case that passes, and an entry that no case
// stands for, are problems.
func (k Known) apply(r *Report, versions map[string]cli.Version) {
	used := make([]bool, len(k))
	for i := range r.Results {
		res := &r.Results[i]
		e := k.find(res.Scenario, versions[res.Target])
		if e < 0 || res.Status == NotApplicable {
			continue
		}
		used[e] = true
		k.mark(res, versions[res.Target])
		if res.Status == Pass && !k[e].Sometimes {
			r.Problems = append(r.Problems, fmt.Sprintf("%s on %s passes, but line %d of the known failures lists it (%s)",
				res.Scenario, res.Target, k[e].Line, k[e].Reason))
		}
	}
	for i, e := range k {
		if !used[i] {
			r.Problems = append(r.Problems, fmt.Sprintf("line %d of the known failures (%s) matches nothing that was run", e.Line, string(e.Pattern)))
		}
	}
}

// mark marks a failure that is known.
func (k Known) mark(r *Result, v cli.Version) {
	if e := k.find(r.Scenario, v); e >= 0 && r.Status == Fail {
		r.Status = KnownFailing
		r.Reason = k[e].Reason + ": " + r.Reason
	}
}

// Of returns the entry for a scenario on a CLI of a version, alone; none if there is none.
func (k Known) Of(name string, v cli.Version) Known {
	if i := k.find(name, v); i >= 0 {
		return k[i : i+1]
	}
	return nil
}

// OfSDK is Of for a target that is not a CLI, of a version that may be anything.
func (k Known) OfSDK(name, version string) Known {
	v, _ := cli.ParseVersion(version) // as for Apply
	return k.Of(name, v)
}
