package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

func init() { register(newCLI) }

func newCLI() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cli",
		Short: "Say where the CLIs are that --npm has installed",
		Long: `Cli is about the versions of the Claude Code CLI that --npm has installed. They are
kept below the user's folder for caches, ccwire/cli; CCWIRE_CACHE names another
folder.`,
		Example: `  protogen cli list
  protogen cli path ` + npm.Pinned(),
		Args: wantVerb,
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCLIList(), newCLIPath())
	return cmd
}

func newCLIList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the versions that are installed",
		Long:  "List prints each version that is installed, its size and its executable.",
		Example: `  protogen cli list
  protogen cli list --json`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := installedCLIs()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), append([]*npm.Installed{}, list...))
			}
			for _, one := range list {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%-12s %8s  %s\n", one.Version, megabytes(one.Bytes), one.Path); err != nil {
					return err
				}
			}
			return nil
		},
	}
	addJSON(cmd, &asJSON)
	return cmd
}

// installedCLIs returns the versions in the cache, the oldest first.
func installedCLIs() ([]*npm.Installed, error) {
	cache, err := npm.DefaultCache()
	if err != nil {
		return nil, err
	}
	list, err := cache.List()
	slices.SortFunc(list, func(a, b *npm.Installed) int { return corpus.Compare(a.Version, b.Version) })
	return list, err
}

func newCLIPath() *cobra.Command {
	var install, asJSON bool
	cmd := &cobra.Command{
		Use:   "path VERSION",
		Short: "Print the executable of a version",
		Long: `Path prints where the executable of a version is, or of a tag of npm such as latest.
With --install it is installed first if it is not there.`,
		Example: `  protogen cli path ` + npm.Pinned() + `
  protogen cli path --install latest`,
		Annotations: exits(map[string]string{"1": "the version is not installed"}),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{cmd, fmt.Errorf("give one version, got %d", len(args))}
			}
			return nil
		},
		ValidArgsFunction: completeFirst(npmWords),
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := findCLI(cmd, args[0], install)
			if errors.Is(err, npm.ErrNotInstalled) {
				printError(cmd.ErrOrStderr(), fmt.Errorf("%w: run \"protogen cli path --install %s\"", err, args[0]))
				return errFindings
			}
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), found)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), found.Path)
			return err
		},
	}
	cmd.Flags().BoolVar(&install, "install", false, "install the version if it is not there")
	addJSON(cmd, &asJSON)
	return cmd
}

func findCLI(cmd *cobra.Command, name string, install bool) (*npm.Installed, error) {
	ctx, stop := interruptible(cmd)
	defer stop()
	version, err := resolveNPM(ctx, cmd, name)
	if err != nil {
		return nil, unlessStopped(ctx, err)
	}
	cache, err := npm.DefaultCache()
	if err != nil {
		return nil, err
	}
	if install {
		if _, err := installNPM(ctx, cmd, cache, version); err != nil {
			return nil, unlessStopped(ctx, err)
		}
	}
	return cache.Find(version)
}

// npmWords returns what --npm can be given without asking npm: versions that are installed or
// recorded, and latest.
func npmWords() []string {
	words := []string{cobra.CompletionWithDesc("latest", "the newest on npm")}
	list, _ := installedCLIs() // no cache is an empty one
	recorded := corpus.Versions()
	for _, one := range list {
		words = append(words, cobra.CompletionWithDesc(one.Version, "installed"))
		recorded = slices.DeleteFunc(recorded, func(v string) bool { return v == one.Version })
	}
	for _, v := range recorded {
		words = append(words, cobra.CompletionWithDesc(v, "recorded"))
	}
	return words
}

// megabytes returns a size for people.
func megabytes(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%d kB", (n+999)/1000)
	}
	return fmt.Sprintf("%d MB", (n+500_000)/1_000_000)
}
