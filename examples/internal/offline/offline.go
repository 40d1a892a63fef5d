// Package offline is the CLI of the examples where none is installed: it replays a session of each
// that was recorded with the real CLI. The recordings are made by the live tests of package
// examples.
package offline

import (
	"context"
	"embed"
	"fmt"
	"os"
	"slices"

	"github.com/ccwire/ccwire/internal/conformance/recording"
	"github.com/ccwire/ccwire/internal/conformance/replay"
)

//go:embed sessions/*.ndjson
var sessions embed.FS

// Session returns the recorded session of an example.
func Session(example string) ([]recording.Entry, error) {
	return recording.ReadFile(sessions, "sessions/"+example+".ndjson")
}

// Serve is the CLI in this process, with these arguments, and returns its exit code. It says what
// the recording has, whatever the prompt and the answers of the SDK are, and touches no file.
func Serve(entries []recording.Entry, args []string) int {
	version := entries[0].Version
	if slices.Contains(args, "--version") {
		fmt.Printf("%s (Claude Code)\n", version)
		return 0
	}
	names := recording.NewNames(version, "")
	if cwd, err := os.Getwd(); err == nil {
		names.Folder(cwd, "/scratch/cwd")
	}
	session := &replay.Session{Entries: entries, Names: names, Loose: true}
	return session.ServeProcess(context.Background(), os.Stdin, os.Stdout, os.Stderr)
}
