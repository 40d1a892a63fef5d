package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// addCompletion adds the verb completion, with arguments checked as for the other verbs.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Example = `  protogen completion bash > ~/.local/share/bash-completion/completions/protogen`
		cmd.Args = wantVerb
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return cmd.Help() }
		for _, shell := range cmd.Commands() {
			shell.Example = "  " + shell.CommandPath()
			shell.Args = wantNothing
		}
	}
}

// completeWith gives the shell the values of a flag.
func completeWith(cmd *cobra.Command, flag string, values ...string) {
	completeBy(cmd, flag, func() []string { return values })
}

// completeBy gives the shell the values of a flag, which are made when it asks. A list with commas
// is completed at its end.
func completeBy(cmd *cobra.Command, flag string, values func() []string) {
	list := cmd.Flags().Lookup(flag)
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		before := ""
		if list != nil && list.Value.Type() == "stringSlice" {
			before = word[:strings.LastIndex(word, ",")+1]
		}
		words := startingWith(values(), word[len(before):])
		for i := range words {
			words[i] = before + words[i]
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag does not exist
	}
}

// completeFirst gives the shell the words for the first argument.
func completeFirst(words func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return startingWith(words(), word), cobra.ShellCompDirectiveNoFileComp
	}
}

func startingWith(words []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, prefix) })
}
