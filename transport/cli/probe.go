package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"
)

// ProbeTimeout bounds [Probe] where its context has no deadline.
const ProbeTimeout = 10 * time.Second

// maxProbeOutput is how much of the output is read. What follows is cut off and the process is
// killed.
const maxProbeOutput = 64 << 10

// Probe runs "path --version" with env (nil: the environment of this process) and parses what it
// prints. The process is gone when Probe returns.
//
// An error means that the version is unknown, not that the CLI is unusable: newer ones may print
// something else, and slow ones may not be done in time. It is a [*SpawnError], or wraps the
// context's error, an [*ExitError] or [ErrNoVersion].
func Probe(ctx context.Context, path string, env []string) (Version, error) {
	ctx, cancel := withProbeTimeout(ctx)
	defer cancel()
	p, err := Start(Options{Path: path, Args: []string{"--version"}, Env: env})
	if err != nil {
		return Version{}, err
	}
	p.Stdin().Close()

	stop := context.AfterFunc(ctx, p.Kill) // ends the read below
	out, _ := io.ReadAll(io.LimitReader(p.Stdout(), maxProbeOutput))
	long := len(out) == maxProbeOutput
	if long {
		p.Kill()
	}
	exitErr := p.Wait()
	if late := !stop(); late || long {
		out = out[:bytes.LastIndexByte(out, '\n')+1] // half a line may be half a version
	}

	v, err := ParseVersion(string(out))
	switch {
	case err == nil:
		return v, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case exitErr != nil && !long:
		err = exitErr
	}
	return Version{}, fmt.Errorf("%s --version: %w", path, err)
}

func withProbeTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, ProbeTimeout)
}
