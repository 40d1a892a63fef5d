package drivercheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// session is a driver that is spoken to.
type session struct {
	ctx      context.Context
	stage    *sdk.Rehearsal
	process  *driver.Process
	step     time.Duration
	features []string
	started  bool // a start was sent

	mu      sync.Mutex // guards the fields below
	changed chan struct{}
	sent    []driver.Command
	ended   map[int]bool // commands
	reports []*driver.Report
	calls   int
	problem error // the first
}

// open starts a driver and waits until it is ready.
func open(ctx context.Context, subject *sdk.Subject, script string, step time.Duration) (*session, error) {
	if script == "" {
		script = "{}"
	}
	stage, err := subject.Rehearse([]byte(script))
	if err != nil {
		return nil, err
	}
	s := &session{ctx: ctx, stage: stage, step: step, features: subject.Features, changed: make(chan struct{}), ended: map[int]bool{}}
	prog := stage.Program
	prog.OnReport = s.take
	prog.OnProblem = func(err error) { s.update(func() { s.note(&fault{text: err.Error()}) }) }
	if s.process, err = driver.Run(prog); err != nil {
		return nil, errors.Join(fmt.Errorf("the driver does not start: %w", err), stage.Remove())
	}
	if _, err := s.find("ready", func(r *driver.Report) bool { return r.Report == driver.Ready }); err != nil {
		s.leave()
		return nil, err
	}
	return s, nil
}

func (s *session) update(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}

// note keeps the first problem. It is called with the lock.
func (s *session) note(err error) {
	if s.problem == nil {
		s.problem = err
	}
}

// take keeps a report, and checks what holds of every report.
func (s *session) take(r *driver.Report) {
	s.update(func() {
		switch r.Report {
		case driver.Ready:
			if len(s.reports) > 0 {
				s.note(wrong("it reports ready a second time"))
			}
		case driver.Done, driver.Error:
			s.takeEnd(r)
		case driver.Callback:
			if s.calls++; r.Call != s.calls {
				s.note(wrong("the callback %s %s has the call number %d, want %d: they count from 1", r.Kind, r.Name, r.Call, s.calls))
			}
		case driver.Cancelled:
			if r.Call < 1 || r.Call > s.calls {
				s.note(wrong("cancelled has the call number %d, and there was no such call", r.Call))
			}
		case driver.Message:
			if !slices.ContainsFunc(s.sent, func(c driver.Command) bool { return c.Command == driver.Read && !s.ended[c.ID] }) {
				s.note(wrong("it reports a message while no read runs"))
			}
		}
		s.reports = append(s.reports, r)
	})
}

func (s *session) takeEnd(r *driver.Report) {
	switch {
	case r.ID < 1 || r.ID > len(s.sent):
		s.note(wrong("%s has the id %d, which no command had", r.Report, r.ID))
	case s.ended[r.ID]:
		s.note(wrong("the command %s with the id %d has a second end", s.sent[r.ID-1].Command, r.ID))
	case r.Report == driver.Error && r.Text == "":
		s.note(wrong("the error of %s has no text", s.sent[r.ID-1].Command))
	}
	s.ended[r.ID] = true
}

// find waits for a report. What is wrong by then comes first.
func (s *session) find(what string, match func(*driver.Report) bool) (*driver.Report, error) {
	over := time.After(s.step)
	for {
		s.mu.Lock()
		i := slices.IndexFunc(s.reports, match)
		problem, changed := s.problem, s.changed
		var found *driver.Report
		if i >= 0 {
			found = s.reports[i]
		}
		s.mu.Unlock()
		switch {
		case problem != nil:
			return nil, problem
		case found != nil:
			return found, nil
		}
		select {
		case <-changed:
		case <-s.process.Done():
			code, _ := s.process.Exit()
			return nil, wrong("it ended with code %d before %s came", code, what)
		case <-over:
			return nil, wrong("%s does not come in %v", what, s.step)
		case <-s.ctx.Done():
			return nil, context.Cause(s.ctx)
		}
	}
}

