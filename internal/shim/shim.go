// Package shim has what it takes to write a program that an SDK starts as its claude and that is
// this program: a shell script, or this program under another name with a file beside it.
package shim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Quote returns a word that a Unix shell takes as it is.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Replace writes an executable file in one step, also while the old one runs.
func Replace(name string, from io.Reader) error {
	return inPlace(name, func(temporary string) error {
		f, err := os.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
		if err != nil {
			return err
		}
		if _, err := io.Copy(f, from); err != nil {
			f.Close()
			return err
		}
		return errors.Join(f.Chmod(0o755), f.Close())
	})
}

// Link makes a program also go by another name: by a hard link, or where there can be none, by a
// copy.
func Link(name, program string) error {
	err := inPlace(name, func(temporary string) error { return os.Link(program, temporary) })
	if err == nil {
		return nil
	}
	f, err := os.Open(program)
	if err != nil {
		return err
	}
	defer f.Close()
	return Replace(name, f)
}

// inPlace makes a file under a name of its own and then gives it the right one.
func inPlace(name string, make func(temporary string) error) error {
	dir, err := os.MkdirTemp(filepath.Dir(name), ".claude-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // empty, if all is well
	temporary := filepath.Join(dir, filepath.Base(name))
	if err := make(temporary); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}

// ReadConfig reads the JSON file beside a program into v. It reports whether there is one.
func ReadConfig(name string, v any) (bool, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

// WriteConfig writes the JSON file beside a program.
func WriteConfig(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}
