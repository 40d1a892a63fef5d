package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/gen/wire"
)

// allowed is the policy: read everything, write below the folder.
func allowed(folder string, input wire.ToolInput) bool {
	switch in := input.(type) {
	case *wire.ReadInput, *wire.GlobInput, *wire.GrepInput:
		return true
	case *wire.WriteInput:
		return below(folder, in.FilePath)
	case *wire.EditInput:
		return below(folder, in.FilePath)
	}
	return false
}

// below reports whether a path, which may be relative to the folder, is inside it, symbolic links
// considered.
func below(folder, path string) bool {
	real, err := filepath.EvalSymlinks(folder)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil || path == "" {
		return false
	}
	if filepath.IsAbs(path) {
		if path, err = filepath.Rel(real, path); err != nil {
			return false
		}
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return false
	}
	defer root.Close()
	_, err = root.Stat(filepath.Clean(path)) // refuses to leave the folder
	return err == nil || errors.Is(err, fs.ErrNotExist)
}