// begin sends a command and returns its id.
func (s *session) begin(c driver.Command) (int, error) {
	s.mu.Lock()
	c.ID = len(s.sent) + 1
	s.sent = append(s.sent, c)
	s.mu.Unlock()
	if c.Command == driver.Start {
		s.started = true
		if c.CLI == "" {
			c.CLI = s.stage.CLI
		}
		c.Cwd = s.stage.Cwd
	}
	if err := s.process.Send(&c); err != nil {
		return 0, wrong("%v", err)
	}
	return c.ID, nil
}

// end waits for the end of a command.
func (s *session) end(id int) (*driver.Report, error) {
	name := s.sent[id-1].Command
	return s.find("done or error for the command "+name, func(r *driver.Report) bool {
		return r.ID == id && (r.Report == driver.Done || r.Report == driver.Error)
	})
}

// do sends a command and waits for its end.
func (s *session) do(c driver.Command) (*driver.Report, error) {
	id, err := s.begin(c)
	if err != nil {
		return nil, err
	}
	return s.end(id)
}

// must is do for a command that a CLI that behaves makes succeed.
func (s *session) must(c driver.Command) (*driver.Report, error) {
	r, err := s.do(c)
	if err == nil && r.Report == driver.Error {
		err = unclear("%s fails, with a CLI that behaves: %s", c.Command, r.Text)
	}
	return r, err
}

// talk starts a session with a prompt, or the function for one prompt if there is nothing else.
func (s *session) talk(o *driver.Options) error {
	text := "hello"
	if !slices.Contains(s.features, "session") {
		_, err := s.must(driver.Command{Command: driver.Start, Prompt: &text, Options: o})
		return err
	}
	if _, err := s.must(driver.Command{Command: driver.Start, Options: o}); err != nil {
		return err
	}
	_, err := s.must(driver.Command{Command: driver.Prompt, Text: &text})
	return err
}

// callback waits for the report of a callback.
func (s *session) callback(kind, name string) (*driver.Report, error) {
	r, err := s.find("the report of the callback", func(r *driver.Report) bool { return r.Report == driver.Callback })
	switch {
	case err != nil:
		return nil, err
	case r.Kind != kind:
		return nil, wrong("the callback is reported as of the kind %q, want %q", r.Kind, kind)
	case r.Name != name:
		return nil, wrong("the callback is reported with the name %q, want %q", r.Name, name)
	case len(r.Input) == 0 || r.Input[0] != '{':
		return nil, wrong("the callback is reported without its input")
	}
	return r, nil
}

// messages returns the types of the messages since a number of reports.
func (s *session) messages(from int) (types []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.reports[from:] {
		if r.Report == driver.Message {
			types = append(types, r.Type)
		}
	}
	return types
}

// count returns how many reports there are.
func (s *session) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.reports)
}

// finish closes the session, ends the input, and checks how the driver ends.
func (s *session) finish(c *check) error {
	if s.started && !c.abandons {
		if _, err := s.do(driver.Command{Command: driver.Close}); err != nil {
			return err
		}
	}
	s.process.CloseInput()
	select {
	case <-s.process.Done():
	case <-time.After(s.step):
		return wrong("it does not end %v after the end of its input", s.step)
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
	if code, _ := s.process.Exit(); code != 0 {
		return wrong("it ended with code %d after the end of its input, want 0", code)
	}
	if !c.abandons && s.left() {
		return unclear("processes that it started run %v after its end", s.step)
	}
	s.mu.Lock()
	problem := s.problem
	s.mu.Unlock()
	if problem != nil || c.wire == nil {
		return problem
	}
	entries, err := s.stage.Entries()
	if err != nil {
		return err
	}
	return c.wire(entries)
}

// left waits for the processes that outlive the driver, and reports whether some stay.
func (s *session) left() bool {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for over := time.Now().Add(s.step); s.process.Left(); <-tick.C {
		if time.Now().After(over) {
			return true
		}
	}
	return false
}

// leave ends what is left, and returns what the driver has said on stderr.
func (s *session) leave() string {
	s.process.Kill()
	_ = s.stage.Remove() // folders for temporary files, at worst
	return s.process.Stderr()
}
