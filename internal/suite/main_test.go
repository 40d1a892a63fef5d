package suite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	simprogram "github.com/ccwire/ccwire/internal/sim/program"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/replay"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/simtarget"
)

// modeEnv makes this test program a CLI: it names a scenario.
const modeEnv = "CCWIRE_TEST_CLI"

func TestMain(m *testing.M) {
	name := os.Getenv(modeEnv)
	if name == "" {
		os.Exit(m.Run())
	}
	code, err := beCLI(name, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 2
	}
	os.Exit(code)
}

// beCLI is the simulated CLI, with the model of a scenario.
func beCLI(name string, args []string) (code int, err error) {
	all, err := scenario.All()
	if err != nil {
		return 0, err
	}
	chosen, err := suite.Select(all, []suite.Glob{suite.Glob(name)}, nil)
	if err != nil {
		return 0, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	p := simprogram.Program{Script: &script.Script{Script: chosen[0].API}}
	exit, err := p.Run(context.Background(), simprogram.Streams{
		Args: args, Env: os.Environ(), Dir: dir, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	return exit.Code, err
}

// program writes a shell script and returns its path.
func program(t testing.TB, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// simulatedCLI is a program that is the simulated CLI, with the model of a scenario.
func simulatedCLI(t testing.TB, scenario string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program(t, modeEnv+"="+scenario+" exec "+self+` "$@"`)
}

// simulated returns the simulated CLI.
func simulated(t testing.TB) suite.Target {
	t.Helper()
	target, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// replayed returns a CLI that plays recordings.
func replayed(t testing.TB) *replay.Target {
	t.Helper()
	target, err := replay.NewTarget()
	if err != nil {
		t.Fatal(err)
	}
	return target
}
