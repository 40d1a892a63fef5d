// Package install writes an executable that is the simulated CLI, for SDKs that want a path.
package install

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Options are the flags of the verb sim that the executable passes on.
type Options struct {
	Script, Log     string // "" for none
	Faults          []string
	NoTools, Strict bool
}

// Write writes the executable claude into a folder, which it makes if it is not there, and returns
// its path. The executable runs the program that calls Write.
func Write(dir string, o Options) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if strings.Contains(self, "go-build") {
		return "", errors.New("protogen runs from a folder that go run removes; install it first: go install ./cmd/protogen")
	}
	args, err := o.args()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	name, text := "claude", shell(self, args)
	if runtime.GOOS == "windows" {
		name, text = "claude.cmd", batch(self, args)
	}
	path, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, []byte(text), 0o755)
}

// args are the arguments before those of the SDK. Files are named by their whole paths, because
// the SDK chooses the working directory.
func (o *Options) args() ([]string, error) {
	args := []string{"sim"}
	for _, f := range []struct{ flag, file string }{{"--script", o.Script}, {"--log", o.Log}} {
		if f.file == "" {
			continue
		}
		path, err := filepath.Abs(f.file)
		if err != nil {
			return nil, err
		}
		args = append(args, f.flag, path)
	}
	for _, fault := range o.Faults {
		args = append(args, "--fault", fault)
	}
	if o.NoTools {
		args = append(args, "--no-tools")
	}
	if o.Strict {
		args = append(args, "--strict-flags")
	}
	return args, nil
}

func shell(self string, args []string) string {
	line := "exec"
	for _, word := range append([]string{self}, args...) {
		line += " '" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return "#!/bin/sh\n" + line + " \"$@\"\n"
}

func batch(self string, args []string) string {
	line := "@"
	for _, word := range append([]string{self}, args...) {
		line += `"` + strings.ReplaceAll(word, "%", "%%") + `" `
	}
	return line + "%*\r\n"
}
