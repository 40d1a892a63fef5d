// Package install writes a program claude that is the simulated CLI, for SDKs that want a path.
//
// The program is the one that calls [Write]. What it is to play is in a JSON file beside it, which
// [Configured] finds when the program is started again.
package install

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ccwire/ccwire/internal/shim"
)

// Config is what a simulated CLI plays. The zero value says "done" to everything.
type Config struct {
	Name   string   `json:"-"`                 // of the program; "" for claude
	Script string   `json:"script,omitempty"`  // a file; "" for none
	Log    string   `json:"log,omitempty"`     // the file that all processes append to; "" for none
	LogDir string   `json:"log_dir,omitempty"` // the folder in which each process writes PID.ndjson; "" for none
	Faults []string `json:"faults,omitempty"`  // beside those of the script
	// NoTools says that no tool acts in the working directory.
	NoTools bool `json:"no_tools,omitempty"`
	// StrictFlags refuses flags that the CLI does not know.
	StrictFlags bool `json:"strict_flags,omitempty"`
	// CLIVersion is the version of the CLI that is simulated; "" for that of the script.
	CLIVersion string `json:"cli_version,omitempty"`
	// Keep is the folder for settings and sessions, if the environment names none. It need not be
	// set when a program is written: then it is a folder beside the program.
	Keep string `json:"keep,omitempty"`
	// Strict says which departures from the script are errors: "", "prompts" or "all".
	Strict string `json:"strict,omitempty"`
	// State is the file that keeps how far the script has come; "" is one beside each transcript.
	State string `json:"state,omitempty"`
	// VirtualTime says that pauses take no time.
	VirtualTime bool `json:"virtual_time,omitempty"`
	// Chaos is the seed of faults, "random" or "" for none.
	Chaos string `json:"chaos,omitempty"`
	// Env is added to the environment of the CLI.
	Env map[string]string `json:"env,omitempty"`
}

// Variable names the file with the configuration in the environment of a program that a script has
// started. The program removes it, so that what it starts is not taken for the CLI.
const Variable = "CCWIRE_SIM_CONFIG"

// configEnd is what the name of the configuration has after that of the program.
const configEnd = ".sim.json"

// keepEnd is what the name of the folder for settings and sessions has after that of the program.
const keepEnd = ".sim"

// Write writes the program into a folder and returns its path: a [Script], or on Windows, where
// SDKs start no scripts, a [Link]. It makes the folders that are not there.
func Write(dir string, c Config) (string, error) {
	if runtime.GOOS == "windows" {
		return Link(dir, c)
	}
	return Script(dir, c)
}

// Script writes the program as a script for a Unix shell.
func Script(dir string, c Config) (string, error) {
	path, self, err := c.write(dir, "")
	if err != nil {
		return "", err
	}
	text := "#!/bin/sh\n" + Variable + "=" + shim.Quote(path+configEnd) + " exec " + shim.Quote(self) + " \"$@\"\n"
	return path, shim.Replace(path, strings.NewReader(text))
}

// Link writes the program as a link to this one, or as a copy of it.
func Link(dir string, c Config) (string, error) {
	end := ""
	if runtime.GOOS == "windows" {
		end = ".exe"
	}
	path, self, err := c.write(dir, end)
	if err != nil {
		return "", err
	}
	return path, shim.Link(path, self)
}

// write writes the configuration of the program, whose name ends so, and returns the paths of that
// and of this program. Files are named by their whole paths, because an SDK chooses the working
// directory.
func (c Config) write(dir, end string) (path, self string, err error) {
	if self, err = os.Executable(); err != nil {
		return "", "", err
	}
	if path, err = filepath.Abs(filepath.Join(dir, cmp.Or(c.Name, "claude")+end)); err != nil {
		return "", "", err
	}
	if c.Keep == "" {
		c.Keep = filepath.Join(dir, cmp.Or(c.Name, "claude")+keepEnd)
	}
	for _, file := range []*string{&c.Keep, &c.Script, &c.Log, &c.LogDir, &c.State} {
		if *file == "" {
			continue
		}
		if *file, err = filepath.Abs(*file); err != nil {
			return "", "", err
		}
	}
	for _, folder := range []string{dir, c.LogDir} {
		if folder == "" {
			continue
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return "", "", err
		}
	}
	return path, self, shim.WriteConfig(path+configEnd, c)
}

// Configured returns what this process is to play, nil if it is not a program that [Write] has
// written.
func Configured() (*Config, error) {
	var c Config
	if name, ok := os.LookupEnv(Variable); ok {
		found, err := shim.ReadConfig(name, &c)
		if err == nil && !found {
			err = &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
		}
		return &c, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil // then no link was started
	}
	found, err := shim.ReadConfig(self+configEnd, &c)
	if !found || err != nil {
		return nil, err
	}
	return &c, nil
}
