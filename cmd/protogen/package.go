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

	"github.com/ccwire/ccwire/cmd/protogen/internal/regenerate"
	"github.com/ccwire/ccwire/internal/buildinfo"
	"github.com/ccwire/ccwire/internal/packages"
	"github.com/ccwire/ccwire/internal/packages/crate"
	"github.com/ccwire/ccwire/internal/packages/gomod"
	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/internal/packages/npm"
	"github.com/ccwire/ccwire/internal/packages/pypi"
	"github.com/ccwire/ccwire/internal/shipped"
	"github.com/ccwire/ccwire/schema"
)

func init() { register(newPackage) }

// targets are the registries that packages are made for.
var targets = map[string]packages.Target{
	"crate": crate.Target{},
	"go":    gomod.Target{},
	"npm":   npm.Target{},
	"pypi":  pypi.Target{},
}

func newPackage() *cobra.Command {
	var out, programs, version string
	var asJSON bool
	names := slices.Sorted(maps.Keys(targets))
	cmd := &cobra.Command{
		Use:   "package " + strings.Join(names, "|") + " --out DIR",
		Short: "Make the packages of ccwire for a registry",
		Long: `Package writes the packed files that a registry takes as they are, and that its
client installs: types and validators, helpers for tests, and this command, which
is in a package for each platform.

For Go it is a folder that a module proxy serves, made of the last commit of the
checkout in which it runs.

With --programs, the programs are those that "make binaries" has put into a
folder. Without it, there is one: this program, for this platform.`,
		Example: `  protogen package npm --out dist
  protogen package npm --programs dist --out dist --version 0.1.0`,
		ValidArgs: names,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{cmd, fmt.Errorf("name one registry: %s", strings.Join(names, ", "))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			target, ok := targets[args[0]]
			if !ok {
				return &usageError{cmd, fmt.Errorf("unknown registry %q: use %s", args[0], strings.Join(names, ", "))}
			}
			if out == "" {
				return &usageError{cmd, errors.New("--out is required: name the folder to write to")}
			}
			if err := checkFolder("out", out); err != nil {
				return err
			}
			source, err := packageSource(programs, version)
			if err != nil {
				return err
			}
			files, err := target.Packages(source)
			if err != nil {
				return err
			}
			paths, err := writePackages(out, files)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), map[string][]string{"files": paths})
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(paths, "\n"))
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the `folder` to write to; it is made if it does not exist")
	cmd.Flags().StringVar(&programs, "programs", "", "the `folder` with protogen-OS-ARCH for each platform (default: this program)")
	cmd.Flags().StringVar(&version, "version", "", "the version of the packages (default: that of this program)")
	addJSON(cmd, &asJSON)
	return cmd
}

// writePackages writes packed files to a folder, and returns their paths.
func writePackages(dir string, files []packages.File) (paths []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// packageSource returns what packages are made of.
func packageSource(programs, version string) (*packages.Source, error) {
	s := &packages.Source{}
	root, err := regenerate.FindRoot(".")
	if err == nil {
		s.Checkout = root
	}
	if s.Info, err = packages.NewInfo(buildinfo.Read(), version); err != nil {
		return nil, err
	}
	if s.Licence, err = fs.ReadFile(shipped.Sources(), "LICENSE"); err != nil {
		return nil, err
	}
	if s.Model, err = model.New(schema.Default()); err != nil {
		return nil, err
	}
	if programs != "" {
		if s.Programs, err = packages.Programs(programs); err != nil {
			return nil, fmt.Errorf("--programs %s: %w", programs, err)
		}
		return s, nil
	}
	self, err := packages.Self()
	if err != nil {
		return nil, err
	}
	s.Programs = []packages.Program{self}
	return s, nil
}
