package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// Main serves on stdin and stdout, and ends the program: the whole main function of a driver that
// is a program of its own.
func (s *SDK) Main() {
	if err := s.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Serve does what the commands on in say, one JSON object on a line, until their end, and writes
// reports to out. What still hangs at the end is left, and its context ends.
func (s *SDK) Serve(in io.Reader, out io.Writer) error {
	if s.Open == nil && s.Query == nil {
		return errors.New("driver: an SDK needs Open or Query")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := &play{sdk: s, out: json.NewEncoder(out), over: ctx.Done(), sessions: map[string]*conversation{}}
	p.report(driver.Report{Report: driver.Ready, SDK: s.Name, Version: s.Version, Features: s.features()})
	for commands := json.NewDecoder(in); ; {
		var c driver.Command
		switch err := commands.Decode(&c); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("driver: a line that is not a command: %w", err)
		}
		go p.in(c.Session).run(ctx, &c) // ends with the command
	}
}

func (s *SDK) features() []string {
	list := slices.Clone(s.Features)
	if s.Open != nil {
		list = append(list, "session")
	}
	if s.Query != nil {
		list = append(list, "query")
	}
	return list
}

// play is one scenario.
type play struct {
	sdk  *SDK
	over <-chan struct{} // closed when the scenario is over

	mu       sync.Mutex // guards the fields below, and those of the sessions
	out      *json.Encoder
	calls    int
	sessions map[string]*conversation // by name
}

func (p *play) report(r driver.Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.out.Encode(&r) // nobody is there to be told
}

// in returns the session of a name, which may not have begun.
func (p *play) in(name string) *conversation {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sessions[name] == nil {
		p.sessions[name] = &conversation{play: p, name: name}
	}
	return p.sessions[name]
}

// conversation is one session or query of a scenario.
type conversation struct {
	*play
	name string // "" if there is no other

	stream Stream
	giveUp context.CancelFunc // ends a start, or a query; nil before there is one
}

// report is that of the scenario, for what belongs to a session.
func (p *conversation) report(r driver.Report) {
	r.Session = p.name
	p.play.report(r)
}

// run does one command and reports its end. A panic of the SDK is an error of the command.
func (p *conversation) run(ctx context.Context, c *driver.Command) {
	value, err := func() (value any, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v", r)
			}
		}()
		return p.do(ctx, c)
	}()
	var text json.RawMessage
	if err == nil && value != nil {
		text, err = json.Marshal(value)
	}
	if err == nil {
		p.play.report(driver.Report{Report: driver.Done, ID: c.ID, Value: text})
		return
	}
	r := driver.Report{Report: driver.Error, ID: c.ID, Text: err.Error()}
	if p.sdk.Exit != nil {
		r.ExitCode, r.Stderr = p.sdk.Exit(err)
	}
	p.play.report(r)
}

func (p *conversation) do(ctx context.Context, c *driver.Command) (any, error) {
	if c.Command == driver.Start {
		return nil, p.start(ctx, c)
	}
	p.mu.Lock()
	stream, giveUp := p.stream, p.giveUp
	p.mu.Unlock()
	session, _ := stream.(Session)
	switch c.Command {
	case driver.Read:
		return nil, p.read(c, stream)
	case driver.Close:
		return nil, closeStream(stream, session, giveUp)
	case driver.Prompt:
		if session != nil {
			return nil, session.Prompt(ctx, *c.Text)
		}
	case driver.Interrupt:
		if s, ok := stream.(Interrupter); ok {
			return s.Interrupt(ctx)
		}
	case driver.SetModel:
		if s, ok := stream.(ModelSetter); ok {
			return s.SetModel(ctx, c.Model)
		}
	case driver.SetPermissionMode:
		if s, ok := stream.(PermissionModeSetter); ok {
			return s.SetPermissionMode(ctx, c.Mode)
		}
	case driver.MCPStatus:
		if s, ok := stream.(MCPStatuser); ok {
			return s.MCPStatus(ctx)
		}
	case driver.CloseInput:
		if s, ok := stream.(InputCloser); ok {
			return nil, s.CloseInput(ctx)
		}
	}
	return nil, fmt.Errorf("driver: there is no session that has %s", c.Command)
}

// closeStream ends a session, gives up one that is still opened, and ends a query.
func closeStream(stream Stream, session Session, giveUp context.CancelFunc) error {
	if session == nil && giveUp != nil {
		giveUp()
	}
	if stream == nil {
		return nil
	}
	return stream.Close()
}

// start opens a session, or begins a query.
func (p *conversation) start(ctx context.Context, c *driver.Command) error {
	ctx, cancel := context.WithCancel(ctx)
	p.mu.Lock()
	p.giveUp = cancel
	p.mu.Unlock()
	var stream Stream
	var err error
	switch o := p.options(c); {
	case c.Prompt != nil && p.sdk.Query != nil:
		stream, err = p.sdk.Query(ctx, *c.Prompt, o)
	case c.Prompt == nil && p.sdk.Open != nil:
		stream, err = p.sdk.Open(ctx, o)
	default:
		err = errors.New("driver: the SDK does not have what the scenario starts")
	}
	if err != nil {
		return err
	}
	if stream == nil {
		return errors.New("driver: Open and Query must return a session, a stream or an error")
	}
	if c.Options != nil && c.Options.CancelStartContext {
		cancel()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stream = stream
	return nil
}

// read takes messages and reports them.
func (p *conversation) read(c *driver.Command, stream Stream) error {
	if stream == nil {
		return errors.New("driver: there is no session to read from")
	}
	for n := 0; c.Count == 0 || n < c.Count; n++ {
		m, err := stream.Next()
		if errors.Is(err, io.EOF) {
			p.report(driver.Report{Report: driver.End})
			return nil
		}
		if err != nil {
			return err
		}
		if !json.Valid(m.JSON) { // the SDK hands on what is not JSON
			if m.JSON, err = json.Marshal(string(m.JSON)); err != nil {
				return err
			}
		}
		p.report(driver.Report{Report: driver.Message, Type: m.Type, Subtype: m.Subtype, Message: m.JSON})
		if c.Until == "result" && m.Type == "result" {
			return nil
		}
	}
	return nil
}
