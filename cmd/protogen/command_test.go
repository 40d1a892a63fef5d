package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/shell"
)

// each calls f for every command.
func each(f func(cmd *cobra.Command)) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		f(cmd)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
}

func TestEveryVerbHasHelpWithExamplesThatParse(t *testing.T) {
	each(func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if cmd.Short == "" || cmd.Long == "" || cmd.Example == "" {
			t.Errorf("%s lacks a short or long help or an example", path)
		}
		used := false
		for line := range strings.Lines(cmd.Example) {
			line, _, _ = strings.Cut(line, "#")
			for _, command := range strings.Split(line, "|") {
				command, _, _ = strings.Cut(command, ">")
				args, err := shell.Fields(command, func(string) string { return "" })
				if err != nil {
					t.Errorf("%s: example %q: %v", path, command, err)
				}
				if len(args) == 0 || args[0] != "protogen" {
					continue
				}
				used = true
				found, rest, err := newRoot().Find(args[1:])
				if err == nil {
					err = found.ParseFlags(rest)
				}
				if err == nil {
					err = found.ValidateArgs(found.Flags().Args())
				}
				if err != nil {
					t.Errorf("%s: example %q: %v", path, command, err)
				}
			}
		}
		if !used {
			t.Errorf("%s: no example calls protogen", path)
		}
	})
}

func TestHelpSaysTheExitCodesOfEveryVerb(t *testing.T) {
	each(func(cmd *cobra.Command) {
		var out, errs bytes.Buffer
		args := append([]string{"help"}, strings.Fields(cmd.CommandPath())[1:]...)
		if code := run(args, nil, &out, &errs); code != exitFine || errs.Len() > 0 {
			t.Errorf("%s: exit code %d, %s", args, code, errs.String())
		}
		for _, want := range []string{"\nExit codes:\n  0 ", "\n  2 ", "\nExamples:\n", "\nUsage:\n"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", args, want, out.String())
			}
		}
	})
}

func TestHelpHasEveryVerbInAGroup(t *testing.T) {
	root := newRoot()
	known := 0
	for _, cmd := range root.Commands() {
		if cmd.GroupID == "" {
			t.Errorf("%s is in no group", cmd.Name())
		}
		known++
	}
	for _, g := range groups {
		known -= len(g.verbs)
	}
	if known != 0 {
		t.Error("a group has a verb that does not exist, or twice")
	}
}

func TestHelpFitsTheWidthOfTheTerminal(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	each(func(cmd *cobra.Command) {
		if strings.HasPrefix(cmd.CommandPath(), "protogen completion ") {
			return // cobra's own text
		}
		var out bytes.Buffer
		run(append(strings.Fields(cmd.CommandPath())[1:], "--help"), nil, &out, &out)
		example := false
		for line := range strings.Lines(out.String()) {
			example = strings.HasPrefix(line, "Examples:") || example && line != "\n"
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 && !example {
				t.Errorf("%s: a line has %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
	})
}

func TestHelpForWhatDoesNotExistIsAUsageError(t *testing.T) {
	for args, want := range map[string]string{
		"help valdate":         `there is no verb "valdate"; did you mean validate?`,
		"help fuzz framin":     `there is no fuzz "framin"; did you mean framing?`,
		"fuzz framin":          `there is no fuzz "framin"; did you mean framing?`,
		"completion tcsh":      `there is no completion "tcsh"`,
		"completion bash more": `bash takes no arguments, got "more"`,
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(args), nil, &out, &errs); code != exitTrouble || !strings.Contains(errs.String(), want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %s%s", args, code, out.String(), errs.String())
		}
	}
}

// noJSON are the verbs without --json, with the reason.
var noJSON = map[string]string{
	"protogen":                  "holds verbs",
	"protogen bundle":           "prints JSON",
	"protogen cli":              "holds verbs",
	"protogen conform sdk init": "writes files",
	"protogen completion":       "prints a script for a shell",
	"protogen docs":             "writes pages",
	"protogen explain":          "is for people; validate --json lists what is wrong in a line",
	"protogen fmt":              "prints the lines",
	"protogen scrub":            "prints the lines",
	"protogen sim":              "speaks the protocol",
	"protogen sim install":      "prints a path",
	"protogen sim record":       "writes a script, which is JSON",
	"protogen tap":              "passes lines on",
	"protogen tap install":      "prints a path",
	"protogen view":             "makes a page",
	"protogen fuzz":             "holds verbs",
	"protogen help":             "is for people",
	"protogen show":             "holds verbs",
	"protogen show scenario":    "prints a file as it is; conform --list --json lists them",
	"protogen show schema":      "prints JSON",
	"protogen vectors":          "prints JSON",
}

func TestEveryVerbPrintsJSONUnlessThereIsAReason(t *testing.T) {
	each(func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		f := cmd.Flags().Lookup("json")
		switch reason := noJSON[path]; {
		case strings.HasPrefix(path, "protogen completion "):
		case f == nil && reason == "":
			t.Errorf("%s has no --json", path)
		case f != nil && (reason != "" || f.NoOptDefVal == ""):
			t.Errorf("%s: --json must be a flag that stands alone, and not on the list", path)
		}
	})
}

func TestValuesThatDoNotParseAreUsageErrorsForEveryFlag(t *testing.T) {
	tried := 0
	each(func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if kind := f.Value.Type(); strings.HasPrefix(kind, "string") || f.Name == "help" {
				return
			}
			tried++
			args := append(strings.Fields(cmd.CommandPath())[1:], "--"+f.Name+"=nonsense")
			var out, errs bytes.Buffer
			code := run(args, strings.NewReader(""), &out, &errs)
			if code != exitTrouble || !strings.Contains(errs.String(), `"nonsense" for "`) || !strings.Contains(errs.String(), "--"+f.Name) || out.Len() > 0 {
				t.Errorf("%s: exit code %d, %s%s", args, code, out.String(), errs.String())
			}
		})
	})
	if tried < 20 {
		t.Errorf("only %d flags tried", tried)
	}
}

