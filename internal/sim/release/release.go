// Package release knows what each recorded version of the CLI has, so that the simulated CLI can
// behave as an older one: the members of lines, the lines, the requests and the hook events that it
// knows.
//
// What it knows is in table.json.gz, which a test makes of the schemas.
package release

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// Release is a version of the CLI. It may be used by several goroutines.
type Release struct {
	version  string // that was asked for
	recorded string // whose behaviour it has
	table    *table // nil for the newest, which has everything
}

// Newest returns the newest version that is recorded.
func Newest() *Release { return &Release{version: newest, recorded: newest} }

// newest is the newest version that is recorded.
const newest = "2.1.328"

// New returns a version: "" is the newest that is recorded. A version between two recorded ones
// behaves as the older of them, and keeps its name.
func New(version string) (*Release, error) {
	if version == "" || version == newest {
		return Newest(), nil
	}
	all := Versions()
	n, ok := parse(version)
	switch {
	case !ok:
		return nil, fmt.Errorf("%q is not a version of the CLI: give one of %s, or one between them", version, strings.Join(all, ", "))
	case slices.Compare(n[:], numbers(newest)) > 0:
		return nil, fmt.Errorf("the CLI %s is newer than %s, the newest that is simulated: give one of %s, or one between them", version, newest, strings.Join(all, ", "))
	}
	r := &Release{version: version}
	for _, v := range all {
		if slices.Compare(numbers(v), n[:]) <= 0 {
			r.recorded = v
		}
	}
	if r.recorded == "" {
		return nil, fmt.Errorf("the CLI %s is older than %s, the oldest that is simulated: give one of %s, or one between them", version, all[0], strings.Join(all, ", "))
	}
	r.table = tableFor(r.recorded)
	return r, nil
}

// String is the version as it was asked for.
func (r *Release) String() string { return r.version }

// Recorded is the recorded version whose behaviour it has.
func (r *Release) Recorded() string { return r.recorded }

// Newest reports whether it is the newest, which writes everything.
func (r *Release) Newest() bool { return r.table == nil }

// Before reports whether the behaviour is that of a version older than the given one.
func (r *Release) Before(version string) bool { return Older(r.recorded, version) }

// Line returns a line as the version writes it: without the members that came later, and in its
// order. It is false if the whole line came later.
func (r *Release) Line(o object.Object) (object.Object, bool) {
	if r.table == nil {
		return o, true
	}
	v, ok := r.table.line.fit(o)
	if !ok {
		return nil, false
	}
	o = v.(object.Object)
	for _, order := range r.table.orders[kind(o)] {
		o = order.apply(o, order.path)
	}
	return o, true
}

// Reply returns the body of the reply to a request as the version writes it.
func (r *Release) Reply(subtype string, body any) any {
	if r.table == nil {
		return body
	}
	v, _ := r.table.replies[subtype].fit(body)
	return v
}

// ToolResult returns the result of a tool, as SDKs and hooks see it, as the version has it.
func (r *Release) ToolResult(tool string, v any) any {
	if r.table == nil {
		return v
	}
	v, _ = r.table.results[tool].fit(v)
	return v
}

// Serves reports whether the version knows a request of the SDK.
func (r *Release) Serves(subtype string) bool {
	return r.table == nil || !r.Before(r.table.requests[subtype])
}

// Calls reports whether the version knows a hook event.
func (r *Release) Calls(event string) bool {
	return r.table == nil || !r.Before(r.table.hooks[event])
}

// Has reports whether the version knows a flag, by its name without dashes. That is known of every
// version, not of the recorded ones alone.
func (r *Release) Has(flag string) bool {
	return r.table == nil || !Older(r.version, r.table.flags[flag])
}

// Older reports whether a version is older than another; none is older than "".
func Older(version, than string) bool {
	return than != "" && slices.Compare(numbers(version), numbers(than)) < 0
}

// parse reads a version such as 2.1.325.
func parse(version string) (n [3]int, ok bool) {
	parts := strings.Split(version, ".")
	if len(parts) != len(n) {
		return n, false
	}
	for i, part := range parts {
		var err error
		if n[i], err = strconv.Atoi(part); err != nil || strconv.Itoa(n[i]) != part || n[i] < 0 {
			return n, false
		}
	}
	return n, true
}

// numbers reads a version that is known to be one.
func numbers(version string) []int {
	n, _ := parse(version)
	return n[:]
}
