package cli

import "sync"

// group is the process group that the process leads. It sends no signal once the leader's id may
// belong to somebody else.
type group struct {
	leader int

	mu          sync.Mutex // guards the fields below; held while a signal is sent
	interrupted bool
	sweep       bool
	gone        bool
}

// interrupt asks the group to end, once, however often it is called.
func (g *group) interrupt() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gone || g.interrupted {
		return nil
	}
	g.interrupted = true
	return interruptGroup(g.leader)
}

func (g *group) kill() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gone {
		return nil
	}
	return killGroup(g.leader)
}

// sweepAtExit has the rest of the group killed when the leader is gone.
func (g *group) sweepAtExit() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sweep = true
}

// leaderIsGone sends the last signal, if it is wanted, and allows no other.
func (g *group) leaderIsGone() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gone = true
	if g.sweep {
		killGroup(g.leader) // the usual error is that there is no rest
	}
}
