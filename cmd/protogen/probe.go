package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/probe"
	"github.com/ccwire/ccwire/internal/terminal"
)

func init() { register(newProbe) }

// probeWriters write the report of a probe in each format.
var probeWriters = map[string]func(io.Writer, *probe.Report) error{
	"text":     func(w io.Writer, r *probe.Report) error { return r.Text(w) },
	"json":     func(w io.Writer, r *probe.Report) error { return printJSON(w, r) },
	"markdown": func(w io.Writer, r *probe.Report) error { return r.Markdown(w) },
}

var probeFormats = []string{"text", "json", "markdown"}

// probeFlags are the flags of probe.
type probeFlags struct {
	bin, npm, format string
	json             bool
	network          bool
	accepts          bool
	out              string
	only             []string
	trace            bool
}

func newProbe() *cobra.Command {
	var f probeFlags
	cmd := &cobra.Command{
		Use:   "probe --npm VERSION|--bin PATH",
		Short: "Find what a CLI recognises and the schemas do not have",
		Long: `Probe takes names from the strings of a CLI's package and from the schemas, and
sends each to the CLI: as a control request, as the type of a line, as a hook
event, as a permission mode and as a flag. What comes back for a name that is
made up tells how the CLI refuses one, and so which names it recognises.

It lists what is recognised and not in the schemas, and what the schemas have
for this version and is not recognised. Where a version does not let the names
of a kind be told apart, it says so. It runs offline and takes a few minutes.

With --accepts it takes lines as SDKs write them, changes one member at a time,
plays them and says what the CLI does with each: it uses or takes it, ignores it,
loses the line, refuses it, or ends (fatal). That takes several minutes too.

Findings do not make it fail.`,
		Example: `  protogen probe --npm ` + npm.Pinned() + `
  protogen probe --npm latest --format markdown
  protogen probe --bin ~/.local/bin/claude --json
  protogen probe --accepts --npm ` + npm.Pinned() + ` --frame user,control_request/initialize`,
		Annotations: exits(map[string]string{"130": "stopped by a signal"}),
		Args:        wantNothing,
		RunE:        func(cmd *cobra.Command, args []string) error { return runProbe(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.bin, "bin", "", "probe the CLI at this `path`")
	flags.StringVar(&f.npm, "npm", "", "probe this `version` of the CLI from npm, or latest; it is installed once and kept")
	flags.BoolVar(&f.network, "shared-network", false, "do not give the CLI a network of its own, where the system would allow it")
	flags.StringVar(&f.format, "format", "text", "text, json (as --json) or markdown")
	flags.BoolVar(&f.accepts, "accepts", false, "find what the CLI accepts of an SDK instead")
	flags.StringVar(&f.out, "out", "", "with --accepts, add what is found to the files in this `folder`, such as conformance/accepts")
	flags.StringSliceVar(&f.only, "frame", nil, "with --accepts, play only lines of these `frames`, such as user,control_request/set_model")
	flags.BoolVar(&f.trace, "trace", false, "with --accepts, write a line to stderr for each change")
	addJSON(cmd, &f.json)
	completeWith(cmd, "format", probeFormats...)
	completeBy(cmd, "npm", npmWords)
	return cmd
}

func runProbe(cmd *cobra.Command, f *probeFlags) error {
	target := targetFlags{network: f.network}
	switch {
	case f.bin == "" && f.npm == "":
		return &usageError{cmd, errors.New("give the CLI to probe: --bin PATH or --npm VERSION")}
	case f.bin != "" && f.npm != "":
		return &usageError{cmd, errors.New("--bin and --npm exclude each other")}
	case f.bin != "":
		target.bin = []string{f.bin}
	default:
		target.npm = []string{f.npm}
	}
	format, err := formatOf(cmd, f.json, f.format)
	if err != nil {
		return err
	}
	if probeWriters[format] == nil {
		return &usageError{cmd, fmt.Errorf("no such format %q: %s", format, strings.Join(probeFormats, ", "))}
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	targets, err := target.open(ctx, cmd)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	if f.accepts {
		return probeAccepts(ctx, cmd, targets[0], f)
	}
	report, err := probeTarget(ctx, cmd, targets[0])
	if err != nil {
		return err
	}
	return probeWriters[format](cmd.OutOrStdout(), report)
}

// probeTarget probes a CLI and shows how far it is.
func probeTarget(ctx context.Context, cmd *cobra.Command, t suite.Target) (*probe.Report, error) {
	known, err := probe.FlagNames()
	if err != nil {
		return nil, err
	}
	status := terminal.NewStatus(cmd.ErrOrStderr())
	defer status.Clear()
	status.Show("probe: the names in the package")
	at := "the names in the package"
	report, err := probe.Run(ctx, t, probe.Options{Flags: known, Progress: func(kind probe.Kind, done, all int) {
		at = fmt.Sprintf("%s, %d of %d", kind, done, all)
		status.Show("probe: " + at)
	}})
	if err != nil && ctx.Err() != nil {
		return nil, &stoppedError{"while it probed: " + at}
	}
	return report, err
}
