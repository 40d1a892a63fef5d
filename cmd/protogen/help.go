package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/terminal"
)

// exits are the annotations of a verb that say what an exit code means, by its number. Codes 0 and
// 2 mean the same everywhere.
func exits(codes map[string]string) map[string]string {
	notes := map[string]string{}
	for code, meaning := range codes {
		notes[exitNote+code] = meaning
	}
	return notes
}

const exitNote = "exit "

// documentExits puts the exit codes after the help of a command and of those below it.
func documentExits(cmd *cobra.Command) {
	codes := map[string]string{
		"0": "all is fine",
		"2": "wrong usage, or an input or environment that does not allow to go on",
	}
	for note, meaning := range cmd.Annotations {
		if code, ok := strings.CutPrefix(note, exitNote); ok {
			codes[code] = meaning
		}
	}
	var b strings.Builder
	b.WriteString(strings.TrimSpace(cmd.Long))
	b.WriteString("\n\nExit codes:")
	byNumber := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
	for _, code := range slices.SortedFunc(maps.Keys(codes), byNumber) {
		fmt.Fprintf(&b, "\n  %-3s %s", code, codes[code])
	}
	cmd.Long = b.String()
	for _, sub := range cmd.Commands() {
		documentExits(sub)
	}
}

// groups are the verbs by what a person wants.
var groups = []struct {
	title string
	verbs []string
}{
	{"Look at lines of the protocol:", []string{"validate", "fmt", "tap", "view", "diff", "replay", "scrub"}},
	{"Judge and compare versions of the CLI:", []string{"conform", "drift", "bisect", "since", "probe", "sweep", "compatibility", "record", "cli"}},
	{"Write and test an SDK or a parser:", []string{"vendor", "vectors", "sim", "api", "fuzz"}},
	{"Read the specification:", []string{"explain", "docs", "show", "bundle"}},
	{"Work on ccwire itself:", []string{"generate", "package"}},
	{"About protogen:", []string{"completion", "help", "version"}},
}

// addGroups sorts the verbs into their groups.
func addGroups(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, cmd := range root.Commands() {
			if slices.Contains(g.verbs, cmd.Name()) {
				cmd.GroupID = g.title
			}
		}
	}
}

// mostHelp is how wide prose may be to be read with ease.
const mostHelp = 100

// fitHelp makes the help of all commands as wide as the terminal.
func fitHelp(root *cobra.Command, width int) {
	width = min(width, mostHelp)
	flags := fmt.Sprintf(".FlagUsagesWrapped %d", width)
	template := strings.NewReplacer(".FlagUsages", flags, "for more information about a command", "for more about a command")
	root.SetUsageTemplate(template.Replace(root.UsageTemplate()))
	var fit func(*cobra.Command)
	fit = func(cmd *cobra.Command) {
		cmd.Long = terminal.Reflow(cmd.Long, width)
		for _, sub := range cmd.Commands() {
			fit(sub)
		}
	}
	fit(root)
}

// addHelp adds the verb help, which does not take an unknown name for the root.
func addHelp(root *cobra.Command) {
	root.SetHelpCommand(&cobra.Command{
		Use:     "help [VERB]",
		Short:   "Show the help of a verb",
		Long:    "Help shows what a verb does, its flags, its exit codes and examples.",
		Example: `  protogen help validate`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) (names []string, _ cobra.ShellCompDirective) {
			if at, rest, err := root.Find(args); err == nil && len(rest) == 0 {
				for _, sub := range at.Commands() {
					if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), word) {
						names = append(names, sub.Name()+"\t"+sub.Short)
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil {
				return &usageError{root, err}
			}
			if len(rest) > 0 {
				return noVerb(found, rest[0])
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	})
	root.InitDefaultHelpCmd()
}
