// Package apirun runs a command with a fake Messages API in place of the real one.
package apirun

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/term"

	"github.com/ccwire/ccwire/internal/clienv"
	"github.com/ccwire/ccwire/internal/sandbox"
)

// ErrNotStarted says that a command could not be started.
var ErrNotStarted = errors.New("the command could not be started")

// A Command is what is run.
type Command struct {
	Args                  []string
	Stdin, Stdout, Stderr *os.File
	URL                   string           // of the API
	Scratch               *sandbox.Scratch // holds what a CLI keeps
	KeepHome              bool             // the command has the user's home
}

// Run runs the command to its end and returns its exit code, as a shell says it: 128 and its number
// for a signal. Signals that come to this process are passed on.
func (c *Command) Run() (code int, err error) {
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = c.Stdin, c.Stdout, c.Stderr, c.Env(os.Environ())
	// A terminal sends its signals to the command too; where there is none, a signal to the group
	// of this process must not reach the command twice.
	terminal := c.Stdin != nil && term.IsTerminal(int(c.Stdin.Fd()))
	if !terminal {
		ownGroup(cmd)
	}
	got := make(chan os.Signal, 4)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(got, s)
		}
	}
	defer signal.Stop(got)
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrNotStarted, err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }() // ends with the command
	for {
		select {
		case s := <-got:
			if s == syscall.SIGTERM || !terminal {
				_ = cmd.Process.Signal(s) // it may be gone
			}
		case err := <-done:
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				return 0, err
			}
			return exitCode(cmd.ProcessState), nil
		}
	}
}

// homes are the variables that say where the user's own files are.
var homes = []string{"HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}

// Env returns an environment with what leads a CLI to the API, and without what leads it elsewhere.
// What a CLI keeps for itself is in the scratch folders; so is the home, unless it is kept.
func (c *Command) Env(base []string) (env []string) {
	for _, v := range base {
		name, _, _ := strings.Cut(v, "=")
		if !clienv.LeadsElsewhere(name) && name != "CLAUDE_CONFIG_DIR" && (c.KeepHome || !slices.Contains(homes, name)) {
			env = append(env, v)
		}
	}
	if !c.KeepHome {
		env = append(env, "HOME="+c.Scratch.Home, "USERPROFILE="+c.Scratch.Home)
	}
	return append(env, Variables(c.URL, c.Scratch)...)
}

// Variables returns what a shell must set so that a CLI talks to the API, and leaves alone what the
// user's own CLI keeps.
func Variables(url string, scratch *sandbox.Scratch) []string {
	return append(clienv.API(url), "CLAUDE_CONFIG_DIR="+scratch.Config)
}

// Elsewhere returns the names of variables of an environment that lead a CLI elsewhere, and that
// Variables does not set.
func Elsewhere(base []string, url string) (names []string) {
	for _, v := range base {
		name, _, _ := strings.Cut(v, "=")
		set := slices.ContainsFunc(clienv.API(url), func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if clienv.LeadsElsewhere(name) && !set {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
