package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/schema"
)

func init() { register(newShow) }

func newShow() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print a scenario or a schema",
		Long: `Show prints a file of ccwire that is built into protogen: "show scenario" a scenario
of the conformance suite, "show schema" a JSON Schema of the protocol.`,
		Example: `  protogen show scenario permission/deny
  protogen show schema can_use_tool`,
		Args: wantVerb,
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newShowScenario(), newShowSchema())
	return cmd
}

func newShowScenario() *cobra.Command {
	return &cobra.Command{
		Use:   "scenario [NAME]",
		Short: "Print a scenario, or list them all",
		Long: `Scenario prints the file of a scenario, AREA/NAME: what must hold, from which version
on, the script, and what the model answers. Without NAME it lists all scenarios.`,
		Example: `  protogen show scenario permission/deny
  protogen show scenario`,
		Args:              wantAtMostOne("scenario"),
		ValidArgsFunction: completeFirst(scenarioWords),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			if len(args) == 0 {
				all, err := scenario.All()
				if err != nil {
					return err
				}
				return printScenarios(out, listed(all, nil), terminal.Width(out, os.Getenv))
			}
			text, err := scenario.Source(args[0])
			if errors.Is(err, fs.ErrNotExist) {
				return &usageError{cmd, suggestScenario(fmt.Errorf("there is no scenario %q", args[0]), args[0])}
			}
			if err != nil {
				return err
			}
			_, err = out.Write(text)
			return err
		},
	}
}

func newShowSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a schema, or list them all",
		Long: `Schema prints the file of a schema. NAME is its path, control/can_use_tool, or the end
of it if that says which one: can_use_tool, PreToolUse, init. Without NAME it
lists all schemas.

"protogen bundle" prints all schemas as one document.`,
		Example: `  protogen show schema control/can_use_tool
  protogen show schema PreToolUse`,
		Args:              wantAtMostOne("schema"),
		ValidArgsFunction: completeFirst(schemaNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(schemaNames(), "\n"))
				return err
			}
			name, err := findSchema(args[0])
			if err != nil {
				return &usageError{cmd, err}
			}
			text, err := fs.ReadFile(schema.Files(), name+".json")
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
}

// schemaNames returns the paths of the schemas, without .json.
func schemaNames() (names []string) {
	files, _ := fs.Glob(schema.Files(), "*/*.json") // the pattern is well formed
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, ".json"))
	}
	return names
}

// findSchema returns the path of the schema that a user means.
func findSchema(word string) (string, error) {
	wanted := strings.ToLower(strings.TrimSuffix(word, ".json"))
	// Whose last part is the word, or the part after the last dot; and those of transcript files,
	// which count where no other does.
	var files, arms, entries, known []string
	for _, name := range schemaNames() {
		lower := strings.ToLower(name)
		_, last, _ := strings.Cut(lower, "/")
		_, arm, _ := strings.Cut(last, ".")
		switch entry := strings.HasPrefix(name, "transcript/"); {
		case wanted == lower:
			return name, nil
		case entry && (wanted == last || wanted == arm):
			entries = append(entries, name)
		case wanted == last:
			files = append(files, name)
		case wanted == arm:
			arms = append(arms, name)
		}
		known = append(known, name, last)
		if arm != "" {
			known = append(known, arm)
		}
	}
	found := files
	if len(found) == 0 {
		found = arms
	}
	if len(found) == 0 {
		found = entries
	}
	switch len(found) {
	case 0:
		return "", suggest(fmt.Errorf("there is no schema %q", word), wanted, known)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%q is the end of several names: give one of %s", word, strings.Join(found, ", "))
}

// wantAtMostOne is for a verb that takes one name or none.
func wantAtMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return &usageError{cmd, fmt.Errorf("give one %s, got %d", what, len(args))}
		}
		return nil
	}
}
