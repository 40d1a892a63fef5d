package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ccwire/ccwire/internal/sim/recorded"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/tap"
	"github.com/ccwire/ccwire/transport/cli"
)

// simRecordFlags are the flags of sim record.
type simRecordFlags struct {
	out, refresh, cli string
	noPauses          bool
}

func newSimRecord() *cobra.Command {
	var f simRecordFlags
	cmd := &cobra.Command{
		Use:   "record RECORDING...|--refresh FILE|--out FILE -- PROGRAM",
		Short: "Make a script of sessions that really happened",
		Long: `Record makes a script of recordings that "protogen tap" has written: what the model said,
what tools gave back, errors of the API and pauses. Played by the simulated CLI for the
same program, it shows that program the same messages.

With a program after "--", record runs it with the real CLI behind a tap: as claude,
first in PATH, and by its path in the environment variable ` + cli.EnvVar + `, which the
program gives to its SDK. With --refresh it runs the program of a script again, writes
the script anew and says what has changed.

Folders become {{cwd}} and {{home}}, which are filled when the script is played. What
looks like a key, and the values of variables that are named as keys are, become
[secret]. Everything else is as it was said: read a script before you publish it. What a
recording does not show is in the script's notes, and on the standard error.`,
		Example: `  protogen tap --out recording.ndjson -- claude -p hello --output-format stream-json --verbose
  protogen sim record recording.ndjson > script.json
  protogen sim record --out script.json -- python agent.py
  protogen sim record --refresh script.json`,
		Annotations: exits(map[string]string{
			"0": "the script was made; with --refresh, it says what it said before",
			"1": "with --refresh, the script has changed",
			"2": "the program failed, or had no session; or a recording or a script cannot be read",
		}),
		RunE: func(cmd *cobra.Command, args []string) error { return runSimRecord(cmd, &f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "the `file` to write (default: the standard output)")
	flags.StringVar(&f.refresh, "refresh", "", "run the program of this script again, a `file`, and say what has changed")
	flags.StringVar(&f.cli, "cli", "", "the `path` of the real CLI (default: $"+cli.EnvVar+", or claude in PATH)")
	flags.BoolVar(&f.noPauses, "no-pauses", false, "leave the pauses of the model out")
	return cmd
}

func runSimRecord(cmd *cobra.Command, f *simRecordFlags, args []string) error {
	program := cmd.ArgsLenAtDash() >= 0
	switch {
	case f.refresh != "" && (len(args) > 0 || f.out != ""):
		return &usageError{cmd, errors.New("--refresh takes the program from the script and writes to it; give nothing else")}
	case f.refresh != "":
		return f.again(cmd)
	case len(args) == 0:
		return &usageError{cmd, errors.New(`give a recording, or a program after "--"`)}
	case program && cmd.ArgsLenAtDash() > 0:
		return &usageError{cmd, errors.New(`give recordings, or a program after "--", not both`)}
	case program && f.out == "":
		return &usageError{cmd, errors.New("give --out: the standard output is the program's")}
	}
	if err := checkFile("out", f.out); err != nil {
		return err
	}
	if program {
		made, failed := f.run(cmd, args)
		if made == nil {
			return failed
		}
		return errors.Join(f.write(cmd, f.out, made), failed)
	}
	made, err := f.read(args, nil)
	if err != nil {
		return err
	}
	return f.write(cmd, f.out, made)
}

// run records a program. The script is nil if the program had no session; an error of the program
// comes with the script.
func (f *simRecordFlags) run(cmd *cobra.Command, command []string) (*script.Script, error) {
	self, err := exec.LookPath(os.Args[0])
	if err == nil {
		self, err = filepath.Abs(self)
	}
	if err != nil {
		return nil, err
	}
	path, err := cli.Find(f.cli)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "protogen-record-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	p := tap.Program{
		Command: command, CLI: path, Protogen: self, Variable: cli.EnvVar,
		Stdin: cmd.InOrStdin(), Stdout: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr(),
	}
	files, failed := p.Record(cmd.Context(), dir)
	made, err := f.read(files, command)
	if err != nil {
		return nil, errors.Join(err, failed)
	}
	return made, failed
}

// read makes the script of recordings.
func (f *simRecordFlags) read(files, command []string) (*script.Script, error) {
	var sessions []*recorded.Session
	for _, name := range files {
		list, err := recorded.ReadFile(name)
		if err != nil {
			return nil, err
		}
		sessions = append(sessions, list...)
	}
	home, _ := os.UserHomeDir() // "" if there is none
	made, err := recorded.Make(sessions, recorded.Options{
		Pauses: !f.noPauses, Home: home, Secrets: recorded.Secrets(os.Environ()), Command: command,
	})
	switch {
	case err != nil || len(made.Turns) > 0:
		return made, err
	case command != nil:
		return nil, errors.New("no session of the program was recorded: give its SDK the CLI at $" + cli.EnvVar + ", or claude in PATH")
	}
	return nil, errors.New("the model says nothing in the recording")
}

// write writes a script, and its notes to the standard error.
func (f *simRecordFlags) write(cmd *cobra.Command, name string, made *script.Script) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	if err := enc.Encode(made); err != nil {
		return err
	}
	for _, note := range made.Recorded.Notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "protogen: sim record: %s\n", note)
	}
	if name == "" {
		_, err := fmt.Fprint(cmd.OutOrStdout(), b.String())
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

// again records the program of a script again.
func (f *simRecordFlags) again(cmd *cobra.Command) error {
	data, err := os.ReadFile(f.refresh)
	if err != nil {
		return fmt.Errorf("--refresh %w", err)
	}
	before, err := script.Parse(f.refresh, data)
	if err != nil {
		return err
	}
	if before.Recorded == nil || len(before.Recorded.Command) == 0 {
		return fmt.Errorf(`%s does not say which program it was recorded of: record it with --out %s -- PROGRAM`, f.refresh, f.refresh)
	}
	made, err := f.run(cmd, before.Recorded.Command)
	if err != nil {
		return err
	}
	changes := recorded.Diff(before, made)
	if len(changes) == 0 {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s says what it said before\n", f.refresh)
		return err
	}
	if err := f.write(cmd, f.refresh, made); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(changes, "\n")); err != nil {
		return err
	}
	return otherExit(1)
}
