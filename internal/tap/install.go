package tap

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/shim"
)

// A Wrapper is a program that an SDK can start as its claude, and that starts a tap.
type Wrapper struct {
	Protogen string   // the path of this program
	Args     []string // of protogen, up to the "--"
	CLI      string   // the path of the CLI
}

// Script returns the wrapper as a script for a Unix shell, or for Windows.
func (w *Wrapper) Script(windows bool) string {
	words := append([]string{w.Protogen}, w.Args...)
	words = append(words, "--", w.CLI)
	quote := shim.Quote
	if windows {
		quote = func(s string) string { return `"` + strings.ReplaceAll(s, "%", "%%") + `"` }
	}
	for i := range words {
		words[i] = quote(words[i])
	}
	if windows {
		return "@" + strings.Join(words, " ") + " %*\r\n"
	}
	return "#!/bin/sh\nexec " + strings.Join(words, " ") + ` "$@"` + "\n"
}

// Install writes the wrapper into a folder, as a script, and returns its path.
func (w *Wrapper) Install(dir string, windows bool) (string, error) {
	name := filepath.Join(dir, "claude")
	if windows {
		name += ".cmd"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return name, shim.Replace(name, strings.NewReader(w.Script(windows)))
}

// configEnd is what the name of a copy's configuration has after that of the copy.
const configEnd = ".tap.json"

// InstallCopy writes the wrapper into a folder, as a copy of this program with its configuration
// beside it, and returns its path. No shell is needed to run it.
func (w *Wrapper) InstallCopy(dir string, windows bool) (string, error) {
	name := filepath.Join(dir, "claude")
	if windows {
		name += ".exe"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	config := append(append([]string{}, w.Args...), "--", w.CLI)
	if err := shim.WriteConfig(name+configEnd, config); err != nil {
		return "", err
	}
	self, err := os.Open(w.Protogen)
	if err != nil {
		return "", err
	}
	defer self.Close()
	return name, shim.Replace(name, self)
}

// Configured returns the arguments of protogen for a program that [Wrapper.InstallCopy] has made,
// by its path; nil for any other program.
func Configured(program string) ([]string, error) {
	base := strings.TrimSuffix(filepath.Base(program), ".exe")
	if base == "protogen" {
		return nil, nil
	}
	var args []string
	if _, err := shim.ReadConfig(program+configEnd, &args); err != nil {
		return nil, err
	}
	return args, nil
}
