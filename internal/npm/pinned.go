package npm

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"strings"
)

//go:embed cli-version
var pinned string

// Pinned is the newest version of the CLI that ccwire is verified against. The file cli-version is
// the one place that says it.
func Pinned() string { return strings.TrimSpace(pinned) }

// PinnedPath returns the program to run live tests with: the one that the environment variable
// CLAUDE_CLI names, else the pinned version, which is installed if it is not there.
func PinnedPath(ctx context.Context) (string, error) {
	if path := os.Getenv("CLAUDE_CLI"); path != "" {
		return path, nil
	}
	cache, err := DefaultCache()
	if err != nil {
		return "", err
	}
	path, err := cache.Path(ctx, Pinned())
	if err != nil {
		return "", fmt.Errorf("%w; install npm, or give the path of a CLI in CLAUDE_CLI", err)
	}
	return path, nil
}
