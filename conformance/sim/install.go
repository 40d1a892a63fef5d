package sim

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/sim/program"
)

// The environment that makes a program the simulated CLI, see [Main].
const (
	envScript = "CCWIRE_SIM_CHILD"
	envLog    = "CCWIRE_SIM_CHILD_LOG"
)

// Main makes the program that calls it the simulated CLI, if it was started by what [Path] has
// written, and does not return then. Call it first in TestMain.
func Main() {
	script, ok := os.LookupEnv(envScript)
	if !ok {
		return
	}
	os.Exit(child(script, os.Getenv(envLog)))
}

func child(script, log string) int {
	p := program.Program{}
	if script != "" {
		s, err := program.Load(script)
		if err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			return 2
		}
		p.Script = s
	}
	if log != "" {
		file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			return 2
		}
		defer file.Close()
		p.Log = journal.New(file)
	}
	dir, err := os.Getwd()
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 2
	}
	exit, err := p.Run(context.Background(), program.Streams{Args: os.Args[1:], Env: os.Environ(), Dir: dir, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 2
	}
	if exit.Code < 0 {
		return 137
	}
	return exit.Code
}

// Path writes an executable claude into a folder and returns its path: this program, whose TestMain
// calls [Main], as the simulated CLI with the script in a file. log is the file for its log, "" for
// none; [ReadLog] reads it.
func Path(dir, script, log string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	for _, name := range []*string{&script, &log} {
		if *name != "" {
			if *name, err = filepath.Abs(*name); err != nil {
				return "", err
			}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path, err := filepath.Abs(filepath.Join(dir, "claude"))
	if err != nil {
		return "", err
	}
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	text := "#!/bin/sh\n" + envScript + "=" + quote(script) + " " + envLog + "=" + quote(log) + " exec " + quote(self) + " \"$@\"\n"
	return path, os.WriteFile(path, []byte(text), 0o755)
}

// ReadLog reads a log that a program has written.
func ReadLog(name string) ([]Entry, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return journal.Read(file)
}
