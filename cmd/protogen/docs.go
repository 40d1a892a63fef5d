package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/url"
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
	var out, base string
	cmd := &cobra.Command{
		Use:   "docs --out DIR",
		Short: "Write the manual of the protocol, in Markdown and HTML",
		Long: `Docs writes the manual of the protocol to a folder: Markdown pages, one for each area
and those of the guide, and manual.html, one page with all of it that can be
searched and needs no network and no other file.

Every entry has its members, the versions of the CLI that have it, the scenarios
that show it, the Go type, and an example that a real CLI or its peer wrote.
"protogen explain" prints an entry in the terminal.

With --base the page leads to the schemas, scenarios and Go files that it names: it
is the address below which the files of this repository are.`,
		Example: `  protogen docs --out manual
  protogen docs --out manual --base https://github.com/ccwire/ccwire/blob/main`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return &usageError{cmd, errors.New("--out is required: name the folder to write to")}
			}
			if err := checkFolder("out", out); err != nil {
				return err
			}
			if err := checkBase(base); err != nil {
				return &usageError{cmd, err}
			}
			return writeManual(out, base)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the `folder` to write to; it is made if it does not exist")
	cmd.Flags().StringVar(&base, "base", "", "the `address` below which the files of the repository are")
	return cmd
}

// checkBase returns an error if a page cannot link below an address.
func checkBase(base string) error {
	if base == "" {
		return nil
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "file" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("--base %q: want an address such as https://example.com/ccwire", base)
	}
	return nil
}

// writeManual writes all forms of the manual to a folder.
func writeManual(dir, base string) error {
	m, err := manual.Load()
	if err != nil {
		return err
	}
	files, err := markdown.Files(m)
	if err != nil {
		return err
	}
	var html bytes.Buffer
	if err := page.Write(&html, m, base); err != nil {
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
