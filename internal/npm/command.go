package npm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// npm runs npm in a folder and returns what it prints. When ctx ends, so do npm and what it has
// started.
func npm(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "npm", args...)
	cmd.Dir = dir
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ownGroup(cmd)
	cmd.WaitDelay = time.Second // for a descendant that holds the pipes
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("npm is not installed: install Node.js, or give the CLI by --bin")
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		text := strings.TrimSpace(stderr.String())
		if len(text) > 2000 {
			text = "…" + text[len(text)-2000:]
		}
		return "", fmt.Errorf("npm %s: %w\n%s", args[0], err, text)
	}
	return stdout.String(), nil
}
