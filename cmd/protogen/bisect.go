package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/drift"
	"github.com/ccwire/ccwire/internal/history/bisect"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/terminal"
)

func init() { register(newBisect) }

// bisectFlags are the flags of bisect.
type bisectFlags struct {
	from, to               string
	verdict, keep, network bool
	json                   bool
	scenario               string
}

func newBisect() *cobra.Command {
	var f bisectFlags
	cmd := &cobra.Command{
		Use:   "bisect SCENARIO --from VERSION [--to VERSION]",
		Short: "Find the release of the CLI that changed a scenario",
		Long: `Bisect installs releases of the CLI from npm, plays a scenario on each, and halves
what is between --from and --to until it has two neighbours that differ: in
whether the scenario holds, or in the lines, as drift compares them. It says what
came of each step, and ends with the two releases and what changed.

A release that cannot be installed or played is skipped, and said. If the ends
are alike, nothing between them is looked at. A scenario that changed more than
once has more than one such pair; one of them is found.`,
		Example: `  protogen bisect turn/text --from 2.1.200
  protogen bisect permission/deny --from 1.0.59 --to 2.0.77 --verdict`,
		Annotations: exits(map[string]string{"1": "something changed", "130": "stopped by a signal"}),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{cmd, fmt.Errorf("give one scenario, got %d", len(args))}
			}
			return nil
		},
		ValidArgsFunction: completeFirst(scenarioPatterns),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.scenario = args[0]
			return runBisect(cmd, &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "the oldest `version`")
	flags.StringVar(&f.to, "to", "latest", "the newest `version`, or a tag of npm")
	flags.BoolVar(&f.verdict, "verdict", false, "compare only whether the scenario holds")
	flags.BoolVar(&f.keep, "keep", false, "keep the releases that are installed for this")
	flags.BoolVar(&f.network, "shared-network", false, "do not give the CLI a network of its own, where the system would allow it")
	addJSON(cmd, &f.json)
	completeBy(cmd, "from", npmWords)
	completeBy(cmd, "to", npmWords)
	return cmd
}

func runBisect(cmd *cobra.Command, f *bisectFlags) error {
	if f.from == "" {
		return &usageError{cmd, errors.New("--from is missing: the oldest version")}
	}
	chosen, err := selectScenarios(cmd, []string{f.scenario}, nil)
	if err != nil {
		return err
	}
	if len(chosen) > 1 {
		return &usageError{cmd, fmt.Errorf("%s are %d scenarios: give one", f.scenario, len(chosen))}
	}
	f.scenario = chosen[0].Name
	ctx, stop := interruptible(cmd)
	defer stop()
	releases, err := f.releases(ctx, cmd)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	steps := 0
	player := &releasePlayer{scenario: f.scenario, network: f.network, keep: f.keep}
	search := bisect.Search[*releasePlayed]{
		Judge: player.play,
		Same:  func(a, b *releasePlayed) bool { return a.same(b, f.verdict) },
		Step: func(release string, v *releasePlayed, same bool, err error) {
			steps++
			var text string
			switch {
			case err != nil:
				text = "skipped: " + terminal.Printable(err.Error())
			case release == releases[0]:
				text = v.verdict()
			case same:
				text = v.verdict() + ", as in " + releases[0]
			default:
				text = v.verdict() + ", not as in " + releases[0]
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", release, text)
		},
	}
	change, err := search.Find(ctx, releases)
	switch {
	case ctx.Err() != nil:
		return &stoppedError{fmt.Sprintf("after %s", terminal.Count(steps, "release"))}
	case err != nil:
		return err
	}
	return f.print(cmd, player, releases, change)
}

// releases returns what npm has from the oldest to the newest version.
func (f *bisectFlags) releases(ctx context.Context, cmd *cobra.Command) ([]string, error) {
	all, err := npm.Versions(ctx)
	if err != nil {
		return nil, err
	}
	if f.to, err = resolveNPM(ctx, cmd, f.to); err != nil {
		return nil, err
	}
	for _, v := range []string{f.from, f.to} {
		if !slices.Contains(all, v) {
			return nil, npmError(&npm.NoVersionError{Name: v, Known: all})
		}
	}
	if corpus.Compare(f.from, f.to) >= 0 {
		return nil, &usageError{cmd, fmt.Errorf("--from %s is not older than --to %s", f.from, f.to)}
	}
	list := slices.DeleteFunc(all, func(v string) bool {
		return strings.Contains(v, "-") || corpus.Compare(v, f.from) < 0 || corpus.Compare(v, f.to) > 0
	})
	slices.SortFunc(list, corpus.Compare)
	fmt.Fprintf(cmd.ErrOrStderr(), "protogen: %s from %s to %s on npm\n", terminal.Count(len(list), "release"), f.from, f.to)
	return list, nil
}

// print prints what was found.
func (f *bisectFlags) print(cmd *cobra.Command, player *releasePlayer, releases []string, c *bisect.Change) error {
	out := cmd.OutOrStdout()
	if f.json {
		return f.printJSON(cmd, releases, c)
	}
	if c == nil {
		_, err := fmt.Fprintf(out, "%s: %s and %s are alike\n", f.scenario, releases[0], releases[len(releases)-1])
		return err
	}
	fmt.Fprintf(out, "%s: changed in %s; %s is as %s\n", f.scenario, c.After, c.Before, releases[0])
	if len(c.Skipped) > 0 {
		fmt.Fprintf(out, "between them, and not to be played: %s\n", strings.Join(c.Skipped, " "))
	}
	if c.More {
		fmt.Fprintf(out, "there is another change up to %s\n", releases[len(releases)-1])
	}
	a, b := player.played[c.Before], player.played[c.After]
	if a.inventory == nil || b.inventory == nil {
		fmt.Fprintf(out, "%s: %s\n%s: %s\n", c.Before, a.verdict(), c.After, b.verdict())
		return errFindings
	}
	fmt.Fprintln(out)
	if err := drift.Compare(a.inventory, b.inventory, nil, scenarioVaries).Text(out); err != nil {
		return err
	}
	return errFindings
}

// printJSON prints what was found for machines; before and after are "" if nothing changed.
func (f *bisectFlags) printJSON(cmd *cobra.Command, releases []string, c *bisect.Change) error {
	found := c != nil
	if !found {
		c = &bisect.Change{}
	}
	err := printJSON(cmd.OutOrStdout(), map[string]any{
		"scenario": f.scenario, "from": releases[0], "to": releases[len(releases)-1],
		"before": c.Before, "after": c.After, "skipped": append([]string{}, c.Skipped...), "more": c.More,
	})
	if err == nil && found {
		err = errFindings
	}
	return err
}
