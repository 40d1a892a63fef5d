package sim

import (
	"context"

	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/life"
	"github.com/ccwire/ccwire/internal/sim/output"
)

// Run plays the CLI until its end and returns the exit code; -1 if Signal("KILL") has ended it.
func (s *Session) Run(ctx context.Context) int {
	s.out = output.NewSession(output.New(s.Stdout), s.release)
	s.calls = calls.New(s.out)
	s.life = life.New(ctx, func() { s.out.Halt(true) }) // what still runs has nothing more to say
	stop := context.AfterFunc(ctx, func() { s.life.End(-1) })
	defer stop()
	code, ok := s.prepare()
	if !ok {
		s.life.Cancel()
		s.out.Close()
		return code
	}
	s.markStart()
	s.drawPlugins()
	s.takeName()
	s.sessionStarts()
	if s.flags.StreamInput() {
		go s.read() // ends with the input, or is left behind in a read
	} else {
		go s.readText() // the same
	}
	go s.takeSignals() // ends with the session
	go s.play()        // ends with the session
	<-s.life.Ended()
	code = s.life.Code()
	if code == 0 || code == 1 {
		s.sessionEnds(ctx)
	}
	s.life.Cancel()
	s.calls.Close()
	s.life.Wait()
	if code == 0 || code == 1 {
		s.out.Halt(false)
		s.transcript.LastPrompt(true)
		added, removed := s.spent.Changed()
		s.transcript.Cost(s.start, s.spent.Cost(), added, removed, s.spent.Kept())
	}
	s.close()
	if code < 0 {
		s.out.Abandon()
	} else {
		s.out.EndList()
		s.out.Close()
	}
	return code
}

// Signal delivers a signal: "INT", "TERM" or "KILL".
func (s *Session) Signal(name string) {
	select {
	case s.signal <- name:
	default: // as with a process, signals that come too fast are one
	}
}

func (s *Session) takeSignals() {
	for {
		select {
		case name := <-s.signal:
			switch name {
			case "KILL":
				s.life.End(-1)
			case "TERM":
				s.life.End(143)
			case "INT":
				s.interrupted()
			}
		case <-s.life.Context().Done():
			return
		}
	}
}

// interrupted is what SIGINT does.
func (s *Session) interrupted() {
	if !s.stage.Playing() {
		s.life.End(0)
		return
	}
	s.stage.Interrupt(life.ErrSigint)()
}

// play plays a turn for the messages that wait, until the input has ended and nothing is left to
// do.
func (s *Session) play() {
	idle := true
	for !s.life.Over() {
		if list := s.queue.Next(idle); len(list) > 0 {
			s.stage.Play(list)
			idle = false
			continue
		}
		idle = true
		if s.queue.Done() && s.tasks.Idle() {
			s.stage.AwaitSuggestion()
			code := 0
			if s.results.Failed() {
				code = 1
			}
			s.life.End(code)
			return
		}
		select {
		case <-s.queue.Wake():
		case <-s.tasks.Changed():
		case <-s.life.Context().Done():
		}
	}
}
