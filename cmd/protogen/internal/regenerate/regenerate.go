// Package regenerate brings what is generated in a checkout of ccwire up to date: the lists of arms
// in the schemas and what the recordings show of each definition, the types in gen/wire, what is
// made from the table of the CLI's flags, and the packed recordings, which are built into protogen.
package regenerate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/ccwire/ccwire/internal/flaggen"
	"github.com/ccwire/ccwire/internal/generator"
	"github.com/ccwire/ccwire/internal/generator/schemaedit"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/evidence"
	"github.com/ccwire/ccwire/internal/recording/pack"
	"github.com/ccwire/ccwire/internal/typings"
	"github.com/ccwire/ccwire/schema"
)

const modulePath = "github.com/ccwire/ccwire"

// The folders of a checkout that matter, slash-separated.
const (
	schemaDir = "schema"
	wireDir   = "gen/wire"
	cliDir    = "transport/cli"
	docsDir   = "docs"

	recordingsDir  = "conformance/recordings"
	transcriptsDir = "conformance/transcripts"
)

// FindRoot returns the root of the checkout that dir is in.
func FindRoot(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for root := start; ; root = filepath.Dir(root) {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil && modfile.ModulePath(text) == modulePath {
			return root, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if root == filepath.Dir(root) {
			return "", fmt.Errorf("%s is not in a checkout of %s: change to one first", start, modulePath)
		}
	}
}

// Write brings the checkout at root up to date, and returns the files that it has changed, as
// slash-separated paths from root.
func Write(root string) ([]string, error) {
	if err := checkSchemas(root); err != nil {
		return nil, err
	}
	flags, err := readFlags(root)
	if err != nil {
		return nil, err
	}
	schemas, err := updateSchemas(root, filepath.Join(root, schemaDir))
	if err != nil {
		return nil, err
	}
	files, err := generator.Generate(os.DirFS(filepath.Join(root, schemaDir)))
	if err != nil {
		return nil, err
	}
	types, err := generator.Write(files, filepath.Join(root, filepath.FromSlash(wireDir)))
	if err != nil {
		return nil, err
	}
	others, err := eachFlagFile(root, flags, generator.Write)
	if err != nil {
		return nil, err
	}
	packs, err := eachPack(root, pack.Update)
	return changed(schemas, types, slices.Concat(others, packs)), err
}

// Stale returns the files that Write would change. It works on a copy of the schemas and leaves the
// checkout alone.
func Stale(root string) (stale []string, err error) {
	if err := checkSchemas(root); err != nil {
		return nil, err
	}
	flags, err := readFlags(root)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "protogen-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if err := copySchemas(temp, os.DirFS(filepath.Join(root, schemaDir))); err != nil {
		return nil, err
	}
	schemas, err := updateSchemas(root, temp)
	if err != nil {
		return nil, err
	}
	files, err := generator.Generate(os.DirFS(temp))
	if err != nil {
		return nil, err
	}
	types, err := generator.Stale(files, filepath.Join(root, filepath.FromSlash(wireDir)))
	if err != nil {
		return nil, err
	}
	others, err := eachFlagFile(root, flags, generator.Stale)
	if err != nil {
		return nil, err
	}
	packs, err := eachPack(root, pack.Stale)
	return changed(schemas, types, slices.Concat(others, packs)), err
}

// updateSchemas brings the schemas in dir up to date: the lists of arms, then what the recordings
// of the checkout at root say of each definition. It returns the files that it has changed.
func updateSchemas(root, dir string) ([]string, error) {
	arms, err := schemaedit.UpdateArms(dir)
	if err != nil {
		return nil, err
	}
	set, err := schema.Load(os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	sessions, err := corpus.Load(os.DirFS(filepath.Join(root, filepath.FromSlash(recordingsDir))))
	if err != nil {
		return nil, err
	}
	if len(sessions) == 0 {
		return nil, fmt.Errorf("there are no recordings in %s: run git checkout %s", filepath.Join(root, recordingsDir), recordingsDir)
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(typings.File)))
	if err != nil {
		return nil, err
	}
	declared, err := typings.Parse(text)
	if err != nil {
		return nil, err
	}
	history, err := schemaedit.UpdateHistory(dir, evidence.Read(set, sessions).Histories(declared.Required()))
	if err != nil {
		return nil, err
	}
	return union(arms, history), nil
}

// union returns the names of both lists, each once.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// readFlags returns what is made from the table of flags, by folder and name.
func readFlags(root string) (map[string]map[string][]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(cliDir), "flags.json"))
	if err != nil {
		return nil, err
	}
	table, err := flaggen.Parse(text)
	if err != nil {
		return nil, err
	}
	source, err := table.GoFile()
	if err != nil {
		return nil, err
	}
	return map[string]map[string][]byte{
		cliDir:  {"flags_gen.go": source},
		docsDir: {"flags.md": table.Markdown()},
	}, nil
}

// eachFlagFile calls do, which is generator.Write or generator.Stale, for the files of readFlags.
// It returns paths from root.
func eachFlagFile(root string, flags map[string]map[string][]byte, do func(files map[string][]byte, dir string) ([]string, error)) ([]string, error) {
	var names []string
	for dir, files := range flags {
		done, err := do(files, filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil {
			return nil, err
		}
		for _, name := range done {
			names = append(names, path.Join(dir, name))
		}
	}
	return names, nil
}

// eachPack calls do, which is pack.Update or pack.Stale, for the recordings and the entries of
// transcripts. It returns paths from root.
func eachPack(root string, do func(dir string) ([]string, error)) (names []string, err error) {
	for _, dir := range []string{recordingsDir, transcriptsDir} {
		done, err := do(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil {
			return nil, err
		}
		for _, name := range done {
			names = append(names, path.Join(dir, name))
		}
	}
	return names, nil
}

// checkSchemas makes sure that there are schemas to generate from.
func checkSchemas(root string) error {
	dir := filepath.Join(root, schemaDir)
	list, err := fs.Glob(os.DirFS(dir), "*/*.json")
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("there are no schemas in %s: run git checkout %s", dir, schemaDir)
	}
	return err
}

// changed joins the names of schema files, of generated types, and the paths of other files.
func changed(schemas, types, others []string) []string {
	names := others
	for _, name := range schemas {
		names = append(names, path.Join(schemaDir, name))
	}
	for _, name := range types {
		names = append(names, path.Join(wireDir, name))
	}
	slices.Sort(names)
	return names
}

// copySchemas copies the files that schema.Load reads.
func copySchemas(dir string, from fs.FS) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755)
		case path.Ext(name) != ".json":
			return nil
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), text, 0o644)
	})
}
