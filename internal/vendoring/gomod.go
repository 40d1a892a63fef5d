package vendoring

import (
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

const (
	// OldestGo is the oldest version of the Go language that the copy builds with.
	OldestGo = "1.21"
	// OldestGoWithTransport is that of a copy with package transport.
	OldestGoWithTransport = "1.24"
)

// findImportPath returns the import path of the folder by the go.mod in it or above it, which must
// be of a version of the language that the copy builds with.
func findImportPath(dir, oldest string) (string, error) {
	for root := dir; ; root = filepath.Dir(root) {
		name := filepath.Join(root, "go.mod")
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			if root == filepath.Dir(root) {
				return "", fmt.Errorf("there is no go.mod in %s or above it: run go mod init there first", dir)
			}
			continue
		}
		if err != nil {
			return "", err
		}
		file, err := modfile.ParseLax(name, text, nil)
		if err != nil {
			return "", err
		}
		if file.Module == nil {
			return "", fmt.Errorf("%s has no module line", name)
		}
		if file.Go != nil && version.Compare("go"+file.Go.Version, "go"+oldest) < 0 {
			return "", fmt.Errorf("%s says go %s, and the copy needs go %s: run go get go@%s there first", name, file.Go.Version, oldest, oldest)
		}
		below, err := filepath.Rel(root, dir)
		if err != nil {
			return "", err
		}
		importPath := path.Join(file.Module.Mod.Path, filepath.ToSlash(below))
		return importPath, checkImportPath(importPath, dir)
	}
}

// checkImportPath rejects a folder that no import can name.
func checkImportPath(importPath, dir string) error {
	if err := module.CheckImportPath(importPath); err != nil {
		return fmt.Errorf("%s cannot be imported: %w", dir, err)
	}
	return nil
}
