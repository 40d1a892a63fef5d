package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/conformance/drift"
	"github.com/ccwire/ccwire/internal/conformance/inventory"
	"github.com/ccwire/ccwire/internal/conformance/npm"
	"github.com/ccwire/ccwire/internal/conformance/recordings"
	"github.com/ccwire/ccwire/transport/cli"
)

func init() { register(newDrift) }

var driftFormats = []string{"text", "json", "markdown"}

func newDrift() *cobra.Command {
	var from, to, format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "drift --from VERSION|FOLDER --to VERSION|FOLDER",
		Short: "Say what changed on the wire between two versions of the CLI",
		Long: `Drift compares recordings of two versions: new, gone and changed kinds of lines,
members, JSON kinds and values, requests that are answered otherwise, scenarios
that go another way, and what the schemas do not name yet. A version is one of
those recorded in ccwire; a folder is one that protogen record has written,
DIR/VERSION.`,
		Example: `  protogen drift --from 2.1.250 --to ` + npm.Pinned() + `
  protogen drift --from ` + npm.Pinned() + ` --to /tmp/recordings/VERSION --format markdown`,
		Annotations: exits(map[string]string{"1": "something changed"}),
		Args:        wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if from == "" || to == "" {
				return &usageError{cmd, errors.New("give --from and --to")}
			}
			format, err := formatOf(cmd, asJSON, format)
			if err != nil {
				return err
			}
			if !slices.Contains(driftFormats, format) {
				return &usageError{cmd, fmt.Errorf("no such format %q: text, json or markdown", format)}
			}
			if _, err := recordingsOf(to); err != nil {
				return err // before the work for the other one
			}
			a, err := readInventory(from, inventory.Read)
			if err != nil {
				return err
			}
			b, err := readInventory(to, inventory.Read)
			if err != nil {
				return err
			}
			d := drift.Compare(a, b)
			switch format {
			case "markdown":
				err = d.Markdown(cmd.OutOrStdout())
			case "json":
				err = printJSON(cmd.OutOrStdout(), d)
			default:
				err = d.Text(cmd.OutOrStdout())
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
	flags.StringVar(&format, "format", "text", "text, json (as --json) or markdown")
	addJSON(cmd, &asJSON)
	completeWith(cmd, "format", driftFormats...)
	completeWith(cmd, "from", recordings.Versions()...)
	completeWith(cmd, "to", recordings.Versions()...)
	return cmd
}

// readInventory reads the recordings of a version, or those in a folder.
func readInventory(name string, read func(fs.FS) (*inventory.Inventory, error)) (*inventory.Inventory, error) {
	fsys, err := recordingsOf(name)
	if err != nil {
		return nil, err
	}
	inv, err := read(fsys)
	if err != nil {
		return nil, fmt.Errorf("recordings of %s: %w: %s", name, err, wantRecordings)
	}
	return inv, nil
}

const wantRecordings = "give a folder DIR/VERSION that protogen record has written"

// recordingsOf returns the folder with the recordings of a version, or the folder of that name.
func recordingsOf(name string) (fs.FS, error) {
	if v, err := cli.ParseVersion(name); err == nil {
		known := recordings.Versions()
		if !slices.Contains(known, v.String()) {
			err := fmt.Errorf("there are no recordings of %s, only of %s: record it, or %s",
				name, strings.Join(known, " "), wantRecordings)
			return nil, suggest(err, name, known)
		}
		return recordings.FS(v.String())
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
