package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/markdown"
	"github.com/ccwire/ccwire/internal/manual/page"
)

func init() { register(newDocs) }

func newDocs() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "docs --out DIR",
		Short: "Write the manual of the protocol, in Markdown and HTML",
		Long: `Docs writes the manual of the protocol to a folder: Markdown pages, one for each area
and those of the guide, and manual.html, one page with all of it that can be
searched and needs no network and no other file.

Every entry has its members, the versions of the CLI that have it, the scenarios
that show it, the Go type, and an example that a real CLI or its peer wrote.
"protogen explain" prints an entry in the terminal.`,
		Example: `  protogen docs --out manual`,
		Args:    wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return &usageError{cmd, errors.New("--out is required: name the folder to write to")}
			}
			if err := checkFolder("out", out); err != nil {
				return err
			}
			return writeManual(out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the `folder` to write to; it is made if it does not exist")
	return cmd
}

// writeManual writes all forms of the manual to a folder.
func writeManual(dir string) error {
	m, err := manual.Load()
	if err != nil {
		return err
	}
	files, err := markdown.Files(m)
	if err != nil {
		return err
	}
	var html bytes.Buffer
	if err := page.Write(&html, m); err != nil {
		return err
	}
	files["manual.html"] = html.Bytes()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}
