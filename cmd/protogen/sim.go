package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ccwire/ccwire/internal/near"
	"github.com/ccwire/ccwire/internal/sim/fault"
	"github.com/ccwire/ccwire/internal/sim/flags"
	"github.com/ccwire/ccwire/internal/sim/install"
	simprogram "github.com/ccwire/ccwire/internal/sim/program"
	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/sim/script"
)

func init() { register(newSim) }

// simScript names the script where the command line is not ours to choose.
const simScript = "CCWIRE_SIM_SCRIPT"

// asCLI returns the command line to run when protogen was started as if it was the CLI: under its
// name, or with flags only where the environment has a script.
func asCLI(program string, args []string) []string {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	flags := len(args) > 0 && strings.HasPrefix(args[0], "-") && os.Getenv(simScript) != ""
	if name == "claude" || flags {
		return append([]string{"sim"}, args...)
	}
	return args
}

// cliVersionUsage is what --cli-version means.
const cliVersionUsage = "behave as this `version` of the CLI, as far as it is recorded (default: that of the script, or the newest)"

// simFlags are the flags of the verb sim.
type simFlags struct {
	script, log, state string
	version            string
	faults             []string
	noTools            bool
	strictFlags        bool
	virtualTime        bool
	strict, chaos      string
	listFaults, schema bool
	help               bool
}

// split takes the verb's own flags out of the arguments, which are otherwise the CLI's.
func (f *simFlags) split(args []string) (rest []string, err error) {
	values := map[string]func(string){
		"--script": func(v string) { f.script = v },
		"--log":    func(v string) { f.log = v },
		"--state":  func(v string) { f.state = v },
		"--fault":  func(v string) { f.faults = append(f.faults, v) },

		"--cli-version": func(v string) { f.version = v },
	}
	optional := map[string]*string{"--strict": &f.strict, "--chaos": &f.chaos}
	switches := map[string]*bool{"--no-tools": &f.noTools, "--strict-flags": &f.strictFlags, "--virtual-time": &f.virtualTime, "--list-faults": &f.listFaults, "--schema": &f.schema, "--help": &f.help}
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(args[i], "=")
		set, on := values[name], switches[name]
		switch {
		case args[i] == "--":
			return append(rest, args[i:]...), nil
		case optional[name] != nil:
			*optional[name] = alone[name]
			if hasValue {
				*optional[name] = value
			} else if name == "--chaos" && i+1 < len(args) && isNumber(args[i+1]) {
				i++
				*optional[name] = args[i]
			}
		case on != nil && hasValue:
			if *on, err = strconv.ParseBool(value); err != nil {
				return nil, fmt.Errorf("invalid argument %q for %q: give true or false", value, name)
			}
		case on != nil:
			*on = true
		case set == nil:
			rest = append(rest, args[i])
		case hasValue:
			set(value)
		case i+1 == len(args):
			return nil, fmt.Errorf("%s needs a value", name)
		default:
			i++
			set(args[i])
		}
	}
	return rest, nil
}

// alone are the values of flags that need none.
var alone = map[string]string{"--strict": "true", "--chaos": string(simprogram.RandomChaos)}

func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

// register adds the flags that the verb and its install share.
func (f *simFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.script, "script", "", "what the model says, a JSON `file` (default: $"+simScript+")")
	flags.StringVar(&f.log, "log", "", "write every line of both directions to a `file`")
	flags.StringVar(&f.state, "state", "", "keep in a `file` how far the script has come in each session (default: beside its transcript)")
	flags.StringVar(&f.strict, "strict", "", "departures from the script are errors, exit code 3; =`prompts`: but for what was never used")
	flags.StringArrayVar(&f.faults, "fault", nil, "misbehave: `NAME[=VALUE][@WHERE]`; may be repeated")
	flags.StringVar(&f.chaos, "chaos", "", "misbehave in ways that a tolerant SDK survives, by a `SEED`; without one, by another each time")
	flags.StringVar(&f.version, "cli-version", "", cliVersionUsage)
	flags.BoolVar(&f.noTools, "no-tools", false, "no tool acts: all answer from the script")
	flags.BoolVar(&f.strictFlags, "strict-flags", false, "refuse flags that the CLI does not know")
	flags.BoolVar(&f.virtualTime, "virtual-time", false, "the pauses of the script take no time")
	for _, name := range []string{"strict", "chaos"} {
		flags.Lookup(name).NoOptDefVal = alone["--"+name]
	}
}

