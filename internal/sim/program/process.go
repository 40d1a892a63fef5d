package program

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/ccwire/ccwire/internal/sim/fault"
	"github.com/ccwire/ccwire/internal/sim/install"
	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// exitTrouble is the exit code of a CLI that has nothing to play.
const exitTrouble = 2

// RunConfigured makes this process the simulated CLI, if it was started as a program that
// [install.Write] has written, and does not return then. A program that can be installed calls it
// first.
func RunConfigured() {
	c, err := install.Configured()
	if c == nil && err == nil {
		return
	}
	var exit Exit
	if err == nil {
		exit, err = configured(c)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "the simulated CLI: %v\n", err)
		os.Exit(exitTrouble)
	}
	exit.Leave()
}

// configured runs this process as the simulated CLI.
func configured(c *install.Config) (Exit, error) {
	if err := os.Unsetenv(install.Variable); err != nil {
		return Exit{}, err
	}
	for name, value := range c.Env {
		if err := os.Setenv(name, value); err != nil {
			return Exit{}, err
		}
	}
	p, err := Open(c)
	if err != nil {
		return Exit{}, err
	}
	defer p.Close()
	return p.Serve(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// Check reports whether what a configuration names can be read and played.
func Check(c *install.Config) error {
	_, err := read(c)
	return err
}

// Open reads what a configuration names and opens the log of this process. The error says what
// cannot be read, and where.
func Open(c *install.Config) (*Program, error) {
	p, err := read(c)
	if err != nil {
		return nil, err
	}
	var logs []io.Writer
	for _, name := range logFiles(c) {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			p.Close()
			return nil, err
		}
		p.files = append(p.files, file)
		logs = append(logs, file)
	}
	if len(logs) > 0 {
		p.Log = journal.New(io.MultiWriter(logs...))
	}
	return p, nil
}

func read(c *install.Config) (*Program, error) {
	p := &Program{CLIVersion: c.CLIVersion, NoTools: c.NoTools, Strict: c.StrictFlags, State: c.State, VirtualTime: c.VirtualTime, Keep: c.Keep}
	var err error
	if p.StrictScript, err = script.ParseStrictness(c.Strict); err != nil {
		return nil, err
	}
	if p.Chaos, err = ParseChaos(c.Chaos); err != nil {
		return nil, err
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if c.Script != "" {
		if p.Script, err = load(c.Script, p.StrictScript); err != nil {
			return nil, err
		}
	}
	for _, text := range c.Faults {
		f, err := fault.Parse(text)
		if err != nil {
			return nil, err
		}
		p.Faults = append(p.Faults, f)
	}
	return p, nil
}

// logFiles returns the names of the files to which this process writes its log.
func logFiles(c *install.Config) (names []string) {
	if c.Log != "" {
		names = append(names, c.Log)
	}
	if c.LogDir != "" {
		names = append(names, filepath.Join(c.LogDir, strconv.Itoa(os.Getpid())+".ndjson"))
	}
	return names
}

// Close closes the log that Open has opened. Its writes were checked by then.
func (p *Program) Close() {
	for _, f := range p.files {
		f.Close()
	}
}

// Serve runs the program as this process: with its environment, its working directory and the
// signals that come to it.
func (p *Program) Serve(ctx context.Context, args []string, stdin io.Reader, stdout io.WriteCloser, stderr io.Writer) (Exit, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Exit{}, err
	}
	signals, stop := Signals()
	defer stop()
	if os.Getenv("CLAUDE_CONFIG_DIR") == "" {
		defer p.prepareKeep()()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go endWithParent(ctx, stdout, cancel) // ends with the session
	return p.Run(ctx, Streams{
		Args: args, Env: os.Environ(), Dir: dir, Signals: signals,
		Stdin: written(stdin), Stdout: stdout, Stderr: stderr,
	})
}

// written returns the input, or none if it is a terminal or another device: nobody types lines of
// JSON.
func written(r io.Reader) io.Reader {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return strings.NewReader("")
		}
	}
	return r
}

// Process returns the code and the signal that a process has which left so, as package os tells
// them.
func (e Exit) Process() (code int, signal string) {
	switch e.Signal {
	case "":
		return e.Code, ""
	case "KILL":
		return -1, syscall.SIGKILL.String()
	case "TERM":
		return -1, syscall.SIGTERM.String()
	}
	return shellCodes[e.Signal], ""
}

// shellCodes are the exit codes that a shell has for signals.
var shellCodes = map[string]int{"KILL": 137, "TERM": 143, "SEGV": 139, "ABRT": 134, "PIPE": 141}

// Leave ends this process as the program ended.
func (e Exit) Leave() {
	if e.Signal != "" {
		raise(e.Signal)
	}
	os.Exit(e.Code)
}
