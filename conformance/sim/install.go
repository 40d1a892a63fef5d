package sim

import (
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/internal/sim/install"
	"github.com/ccwire/ccwire/internal/sim/program"
)

// init makes this process the simulated CLI, if it was started as a program that [CLI.Install]
// wrote.
func init() { program.RunConfigured() }

// Install writes a program claude into a folder, which it makes if it is not there, and returns its
// path. It is for code that wants to start a program: the SDK of another language, a test of how a
// CLI is found.
//
// The program is this one, started again: importing this package is all that it takes. It plays
// the script with the faults and the fields that c has now. Each process plays it from the start,
// unless it resumes a session, and [CLI.Log] has what it wrote.
//
// On Windows the program is claude.exe. It can be started as long as this program is where it is,
// which for a test is until the test ends.
func (c *CLI) Install(dir string) (path string, err error) {
	config := install.Config{
		Faults: c.faults, NoTools: c.NoTools, StrictFlags: c.StrictFlags, Strict: string(c.strictness()), State: c.State, Chaos: string(c.parsed.Chaos),
		VirtualTime: c.VirtualTime, CLIVersion: c.CLIVersion,
	}
	if err := (&program.Program{CLIVersion: c.CLIVersion}).Check(); err != nil {
		return "", err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if config.LogDir, err = os.MkdirTemp(dir, "claude-log-*"); err != nil {
		return "", err
	}
	if c.script != nil {
		config.Script = filepath.Join(dir, "claude.script.json")
		if err := os.WriteFile(config.Script, c.script, 0o644); err != nil {
			return "", err
		}
	}
	if path, err = install.Write(dir, config); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.logs = append(c.logs, config.LogDir)
	return path, nil
}
