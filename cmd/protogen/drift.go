package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/drift"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/inventory"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/probe"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/transport/cli"
)

func init() { register(newDrift) }

// driftWriters write a drift in each format.
var driftWriters = map[string]func(io.Writer, *drift.Drift) error{
	"text":     func(w io.Writer, d *drift.Drift) error { return d.Text(w) },
	"json":     func(w io.Writer, d *drift.Drift) error { return printJSON(w, d) },
	"markdown": func(w io.Writer, d *drift.Drift) error { return d.Markdown(w) },
	"html":     func(w io.Writer, d *drift.Drift) error { return d.HTML(w) },
}

var driftFormats = []string{"text", "json", "markdown", "html"}

// npmPrefix marks a version that is to be recorded now.
const npmPrefix = "npm:"

// driftFlags are the flags of drift.
type driftFlags struct {
	from, to, bin, format, out string
	scenario                   []string
	json                       bool
	network                    bool
	noProbe                    bool
	parallel                   int
}

func newDrift() *cobra.Command {
	var f driftFlags
	cmd := &cobra.Command{
		Use:   "drift [--from VERSION|FOLDER] --to VERSION|FOLDER|npm:VERSION",
		Short: "Say what changed on the wire between two versions of the CLI",
		Long: `Drift compares what two versions say in the same scenarios: lines, members, JSON
kinds, values, replies and exit codes. What changed is listed by what it means
for an SDK: it breaks SDKs, it is new, it is cosmetic. Each change is one entry,
with the scenarios that show it and those that fail by it.

A version is one of those recorded in ccwire, a folder is one that protogen
record has written, DIR/VERSION. With npm:VERSION, npm:latest or --bin PATH, the
CLI is recorded now, which takes a few minutes. Without --from a version is
compared with the recorded one before it, and what was recorded elsewhere or
now with the recording of its own version, if there is one.

A CLI that is recorded now is also probed, as protogen probe does, and the end
lists what it recognises and the schemas do not have. That is not a change;
--no-probe leaves it out.`,
		Example: `  protogen drift --to npm:latest
  protogen drift --from 2.1.250 --to ` + npm.Pinned() + `
  protogen drift --from ` + npm.Pinned() + ` --to /tmp/recordings/VERSION --format markdown`,
		Annotations: exits(map[string]string{"1": "something changed", "130": "stopped by a signal"}),
		Args:        wantNothing,
		RunE:        func(cmd *cobra.Command, args []string) error { return runDrift(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "the older `version`, or a folder of its recordings (default: the nearest recorded one)")
	flags.StringVar(&f.to, "to", "", "the newer `version`, a folder of its recordings, or npm:VERSION to record it now")
	flags.StringVar(&f.bin, "bin", "", "in place of --to: record the CLI at this `path` now")
	flags.StringVar(&f.out, "out", "", "keep what is recorded now in this `folder`")
	flags.StringArrayVar(&f.scenario, "scenario", nil, "compare only scenarios that match this `pattern` (area, name or area/name; may be repeated)")
	flags.IntVar(&f.parallel, "parallel", 0, "how many sessions are recorded at once (default: one more than there are processors)")
	flags.BoolVar(&f.network, "shared-network", false, "do not give the CLI a network of its own, where the system would allow it")
	flags.BoolVar(&f.noProbe, "no-probe", false, "do not look for what the CLI recognises beyond the schemas")
	flags.StringVar(&f.format, "format", "text", "text, json (as --json), markdown or html")
	addJSON(cmd, &f.json)
	completeWith(cmd, "format", driftFormats...)
	completeWith(cmd, "from", corpus.Versions()...)
	completeWith(cmd, "to", append(corpus.Versions(), npmPrefix+"latest")...)
	completeBy(cmd, "scenario", scenarioPatterns)
	return cmd
}

func runDrift(cmd *cobra.Command, f *driftFlags) error {
	format, err := f.check(cmd)
	if err != nil {
		return err
	}
	chosen, err := selectScenarios(cmd, f.scenario, nil)
	if err != nil {
		return err
	}
	if f.from != "" {
		if _, err := recordingsOf(f.from); err != nil {
			return err // before the work for the other one
		}
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	to, done, err := f.newer(ctx, cmd, chosen)
	if err != nil {
		return err
	}
	defer done()
	var probed *probe.Report
	if to.target != nil && !f.noProbe {
		if probed, err = probeTarget(ctx, cmd, to.target); err != nil {
			return err
		}
	}
	if _, err := recordingsOf(to.name); err != nil {
		return err
	}
	b, err := readInventory(to.name)
	if err != nil {
		return err
	}
	if f.from == "" {
		f.from = comparedWith(b.Version, to.name == b.Version)
	}
	a, err := readInventory(f.from)
	if err != nil {
		return err
	}
	if len(f.scenario) > 0 {
		only(chosen, a, b)
	}
	d := drift.Compare(a, b, scenarioApplies, scenarioVaries)
	d.Probe = probed
	if err := driftWriters[format](cmd.OutOrStdout(), d); err != nil {
		return err
	}
	if !d.Empty() {
		return errFindings
	}
	return nil
}

// check looks for mistakes in the flags and returns the format.
func (f *driftFlags) check(cmd *cobra.Command) (string, error) {
	live := f.bin != "" || strings.HasPrefix(f.to, npmPrefix)
	switch {
	case f.to == "" && f.bin == "":
		return "", &usageError{cmd, errors.New("give --to, or --bin")}
	case f.to != "" && f.bin != "":
		return "", &usageError{cmd, errors.New("--to and --bin exclude each other")}
	case f.noProbe && !live:
		return "", &usageError{cmd, errors.New("--no-probe is for what is recorded now: --to npm:VERSION or --bin PATH")}
	case f.out != "" && !live:
		return "", &usageError{cmd, errors.New("--out is for what is recorded now: --to npm:VERSION or --bin PATH")}
	}
	format, err := formatOf(cmd, f.json, f.format)
	if err != nil {
		return "", err
	}
	if driftWriters[format] == nil {
		return "", &usageError{cmd, fmt.Errorf("no such format %q: %s", format, strings.Join(driftFormats, ", "))}
	}
	return format, wantPositive(cmd, "parallel", f.parallel)
}

// A newerCLI is the CLI that another one is compared with.
type newerCLI struct {
	name   string       // its version, or the folder of its recordings
	target suite.Target // if it was recorded now
}

// newer returns the newer CLI, which it records if it must. Done removes what is not to be kept.
func (f *driftFlags) newer(ctx context.Context, cmd *cobra.Command, chosen []*scenario.Scenario) (to newerCLI, done func(), err error) {
	target := targetFlags{network: f.network}
	if version, ok := strings.CutPrefix(f.to, npmPrefix); ok {
		target.npm = []string{version}
	} else if f.bin != "" {
		target.bin = []string{f.bin}
	} else {
		return newerCLI{name: f.to}, func() {}, nil
	}
	targets, err := target.open(ctx, cmd)
	if err != nil {
		return to, nil, unlessStopped(ctx, err)
	}
	out, done := f.out, func() {}
	if out == "" {
		if out, err = os.MkdirTemp("", "ccwire-drift-"); err != nil {
			return to, nil, err
		}
		done = func() { os.RemoveAll(out) }
	}
	session := recordSession{out: out, scenarios: chosen, targets: targets, parallel: f.parallel, timeout: suite.DefaultTimeout}
	if _, err := session.run(ctx, cmd); err != nil {
		done()
		return to, nil, err
	}
	return newerCLI{filepath.Join(out, targets[0].Version().String()), targets[0]}, done, nil
}

// comparedWith returns the newest recorded version up to one, the oldest if all are newer, and the
// newest if the version is not known. That of the same version is left out if it would be compared
// with itself.
func comparedWith(version string, itself bool) string {
	if version == "" {
		return corpus.Newest()
	}
	known := corpus.Versions()
	older := known[0]
	for _, k := range known {
		if order := corpus.Compare(k, version); order < 0 || order == 0 && !itself {
			older = k
		}
	}
	return older
}

// only removes the scenarios that were not chosen.
func only(chosen []*scenario.Scenario, inventories ...*inventory.Inventory) {
	names := map[string]bool{}
	for _, s := range chosen {
		names[s.Name] = true
	}
	for _, inv := range inventories {
		for name := range inv.Scenarios {
			if !names[name] {
				delete(inv.Scenarios, name)
			}
		}
	}
}

// scenarioApplies reports whether a scenario is for a version. One that is no longer there is for
// none.
func scenarioApplies(name, version string) bool {
	v, err := cli.ParseVersion(version)
	if err != nil {
		return true
	}
	s := scenarioNamed(name)
	return s != nil && s.Versions.Contains(v)
}

// scenarioVaries reports whether a scenario says that lines of a kind come or not by chance.
func scenarioVaries(name, kind string) bool {
	s := scenarioNamed(name)
	return s != nil && scenario.LineVaries(s.Varies, kind)
}

// scenarioNamed returns the scenario of that name, nil if there is none.
func scenarioNamed(name string) *scenario.Scenario {
	all, _ := scenario.All() // they are built in, and a test parses them
	i := slices.IndexFunc(all, func(s *scenario.Scenario) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

// readInventory reads the recordings of a version, or those in a folder.
func readInventory(name string) (*inventory.Inventory, error) {
	fsys, err := recordingsOf(name)
	if err != nil {
		return nil, err
	}
	inv, err := inventory.Read(fsys)
	if err != nil {
		return nil, fmt.Errorf("recordings of %s: %w: %s", name, err, wantRecordings)
	}
	return inv, nil
}

const wantRecordings = "give a folder DIR/VERSION that protogen record has written"

// recordingsOf returns the folder with the recordings of a version, or the folder of that name.
func recordingsOf(name string) (fs.FS, error) {
	if v, err := cli.ParseVersion(name); err == nil {
		known := corpus.Versions()
		if !slices.Contains(known, v.String()) {
			return nil, fmt.Errorf("there are no recordings of %s, only of %s, nearest %s: record it, or %s",
				name, strings.Join(known, " "), strings.Join(versionsBeside(name, known), " and "), wantRecordings)
		}
		return corpus.FS(v.String())
	}
	info, err := os.Stat(name)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return nil, fmt.Errorf("%q is neither a version nor a folder: %w: %s", name, path.Err, wantRecordings)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%q is a file: %s", name, wantRecordings)
	}
	return os.DirFS(name), nil
}
