package conformance_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/conformance/recording"
	"github.com/ccwire/ccwire/internal/conformance/recordings"
	"github.com/ccwire/ccwire/internal/conformance/replay"
)

// modeEnv makes this test program a CLI.
const modeEnv = "CCWIRE_TEST_CLI"

func TestMain(m *testing.M) {
	if mode := os.Getenv(modeEnv); mode != "" {
		os.Exit(beCLI(mode, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// beCLI is a CLI that plays a recording.
func beCLI(scenario string, args []string) int {
	newest := recordings.Newest()
	if len(args) > 0 && args[0] == "--version" {
		fmt.Printf("%s (Claude Code)\n", newest)
		return 0
	}
	entries, err := recordings.Read(newest, scenario)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	names := recording.NewNames(newest, "")
	if cwd, err := os.Getwd(); err == nil {
		names.Folder(filepath.Dir(cwd), "/scratch")
	}
	s := &replay.Session{Entries: entries, Names: names, Loose: true}
	return s.ServeProcess(context.Background(), os.Stdin, os.Stdout, os.Stderr)
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

// replayCLI is a program that plays the recording of a scenario.
func replayCLI(t testing.TB, scenario string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program(t, modeEnv+"="+scenario+" exec "+self+` "$@"`)
}