func TestNegativeNumbersAreUsageErrors(t *testing.T) {
	for _, args := range []string{
		"conform --parallel -1", "conform --timeout -1s", "conform cli --parallel -1", "record --bin x --out y --parallel -1",
		"record --bin x --out y --timeout -1s", "fuzz framing --time -1s -- cat", "fuzz framing --deadline -1s -- cat", "fuzz framing --findings -1 -- cat",
		"conform sdk --repeat -1", "conform sdk --ready-timeout -1s",
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(args), nil, &out, &errs); code != exitTrouble || !strings.Contains(errs.String(), "must not be negative") {
			t.Errorf("%s: exit code %d, %s", args, code, errs.String())
		}
	}
}

func TestFlagsOfTheSameNameMeanTheSame(t *testing.T) {
	kinds := map[string]string{}
	each(func(cmd *cobra.Command) {
		for _, name := range []string{"out", "check", "format", "max-line", "force"} {
			f := cmd.Flags().Lookup(name)
			if f == nil {
				continue
			}
			if kind, ok := kinds[name]; ok && kind != f.Value.Type() {
				t.Errorf("%s: --%s is of type %s, elsewhere %s", cmd.CommandPath(), name, f.Value.Type(), kind)
			}
			kinds[name] = f.Value.Type()
		}
	})
}

func TestUnknownFlagIsAUsageErrorForEveryVerb(t *testing.T) {
	each(func(cmd *cobra.Command) {
		if cmd.DisableFlagParsing {
			return // sim takes the CLI's flags as they come
		}
		args := append(strings.Fields(cmd.CommandPath())[1:], "--no-such-flag")
		var out, errs bytes.Buffer
		if code := run(args, strings.NewReader(""), &out, &errs); code != exitTrouble {
			t.Errorf("%s: exit code %d", cmd.CommandPath(), code)
		}
		if !strings.Contains(errs.String(), "unknown flag: --no-such-flag") || !strings.Contains(errs.String(), cmd.CommandPath()+" --help") {
			t.Errorf("%s: %s", cmd.CommandPath(), errs.String())
		}
		if out.Len() > 0 {
			t.Errorf("%s printed %s", cmd.CommandPath(), out.String())
		}
	})
}

func TestPanicIsAPlainMessage(t *testing.T) {
	saved := verbs
	defer func() { verbs = saved }()
	verbs = append(slices.Clone(verbs), func() *cobra.Command {
		return &cobra.Command{Use: "boom", RunE: func(*cobra.Command, []string) error { panic("boom") }}
	})
	t.Setenv("PROTOGEN_DEBUG", "")
	var out, errs bytes.Buffer
	if code := run([]string{"boom"}, nil, &out, &errs); code != exitTrouble {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(errs.String(), "internal error: boom") || strings.Contains(errs.String(), "goroutine") {
		t.Errorf("got %s", errs.String())
	}
}

// full is a writer to a full disk.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestOutputThatCannotBeWrittenIsTrouble(t *testing.T) {
	const line = `{"type":"new"}` + "\n"
	commands := [][]string{
		{"show", "schema"}, {"show", "schema", "init"}, {"show", "scenario"}, {"show", "scenario", "turn/text"}, {"conform", "--list"}, {"--version"},
		{"bundle"}, {"version"}, {"version", "--json"}, {"fmt", "-"}, {"validate", "-"}, {"validate", "--json", "-"},
	}
	if !testing.Short() {
		commands = append(commands, []string{"vectors"}) // judges all recordings
	}
	for _, args := range commands {
		var errs bytes.Buffer
		if code := run(args, strings.NewReader(line), full{}, &errs); code != exitTrouble || !strings.Contains(errs.String(), errFull.Error()) {
			t.Errorf("%s: exit code %d, %s", args, code, errs.String())
		}
	}
}
