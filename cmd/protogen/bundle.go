package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

func init() { register(newBundle) }

// bundleFlags are the flags of bundle.
type bundleFlags struct {
	purpose     string
	direction   string
	closed      bool
	annotations bool
	out         string
}

func newBundle() *cobra.Command {
	var flags bundleFlags
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Print the schemas as one JSON Schema document",
		Long: `Bundle prints one JSON Schema document that holds the whole protocol and needs
no other file.

By default it is for validators (draft 2020-12), which need no options for it:
its root is a line, its $defs hold every other definition.

With --for codegen it is for generators of types (draft 7): unions have known
arms only, an open enum is a string, and the root is an index: from_cli and
from_sdk are the lines of a direction, control_responses maps the subtype of a
request to its response, hook_outputs an event to its output, tool_inputs and
tool_results the name of a built-in tool to what it takes and returns. With
--direction it has what that side sends: its lines, requests and answers.
Readers take --direction from-cli, writers --direction from-sdk --closed.`,
		Example: `  protogen bundle > ccwire.schema.json
  protogen bundle --for codegen --out ccwire.codegen.json`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := bundle(cmd, flags)
			if err != nil {
				return err
			}
			if flags.out != "" {
				return writeFile("out", flags.out, text)
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
	cmd.Flags().StringVar(&flags.purpose, "for", "validation", "what reads the document: validation or codegen")
	cmd.Flags().StringVar(&flags.direction, "direction", "either", "whose lines it is about: from-cli, from-sdk or either")
	cmd.Flags().BoolVar(&flags.closed, "closed", false, "with codegen: objects have the members that are named and no others")
	cmd.Flags().BoolVar(&flags.annotations, "annotations", false, "with validation: keep the annotations x-…, which strict validators refuse")
	cmd.Flags().StringVar(&flags.out, "out", "", "the file to write to (default: the standard output)")
	completeWith(cmd, "for", "validation", "codegen")
	completeWith(cmd, "direction", "either", "from-cli", "from-sdk")
	return cmd
}

// bundle returns the document that the flags ask for.
func bundle(cmd *cobra.Command, flags bundleFlags) ([]byte, error) {
	direction, ok := directions[flags.direction]
	if !ok {
		return nil, &usageError{cmd, fmt.Errorf("unknown --direction %q: use from-cli, from-sdk or either", flags.direction)}
	}
	if flags.closed && flags.purpose != "codegen" {
		return nil, &usageError{cmd, errors.New("--closed needs --for codegen")}
	}
	if flags.annotations && flags.purpose != "validation" {
		return nil, &usageError{cmd, errors.New("--annotations needs --for validation")}
	}
	switch flags.purpose {
	case "validation":
		return schema.Default().Bundle(schema.BundleOptions{Direction: direction, Annotations: flags.annotations})
	case "codegen":
		return schema.Default().CodegenBundle(schema.CodegenOptions{Direction: direction, Closed: flags.closed, Name: naming.New().Definition})
	}
	return nil, &usageError{cmd, fmt.Errorf("unknown --for %q: use validation or codegen", flags.purpose)}
}
