package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/vectors"
)

func init() { register(newVectors) }

func newVectors() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "vectors [--out FILE|FOLDER]",
		Short: "Print test vectors for any language",
		Long: `Vectors prints what is right and what is wrong as data, one JSON object per
line: the examples and the broken instances of the schemas, streams that break
parsers of lines with the frames in them, and a selection of recorded lines.
docs/vectors.md describes the members.

In a folder, each source has a file of its own. A folder is one that exists, or
a name that ends in a slash.`,
		Example: `  protogen vectors > vectors.ndjson
  protogen vectors --out vectors.ndjson
  protogen vectors --out vectors/`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := isFolder(out)
			check := checkFile
			if folder {
				check = checkFolder
			}
			if err := check("out", out); err != nil {
				return err
			}
			all, err := vectors.All()
			switch {
			case err != nil:
				return err
			case folder:
				return vectors.WriteFolder(out, all)
			case out != "":
				return vectors.WriteFile(out, all)
			}
			return vectors.Write(cmd.OutOrStdout(), all)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the file or folder to write to (default: the standard output)")
	return cmd
}

// isFolder reports whether a path that a flag names is meant to be a folder.
func isFolder(path string) bool {
	if strings.HasSuffix(path, "/") {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
