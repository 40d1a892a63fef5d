package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ccwire/ccwire/internal/near"
)

// suggest adds to an error about a word which known words look like it.
func suggest(err error, word string, known []string) error {
	if words := near.Words(word, known); len(words) > 0 {
		return fmt.Errorf("%w; did you mean %s?", err, strings.Join(words, " or "))
	}
	return err
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
