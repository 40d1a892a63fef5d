package replay

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/transport/cli"
)

// Target is a CLI that plays recordings, in this process.
type Target struct {
	version cli.Version
	change  func(*scenario.Scenario, []recording.Entry) []recording.Entry
}

// NewTarget returns the CLI that plays the recordings of the newest version.
func NewTarget() (*Target, error) { return TargetOf(corpus.Newest()) }

// TargetOf returns the CLI that plays the recordings of a version.
func TargetOf(version string) (*Target, error) {
	v, err := cli.ParseVersion(version)
	if err != nil {
		return nil, err
	}
	return &Target{version: v}, nil
}

// Changed returns a CLI that plays each recording after change was at it.
func (t *Target) Changed(change func(*scenario.Scenario, []recording.Entry) []recording.Entry) *Target {
	return &Target{version: t.version, change: change}
}

// Name is "recorded" and the version.
func (t *Target) Name() string { return "recorded " + t.version.String() }

// Version is that of the recordings.
func (t *Target) Version() cli.Version { return t.version }

// Limit is how long a scenario may take: a replay works on nothing, so when it is silent it
// will stay so.
func (t *Target) Limit() time.Duration { return 10 * time.Second }

// Start plays the scenario's recording.
func (t *Target) Start(ctx context.Context, s *scenario.Scenario) (suite.Peer, error) {
	entries, err := corpus.Read(t.version.String(), s.Name)
	if err != nil {
		return nil, err
	}
	if t.change != nil {
		entries = t.change(s, entries)
	}
	names := recording.NewNames(t.version.String(), "")
	for _, arg := range slices.Concat(s.Earlier, suite.Arguments(s, vars())) {
		names.Hide(arg) // the CLI may repeat an id that is there
	}
	return newPeer(entries, names), nil
}

// peer is a session with a replay.
type peer struct {
	stdinR  *io.PipeReader
	stdin   *io.PipeWriter
	stdout  *io.PipeReader
	signals chan string
	done    chan struct{}
	cancel  context.CancelFunc
	exit    suite.Exit // valid once done is closed

	asked  map[int][]string // recorded summaries by number of the request
	mu     sync.Mutex       // guards totals
	totals []int            // recorded totals that were not asked for yet
}

func newPeer(entries []recording.Entry, names *recording.Names) *peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &peer{stdinR: inR, stdin: inW, stdout: outR, signals: make(chan string, 8), done: make(chan struct{}), cancel: cancel, asked: map[int][]string{}}
	for _, e := range entries {
		switch {
		case e.Dir != recording.API:
		case e.Total != nil:
			p.totals = append(p.totals, *e.Total)
		default:
			p.asked[e.Number] = append(p.asked[e.Number], e.Line)
		}
	}
	session := &Session{Entries: entries, Names: names, Signals: p.signals}
	// Ends with the recording, or when Close ends the context; owns the inner ends of the pipes.
	go func() {
		code, stderr := session.Serve(ctx, inR, outW)
		p.exit = suite.Exit{Code: code, Stderr: stderr}
		if last := entries[len(entries)-1]; code < 0 {
			p.exit.Signal = last.Signal
		}
		inR.Close()
		outW.Close()
		close(p.done)
	}()
	return p
}

// vars are the folders of every session, as recordings name them.
func vars() scenario.Vars {
	return scenario.Vars{"cwd": "/scratch/cwd", "home": "/scratch/home", "config": "/scratch/config", "tmp": "/scratch/tmp", "api": "http://127.0.0.1:0"}
}

func (p *peer) Vars() scenario.Vars   { return vars() }
func (p *peer) Stdin() io.WriteCloser { return p.stdin }
func (p *peer) Stdout() io.Reader     { return p.stdout }
func (p *peer) Done() <-chan struct{} { return p.done }
func (p *peer) Exit() suite.Exit      { return p.exit }

func (p *peer) Signal(name string) error {
	p.signals <- name
	return nil
}

// Asked looks for a recorded summary of request n for which cond holds.
func (p *peer) Asked(_ context.Context, n int, cond func([]byte) bool) ([]byte, error) {
	for _, summary := range p.asked[n] {
		if cond([]byte(summary)) {
			return []byte(summary), nil
		}
	}
	return nil, fmt.Errorf("the recording has no such request")
}

func (p *peer) AskedTotal() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.totals) == 0 {
		return -1
	}
	n := p.totals[0]
	p.totals = p.totals[1:]
	return n
}

func (p *peer) Close() error {
	p.cancel()
	p.stdin.Close()
	p.stdout.Close()
	<-p.done
	return nil
}