func newSim() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sim [--script FILE] [ARGUMENT...]",
		Short: "Be a simulated CLI that says what a script tells it to",
		Long: `Sim behaves as the Claude Code CLI does, without a network, a key or a model: an SDK
can start it as its claude. What the model says is in a script; where that has no
answer, the model says "done". Read, Write, Edit, Glob, Grep and Bash act
in the working directory.

The arguments are those of the CLI. Flags that are not known are noted on stderr. With
--cli-version it behaves as an older version: it lacks what that does not have. The
script can also be in the environment variable ` + simScript + `; then protogen can
be started as claude itself, without a verb.`,
		Example: `  protogen sim --script script.json --output-format stream-json --verbose -p "hello"
  protogen sim install bin --script script.json --cli-version 2.1.250
  protogen sim --list-faults`,
		Annotations: exits(map[string]string{
			"0": "the session ended well; with an error, the code that the CLI has for it",
			"2": "the script or the arguments are wrong; nothing was written",
			"3": "with --strict: the session has departed from the script; stderr says how",
		}),
		DisableFlagParsing: true, // they are the CLI's
		RunE:               runSim,
	}
	new(simFlags).register(cmd.Flags()) // for the help
	cmd.Flags().Bool("list-faults", false, "list the faults")
	cmd.Flags().Bool("schema", false, "print the JSON Schema of scripts, for editors")
	completeWith(cmd, "fault", faultNames()...)
	completeWith(cmd, "cli-version", release.Versions()...)
	cmd.AddCommand(newSimInstall(), newSimRecord())
	return cmd
}

func faultNames() (names []string) {
	for _, row := range fault.Table() {
		names = append(names, row.Name)
	}
	return names
}

func runSim(cmd *cobra.Command, args []string) error {
	var f simFlags
	rest, err := f.split(args)
	switch {
	case err != nil:
		return &usageError{cmd, err}
	case f.help:
		return cmd.Help()
	case f.listFaults:
		return listFaults(cmd.OutOrStdout())
	case f.schema:
		_, err := cmd.OutOrStdout().Write(script.Schema)
		return err
	}
	p, err := simprogram.Open(f.config())
	if err != nil {
		return &usageError{cmd, f.placed(err)}
	}
	defer p.Close()
	hint(cmd, rest)
	exit, err := p.Serve(cmd.Context(), rest, cmd.InOrStdin(), closing(cmd.OutOrStdout()), cmd.ErrOrStderr())
	switch {
	case err != nil:
		return err
	case exit.Signal != "":
		exit.Leave()
	case exit.Code != 0:
		return otherExit(exit.Code)
	}
	return nil
}

// hint says which flags of the verb somebody may have meant with flags that the CLI does not know.
func hint(cmd *cobra.Command, args []string) {
	set, err := flags.Parse(args)
	if err != nil {
		return // the session says it
	}
	var own []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { own = append(own, "--"+f.Name) })
	for _, flag := range set.Unknown {
		if words := near.Words(flag, own); len(words) > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "protogen sim: %s: did you mean %s?\n", flag, strings.Join(words, " or "))
		}
	}
}

// config returns what the flags say.
func (f *simFlags) config() *install.Config {
	if f.script == "" {
		f.script = os.Getenv(simScript)
	}
	return &install.Config{Script: f.script, Log: f.log, Faults: f.faults, NoTools: f.noTools, StrictFlags: f.strictFlags, Strict: f.strict, State: f.state, Chaos: f.chaos, VirtualTime: f.virtualTime, CLIVersion: f.version}
}

// placed returns the error, with the flag if it is about a script that is not there.
func (f *simFlags) placed(err error) error {
	if cause := (*fs.PathError)(nil); errors.As(err, &cause) && cause.Path == f.script {
		return fmt.Errorf("--script %s: %w: give a JSON file", f.script, cause.Err)
	}
	return err
}

// closing returns a writer that can be closed, if the process has one.
func closing(w io.Writer) io.WriteCloser {
	if c, ok := w.(io.WriteCloser); ok {
		return c
	}
	return nopCloser{w}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func listFaults(w io.Writer) error {
	var b strings.Builder
	for _, row := range fault.Table() {
		name := row.Name
		if row.Value != "" {
			name += "=" + row.Value
		}
		fmt.Fprintf(&b, "%-22s %-28s %s\n", name, "@"+row.Where, row.Sentence)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func newSimInstall() *cobra.Command {
	var f simFlags
	cmd := &cobra.Command{
		Use:   "install DIR",
		Short: "Write a program claude that is the simulated CLI",
		Long: `Install writes an executable claude into a folder, to be put first in PATH, or to be
given to an SDK as the path of the CLI. It runs this protogen with the script and the flags
that are given here, which it keeps in a file beside it. On Windows it is claude.exe.`,
		Example:     `  protogen sim install testdata/bin --script testdata/script.json --log claude.ndjson`,
		Annotations: exits(map[string]string{"2": "the script or the arguments are wrong; nothing was written"}),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{cmd, fmt.Errorf("give one folder, got %d", len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := simprogram.Check(f.config()); err != nil {
				return &usageError{cmd, f.placed(err)}
			}
			if self, err := os.Executable(); err == nil && strings.Contains(self, "go-build") {
				return errors.New("protogen runs from a folder that go run removes; install it first: go install ./cmd/protogen")
			}
			path, err := install.Write(args[0], *f.config())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
			return err
		},
	}
	f.register(cmd.Flags())
	completeWith(cmd, "fault", faultNames()...)
	completeWith(cmd, "cli-version", release.Versions()...)
	return cmd
}
