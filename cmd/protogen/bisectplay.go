package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/drift"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording/inventory"
)

// A releasePlayer plays a scenario on releases.
type releasePlayer struct {
	scenario      string
	network, keep bool
	played        map[string]*releasePlayed
}

// releasePlayed is what came of a scenario on a release.
type releasePlayed struct {
	inventory *inventory.Inventory // nil if the scenario is not for this release
	failed    string               // why it does not hold, "" if it does
}

func (p *releasePlayed) verdict() string {
	switch {
	case p.inventory == nil:
		return "the scenario is not for it"
	case p.failed != "":
		return "does not hold"
	}
	return "holds"
}

// same reports whether two releases are alike, in the verdict or also in the lines.
func (p *releasePlayed) same(q *releasePlayed, verdict bool) bool {
	if verdict || p.inventory == nil || q.inventory == nil {
		return p.verdict() == q.verdict()
	}
	return p.verdict() == q.verdict() && drift.Compare(p.inventory, q.inventory, nil, scenarioVaries).Empty()
}

// play records the scenario in a process of its own, which installs the release and then has a
// network of its own.
func (r *releasePlayer) play(ctx context.Context, version string) (*releasePlayed, error) {
	self, err := exec.LookPath(os.Args[0])
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "ccwire-bisect-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cache, err := npm.DefaultCache()
	if err != nil {
		return nil, err
	}
	if _, err := cache.Find(version); errors.Is(err, npm.ErrNotInstalled) && !r.keep {
		defer cache.Remove(version) // what is left costs space only
	}
	args := []string{"record", "--npm", version, "--scenario", r.scenario, "--out", dir, "--parallel", "1"}
	if r.network {
		args = append(args, "--shared-network")
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == exitFindings {
		err = nil
	}
	if err != nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return nil, errors.New(strings.TrimPrefix(lines[len(lines)-1], "protogen: "))
	}
	played := &releasePlayed{}
	if folder := filepath.Join(dir, version); exists(folder) {
		if played.inventory, err = readInventory(folder); err != nil {
			return nil, err
		}
		if course := played.inventory.Scenarios[r.scenario]; course != nil {
			played.failed = course.Failed
		}
	}
	if r.played == nil {
		r.played = map[string]*releasePlayed{}
	}
	r.played[version] = played
	return played, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
