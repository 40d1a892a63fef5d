package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/recording/compat"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/evidence"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/schema"
)

func init() { register(newCompatibility) }

func newCompatibility() *cobra.Command {
	var out, readme string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compatibility",
		Short: "Print which version of the CLI supports what",
		Long: `Compatibility prints a Markdown document with tables of features and versions, made
from the recordings of ccwire, and the definitions of the schemas that no recording
has.

With --readme it also puts a short form, how many scenarios of each area hold,
into a Markdown file, between the lines
  ` + compat.Begin + `
  ` + compat.End,
		Example: `  protogen compatibility --out docs/compatibility.md --readme README.md
  protogen compatibility --json`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(checkFile("out", out), checkReadme(readme)); err != nil {
				return err
			}
			doc, err := readCompatibility()
			if err != nil {
				return err
			}
			if readme != "" {
				if err := updateReadme(readme, doc); err != nil {
					return err
				}
			}
			var b bytes.Buffer
			if asJSON {
				err = printJSON(&b, doc)
			} else {
				err = doc.Markdown(&b)
			}
			if err != nil {
				return err
			}
			if out != "" {
				return writeFile("out", out, b.Bytes())
			}
			_, err = cmd.OutOrStdout().Write(b.Bytes())
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the `file` to write to (default: the standard output)")
	cmd.Flags().StringVar(&readme, "readme", "", "also bring the short form in this `file` up to date")
	addJSON(cmd, &asJSON)
	return cmd
}

func readCompatibility() (*compat.Document, error) {
	sessions, err := corpus.All()
	if err != nil {
		return nil, err
	}
	all, err := scenario.All()
	if err != nil {
		return nil, err
	}
	set := schema.Default()
	return compat.New(set, evidence.Read(set, sessions), sessions, all), nil
}

// checkReadme rejects a file that has no place for the short form.
func checkReadme(path string) error {
	if path == "" {
		return nil
	}
	return rewriteReadme(path, func(text []byte) ([]byte, error) {
		_, err := compat.Replace(text, "")
		return text, err
	})
}

func updateReadme(path string, doc *compat.Document) error {
	return rewriteReadme(path, func(text []byte) ([]byte, error) { return compat.Replace(text, doc.Summary()) })
}

// rewriteReadme writes the file anew if f changes it.
func rewriteReadme(path string, f func([]byte) ([]byte, error)) error {
	old, err := os.ReadFile(path)
	if cause := (*fs.PathError)(nil); errors.As(err, &cause) {
		return fmt.Errorf("--readme %s: %w: give a Markdown file that exists", path, cause.Err)
	}
	if err != nil {
		return err
	}
	text, err := f(old)
	if err != nil {
		return fmt.Errorf("--readme %s: %w", path, err)
	}
	if bytes.Equal(text, old) {
		return nil
	}
	return os.WriteFile(path, text, 0o644)
}
