package main

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/sim/install"
	"github.com/ccwire/ccwire/internal/tap"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	if c, err := install.Configured(); c != nil || err != nil {
		main() // this is what "sim install" has made
	}
	if self, err := os.Executable(); err == nil {
		if args, err := tap.Configured(self); args != nil || err != nil {
			main() // this is what "tap install --copy" has made
		}
	}
	testscript.Main(m, map[string]func(){"protogen": main, "my-parser": parser, "my-agent": agent})
}

// TestScripts runs the command line as a user does. The scripts use one command of our own:
// hugeline FILE N writes a line of N bytes that is valid otherwise, and a short one after it.
// NEWEST is the newest recorded version of the CLI.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			root, err := os.Getwd()
			if err != nil {
				return err
			}
			e.Setenv("REPOSITORY", root+"/../..")
			e.Setenv("NEWEST", corpus.Newest())
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"hugeline": hugeLine,
			"exitcode": runWithExit,
		},
	})
}

func hugeLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hugeline FILE N")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	const before, after = `{"type":"keep_alive","pad":"`, `"}`
	text := before + strings.Repeat("x", n-len(before)-len(after)) + after + "\n" + `{"type":"keep_alive"}` + "\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// runWithExit runs protogen and checks its exit code: exitcode N ARG...
func runWithExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
