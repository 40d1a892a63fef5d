package suite

import (
	"context"
	"io"

	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/transport/cli"
)

// Target is a CLI under test.
type Target interface {
	// Name is what reports call it.
	Name() string
	// Version is the CLI's version.
	Version() cli.Version
	// Start starts a session for the scenario. The caller closes the peer.
	Start(ctx context.Context, s *scenario.Scenario) (Peer, error)
}

// Peer is the CLI's end of one session.
type Peer interface {
	// Vars are the names that the scenario's lines may use, such as the working directory.
	Vars() scenario.Vars
	Stdin() io.WriteCloser
	// Stdout ends when everything that the CLI wrote was read.
	Stdout() io.Reader
	// Signal sends "INT", "TERM" or "KILL".
	Signal(name string) error
	// Done is closed when the CLI has ended.
	Done() <-chan struct{}
	// Exit says how it ended. It is valid once Done is closed.
	Exit() Exit
	// Asked waits until request n of the conversation, from 1, has come to the fake API and cond
	// holds for its summary. It returns that summary, a JSON object.
	Asked(ctx context.Context, n int, cond func(summary []byte) bool) ([]byte, error)
	// AskedTotal is how many requests of the conversation have come.
	AskedTotal() int
	// Close ends the CLI and removes what it left. It may be called at any time and more than once.
	Close() error
}

// Exit is how a CLI ended.
type Exit struct {
	Code   int    // -1 if a signal ended it
	Signal string // the signal's name, if one ended it
	Stderr string // the end of its stderr
}
