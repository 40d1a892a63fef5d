package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// each calls f for every command of ours.
func each(f func(cmd *cobra.Command)) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Name() == "help" || cmd.Name() == "completion" {
			return
		}
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
				args := strings.Fields(command)
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
		if cmd.FParseErrWhitelist.UnknownFlags {
			return // fakecli takes the CLI's flags as they come
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
	for _, args := range [][]string{
		{"bundle"}, {"version"}, {"version", "--json"}, {"fmt", "-"}, {"validate", "-"}, {"validate", "--json", "-"},
	} {
		var errs bytes.Buffer
		if code := run(args, strings.NewReader(line), full{}, &errs); code != exitTrouble || !strings.Contains(errs.String(), errFull.Error()) {
			t.Errorf("%s: exit code %d, %s", args, code, errs.String())
		}
	}
}
