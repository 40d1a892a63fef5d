package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/seeds"
	"github.com/ccwire/ccwire/internal/terminal"
)

func newFuzzCorpus() *cobra.Command {
	var out, format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "corpus --out DIR",
		Short: "Write inputs for any fuzzer",
		Long: `Corpus writes streams that break parsers of lines (DIR/framing) and single frames of
all kinds (DIR/frames), one input in a file. The format is plain for libFuzzer,
AFL++, atheris and the like, with a dictionary for them: DIR/ccwire.dict has the
names of members, the tags and the values of the schemas, and JSON's punctuation.
DIR/harness has a harness for each of AFL++, libFuzzer, Atheris, Jazzer.js and
cargo-fuzz.
The format go writes files for testdata/fuzz/FuzzName of a target with one []byte.`,
		Example: `  protogen fuzz corpus --out corpus
  protogen fuzz corpus --out testdata/fuzz --format go`,
		Args: wantNothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case out == "":
				return &usageError{cmd, errors.New("give the folder with --out")}
			case !slices.Contains(seeds.Formats, seeds.Format(format)):
				return &usageError{cmd, fmt.Errorf("unknown --format %q: use plain or go", format)}
			}
			if err := checkFolder("out", out); err != nil {
				return err
			}
			n, err := seeds.Write(out, seeds.Format(format))
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), map[string]any{"files": n, "out": out})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s in %s\n", terminal.Count(n, "file"), out)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the folder to write to")
	cmd.Flags().StringVar(&format, "format", string(seeds.Plain), "of the files: plain or go")
	addJSON(cmd, &asJSON)
	completeWith(cmd, "format", string(seeds.Plain), string(seeds.Go))
	return cmd
}
