//go:build unix

package transport

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

const politeFile = "ended in peace"

func init() { peertest.AddScript("polite", runPolite) }

// runPolite is a CLI that says a message, ends at an interrupt, and notes that in a file.
func runPolite([]string) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	fmt.Println(peertest.KeepAliveLine)
	select {
	case <-c:
		os.WriteFile(politeFile, nil, 0o600)
	case <-time.After(time.Minute):
	}
}

func TestCancelledQueryLetsTheCLIEndItsTools(t *testing.T) {
	peertest.CheckLeaks(t)
	c := peertest.NewChild(t, "polite")
	o := &Options{CLI: c.Path, Env: c.Env, CleanEnv: true, Dir: t.TempDir(), Logger: peertest.Quiet}
	o.InputGrace, o.InterruptGrace = -1, peertest.Patience
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range Query(ctx, "work", o).Messages() {
		cancel()
	}
	if _, err := os.Stat(filepath.Join(o.Dir, politeFile)); err != nil {
		t.Errorf("the CLI was not asked to end: %v", err)
	}
}
