package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/suite/sdk/kit"
)

func newInitSDK() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "init LANG [DIR]",
		Short: "Write a driver to begin with",
		Long: `Init writes what a repository needs to judge its SDK into the folder DIR, conformance if it
is not given: a driver that works without an SDK, with REPLACE where yours is to be called; the
file for --config; an empty list of known failures; and a workflow. It is run in the root
of the repository, and says what to do next.

A file that is there is not replaced, unless with --force.`,
		Example:     `  protogen conform sdk init go`,
		Annotations: exits(nil),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return &usageError{cmd, fmt.Errorf("give a language (%s) and, if you like, a folder", strings.Join(kit.Languages(), ", "))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "conformance"
			if len(args) == 2 {
				dir = filepath.Clean(args[1])
			}
			return initSDK(cmd, args[0], dir, force)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return kit.Languages(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace files that are there")
	return cmd
}

func initSDK(cmd *cobra.Command, lang, dir string, force bool) error {
	start, err := kit.New(lang, dir)
	if err != nil {
		return &usageError{cmd, err}
	}
	if err := checkFolder("DIR", dir); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "--DIR "))
	}
	names := slices.Sorted(maps.Keys(start.Files))
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); !force && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already: choose another folder, or replace what is there with --force", filepath.Join(dir, name))
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out := &errorWriter{w: cmd.OutOrStdout()}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), start.Files[name], 0o644); err != nil {
			return err
		}
		out.printf("wrote %s\n", filepath.Join(dir, name))
	}
	config := filepath.Join(dir, "conform.json")
	out.printf("\nNext:\n")
	if lang == "go" {
		out.printf("  go get github.com/ccwire/ccwire@latest\n")
	}
	if start.Build != "" {
		out.printf("  %s\n", start.Build)
	}
	out.printf("  protogen conform sdk --config %s --check-driver\n", config)
	out.printf("  replace what says REPLACE by calls of your SDK, declare its features, and check again\n")
	out.printf("  protogen conform sdk --config %s --write-known-failing %s\n", config, filepath.Join(dir, "known-failing.txt"))
	out.printf("  copy %s to .github/workflows/conformance.yml\n", filepath.Join(dir, "workflow.yml"))
	return out.err
}
