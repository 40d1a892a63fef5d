package cli

import (
	"errors"
	"sync"
	"time"
)

// group is the process with those of its descendants that the system keeps together with it, which
// get the signals, and the family, which is everybody else that descends from it. It sends no
// signal once the leader's id may belong to somebody else, and remembers which steps were taken to
// end it.
type group struct {
	members members // knows how to signal them
	family  *family // nil if it is to be left alone; guarded by mu until the leader is gone

	mu    sync.Mutex // guards the fields below; held while a signal is sent
	steps []stepTaken
	gone  time.Time // when the leader was found to be gone; zero before
}

type stepTaken struct {
	step StopStep
	at   time.Time
}

// take notes a step and sends its signal, if it has one: once, and only if no later step was taken.
// The error is [errors.ErrUnsupported] if the step is not possible here: then it was not taken.
func (g *group) take(step StopStep, send func() error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.gone.IsZero() || len(g.steps) > 0 && g.steps[len(g.steps)-1].step >= step {
		return nil
	}
	at := time.Now()
	if g.family != nil {
		g.family.look()
	}
	var err error
	if send != nil {
		err = send()
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		g.steps = append(g.steps, stepTaken{step, at})
	}
	return err
}

func (g *group) kill() error { return g.take(StepKill, g.members.kill) }

// leaderIsGone kills what is left of the group and allows no other step.
func (g *group) leaderIsGone() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gone = time.Now()
	g.members.kill() // the usual error is that nobody is left
	g.members.release()
}

// end kills what is left of the family. The leader is gone.
func (g *group) end() {
	if g.family != nil {
		g.family.end()
	}
}

// report says how long each step had until the leader was gone.
func (g *group) report() StopReport {
	g.mu.Lock()
	defer g.mu.Unlock()
	var r StopReport
	for i, s := range g.steps {
		end := g.gone
		if i+1 < len(g.steps) {
			end = g.steps[i+1].at
		}
		r = append(r, StepWait{s.step, end.Sub(s.at)})
	}
	return r
}
