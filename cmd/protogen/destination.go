package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// checkFile says why the file that a flag names cannot be written, before work is done for it. An
// empty path stands for no file.
func checkFile(flag, path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("--%s %s: is a directory: name a file in it", flag, path)
	}
	parent := filepath.Dir(path)
	info, err := os.Stat(parent)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--%s %s: no such file or directory: make the folder %s first", flag, path, parent)
	case errors.Is(err, syscall.ENOTDIR), err == nil && !info.IsDir():
		return fmt.Errorf("--%s %s: %s is not a directory: choose another place", flag, path, parent)
	case err != nil:
		return fmt.Errorf("--%s %s: %w", flag, path, err)
	}
	return nil
}

// writeFile writes the file that a flag names.
func writeFile(flag, path string, data []byte) error {
	if err := checkFile(flag, path); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// checkFolder says why the folder that a flag names cannot be made, before work is done for it. An
// empty path stands for no folder.
func checkFolder(flag, path string) error {
	if path == "" {
		return nil
	}
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("--%s %s: %s is not a directory: choose another folder", flag, path, at)
		case err == nil:
			return nil
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR), at == filepath.Dir(at):
			return fmt.Errorf("--%s %s: %w", flag, path, err)
		}
	}
}
