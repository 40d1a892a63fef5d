package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ccwire/ccwire/internal/near"
	"github.com/ccwire/ccwire/transport/cli"
)

// suggest adds to an error about a word which known words look like it.
func suggest(err error, word string, known []string) error {
	if words := near.Words(word, known); len(words) > 0 {
		return fmt.Errorf("%w; did you mean %s?", err, strings.Join(words, " or "))
	}
	return err
}

// versionsBeside returns the known versions right before and right after one; none if it is not a
// version.
func versionsBeside(version string, known []string) (beside []string) {
	wanted, err := cli.ParseVersion(version)
	if err != nil {
		return nil
	}
	var before, after cli.Version
	for _, k := range known {
		switch v, err := cli.ParseVersion(k); {
		case err != nil || strings.Contains(k, "-"):
		case v.Compare(wanted) < 0 && (before.IsZero() || v.Compare(before) > 0):
			before = v
		case v.Compare(wanted) > 0 && (after.IsZero() || v.Compare(after) < 0):
			after = v
		}
	}
	for _, v := range []cli.Version{before, after} {
		if !v.IsZero() {
			beside = append(beside, v.String())
		}
	}
	return beside
}

// wrongFlag is the usage error for flags that cannot be parsed.
func wrongFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, "--"+f.Name)
			}
		})
		err = suggest(err, "--"+unknown.GetSpecifiedName(), known)
	}
	return &usageError{cmd, err}
}
