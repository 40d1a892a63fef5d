package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mostSuggestions is how many words are offered in place of a wrong one.
const mostSuggestions = 3

// suggest adds to an error about a word which known words look like it.
func suggest(err error, word string, known []string) error {
	if words := near(word, known); len(words) > 0 {
		return fmt.Errorf("%w; did you mean %s?", err, strings.Join(words, " or "))
	}
	return err
}

// near returns the known words that a user may have meant, the nearest first: those that few edits
// lead to, then those that start with the word.
func near(word string, known []string) []string {
	word = strings.ToLower(word)
	most := 1 + len(word)/4
	far := map[string]int{}
	for _, k := range known {
		lower := strings.ToLower(k)
		if d := edits(word, lower); d <= most {
			far[k] = d
		} else if len(word) > 2 && strings.HasPrefix(lower, word) {
			far[k] = most + 1
		}
	}
	words := make([]string, 0, len(far))
	for k := range far {
		words = append(words, k)
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(far[a], far[b]), cmp.Compare(a, b)) })
	return words[:min(len(words), mostSuggestions)]
}

// edits returns how many bytes must be put in, left out or replaced to make b of a.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
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
