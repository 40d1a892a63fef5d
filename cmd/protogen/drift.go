package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/conformance/drift"
	"github.com/ccwire/ccwire/conformance/inventory"
	"github.com/ccwire/ccwire/conformance/recordings"
	"github.com/ccwire/ccwire/transport"
)

func init() { register(newDrift) }

func newDrift() *cobra.Command {
	var from, to, format string
	cmd := &cobra.Command{
		Use:   "drift --from VERSION|FOLDER --to VERSION|FOLDER",
		Short: "Say what changed on the wire between two versions of the CLI",
		Long: `Drift compares recordings of two versions: new, gone and changed kinds of lines,
members, JSON kinds and values, requests that are answered otherwise, scenarios
that go another way, and what the schemas do not name yet. A version is one of
those that ccwire brings along; a folder is one that protogen record has written,
DIR/VERSION.

The exit code is 1 if something changed.`,
		Example: `  protogen drift --from 2.1.250 --to 2.1.325
  protogen drift --from 2.1.325 --to /tmp/recordings/2.1.400 --format markdown`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if from == "" || to == "" {
				return &usageError{cmd, errors.New("give --from and --to")}
			}
			a, err := readInventory(from)
			if err != nil {
				return err
			}
			b, err := readInventory(to)
			if err != nil {
				return err
			}
			d := drift.Compare(a, b)
			switch format {
			case "text":
				err = d.Text(cmd.OutOrStdout())
			case "markdown":
				err = d.Markdown(cmd.OutOrStdout())
			case "json":
				err = printJSON(cmd.OutOrStdout(), d)
			default:
				return &usageError{cmd, fmt.Errorf("no such format %q: text, json or markdown", format)}
			}
			if err == nil && !d.Empty() {
				err = errFindings
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&from, "from", "", "the older `version`, or a folder of its recordings")
	flags.StringVar(&to, "to", "", "the newer `version`, or a folder of its recordings")
	flags.StringVar(&format, "format", "text", "text, json or markdown")
	completeWith(cmd, "format", "text", "json", "markdown")
	return cmd
}

// readInventory reads the recordings of a version, or those in a folder.
func readInventory(name string) (*inventory.Inventory, error) {
	var fsys fs.FS
	if v, err := transport.ParseVersion(name); err == nil {
		if fsys, err = recordings.FS(v); err != nil {
			return nil, err
		}
	} else {
		if _, err := os.Stat(name); err != nil {
			return nil, fmt.Errorf("%q is neither a version nor a folder: %w", name, err)
		}
		fsys = os.DirFS(name)
	}
	inv, err := inventory.Read(fsys)
	if err != nil {
		return nil, fmt.Errorf("recordings of %s: %w", name, err)
	}
	return inv, nil
}
