package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/buildinfo"
	"github.com/ccwire/ccwire/internal/shipped"
	"github.com/ccwire/ccwire/internal/vendoring"
)

func init() { register(newVendor) }

func newVendor() *cobra.Command {
	var o vendoring.Options
	var check, names, asJSON bool
	cmd := &cobra.Command{
		Use:   "vendor --out DIR [--package NAME]",
		Short: "Copy the Go types and codecs into your module",
		Long: `Vendor writes the generated types and the runtime that they need into a folder
of your module. The copy needs nothing but the standard library and Go ` + vendoring.OldestGo + `.

Run it again with a newer protogen, and the same flags, to update the copy in
place: it prints which types and members were added, removed and changed. Files
that are not part of it any more are removed. A file that protogen did not write,
or that was edited since, is never overwritten; then nothing is changed at all.

With --only, the copy has the types that you name, and what these need. A name is
that of a schema: control/initialize, message/system/init, hook/PreToolUse,
content/block/text; a part of one stands for all below it, and * for any word. An
area alone (` + strings.Join(vendoring.Areas(), ", ") + `)
has the lines and requests that carry something of it, too. A minus before a name
leaves it out. ` + "`sdk`" + ` is what a typical SDK needs. --names lists all names.

With --for, the copy has the types that the Go code of a module uses. With
--recorded, it lacks members that no CLI was recorded to write or to take. What a
copy lacks arrives as the unknown arm of its union, or in Extra, and is never lost.

A run without these flags has those of the last run.

With --with transport, packages transport and transport/cli are copied too. They
need Go ` + vendoring.OldestGoWithTransport + ` and the types of all areas.`,
		Example: `  protogen vendor --out internal/wire
  protogen vendor --out internal/wire --check   # exit 1 if the copy is not up to date
  protogen vendor --out internal/claude/protocol --package protocol
  protogen vendor --out internal/wire --only sdk --recorded
  protogen vendor --out internal/wire --for .
  protogen vendor --out internal/hooks --only control/hook_callback,hook
  protogen vendor --out internal/sdk --with transport`,
		Annotations: exits(map[string]string{"1": "with --check: the copy is not up to date"}),
		Args:        wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if names {
				return printNames(cmd.OutOrStdout())
			}
			if o.Dir == "" {
				return &usageError{cmd, errors.New("say where to write with --out DIR")}
			}
			if err := checkFolder("out", o.Dir); err != nil {
				return err
			}
			var err error
			if o.Sources, err = vendoring.Sources(shipped.Sources()); err != nil {
				return err
			}
			o.Info = buildinfo.Read()
			copied, err := vendoring.New(o)
			if err != nil {
				return err
			}
			summary, err := copied.Summary()
			if err != nil {
				return err
			}
			work := copied.Write
			if check {
				work = copied.Plan
			}
			changes, err := work()
			if err != nil {
				return err
			}
			if err := printChanges(cmd, copied, changes, summary, asJSON); err != nil {
				return err
			}
			if check && !changes.None() {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s is not up to date: run go generate there, or protogen vendor --out %s\n", o.Dir, o.Dir)
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&o.Dir, "out", "", "the folder to write to")
	cmd.Flags().StringVar(&o.Package, "package", "", "the name of the package (default: that of the folder)")
	cmd.Flags().StringSliceVar(&o.Only, "only", nil, "the types to have, by their names (default: all)")
	cmd.Flags().StringVar(&o.For, "for", "", "the `folder` of a module: have the types that its code uses")
	cmd.Flags().BoolVar(&o.Recorded, "recorded", false, "leave out members that no CLI was recorded to write or to take")
	cmd.Flags().StringSliceVar(&o.With, "with", nil, "what to copy besides the types: transport")
	cmd.Flags().BoolVar(&o.Force, "force", false, "overwrite files of the copy that were edited since")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit 1 if the copy is not up to date")
	cmd.Flags().BoolVar(&names, "names", false, "list the names for --only")
	addJSON(cmd, &asJSON)
	completeBy(cmd, "only", func() []string {
		list, _ := vendoring.Names() // of the schemas that are built in
		return append(append(vendoring.Areas(), vendoring.SDK), list...)
	})
	completeWith(cmd, "with", vendoring.Parts...)
	if err := cmd.MarkFlagDirname("out"); err != nil {
		panic(err) // there is no such flag
	}
	return cmd
}

// printNames lists what --only may name.
func printNames(out io.Writer) error {
	names, err := vendoring.Names()
	if err != nil {
		return err
	}
	for _, name := range append(append([]string{vendoring.SDK}, vendoring.Areas()...), names...) {
		if _, err := fmt.Fprintln(out, name); err != nil {
			return err
		}
	}
	return nil
}

// printChanges says what was, or would be, changed, and how to import the copy.
func printChanges(cmd *cobra.Command, c *vendoring.Copy, changes vendoring.Changes, s *vendoring.Summary, asJSON bool) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return printJSON(out, struct {
			Import  string             `json:"import"`
			Package string             `json:"package"`
			Written []string           `json:"written"`
			Removed []string           `json:"removed"`
			Types   *vendoring.Summary `json:"types,omitempty"` // compared with the copy that was there
		}{c.ImportPath, c.Package, append([]string{}, changes.Written...), append([]string{}, changes.Removed...), s})
	}
	for _, name := range changes.Written {
		fmt.Fprintln(out, "write ", name)
	}
	for _, name := range changes.Removed {
		fmt.Fprintln(out, "remove", name)
	}
	if s != nil && !s.None() {
		printSummary(out, s)
	}
	_, err := fmt.Fprintf(out, "package %s: import %q\n", c.Package, c.ImportPath)
	return err
}

// printSummary says how the types differ from those that were there.
func printSummary(out io.Writer, s *vendoring.Summary) {
	if s.From != s.To {
		fmt.Fprintf(out, "schema revision %s, was %s\n", s.To, s.From)
	}
	for _, list := range []struct {
		verb  string
		names []string
	}{{"added  ", s.Added}, {"removed", s.Removed}, {"changed", s.Changed}} {
		for _, name := range list.names {
			fmt.Fprintln(out, list.verb, name)
		}
	}
}
