package ccwire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"log/slog"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
	"github.com/ccwire/ccwire/transport"
)

// Serve does what the commands say until their end. What hangs then, is left.
func Serve(in io.Reader, out io.Writer) error {
	d := &session{out: json.NewEncoder(out)}
	d.report(driver.Report{Report: driver.Ready, SDK: "ccwire", Version: "", Features: driver.Features})
	for commands := json.NewDecoder(in); ; {
		var c driver.Command
		switch err := commands.Decode(&c); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		go d.run(&c) // ends with the command
	}
}

// session is the one session of a driver.
type session struct {
	mu       sync.Mutex // guards the fields below
	out      *json.Encoder
	calls    int
	session  *transport.Session
	giveUp   context.CancelFunc               // ends a start, or a query; nil before there is one
	messages func() (wire.Frame, error, bool) // the next message; false at the end
}

func (d *session) report(r driver.Report) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.out.Encode(&r) // nobody is there to be told
}

// run does one command and reports its end.
func (d *session) run(c *driver.Command) {
	value, err := d.do(context.Background(), c)
	if err == nil {
		d.report(driver.Report{Report: driver.Done, ID: c.ID, Value: value})
		return
	}
	r := driver.Report{Report: driver.Error, ID: c.ID, Text: err.Error()}
	if exit := (*transport.ExitError)(nil); errors.As(err, &exit) {
		r.ExitCode, r.Stderr = &exit.Code, exit.Stderr
	}
	d.report(r)
}

func (d *session) do(ctx context.Context, c *driver.Command) (json.RawMessage, error) {
	if c.Command == driver.Start {
		return nil, d.start(ctx, c)
	}
	d.mu.Lock()
	s, next := d.session, d.messages
	d.mu.Unlock()
	if c.Command == driver.Read {
		return nil, d.read(c, next)
	}
	if s == nil {
		d.leave()
		return nil, nil
	}
	switch c.Command {
	case driver.Prompt:
		return nil, s.Prompt(ctx, *c.Text)
	case driver.Interrupt:
		r, err := s.Interrupt(ctx, &wire.InterruptRequest{})
		return value(r, err)
	case driver.SetModel:
		r, err := s.SetModel(ctx, &wire.SetModelRequest{Model: wire.Some(c.Model)})
		return value(r, err)
	case driver.SetPermissionMode:
		r, err := s.SetPermissionMode(ctx, &wire.SetPermissionModeRequest{Mode: wire.PermissionMode(c.Mode)})
		return value(r, err)
	case driver.MCPStatus:
		r, err := s.MCPStatus(ctx, &wire.MCPStatusRequest{})
		return value(r, err)
	case driver.CloseInput:
		return nil, s.CloseInput(ctx)
	case driver.Close:
		return nil, s.Close()
	}
	return nil, errors.New("unknown command " + c.Command)
}

func value(r codec.Appender, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return r.AppendJSON(nil)
}

// leave gives up what has no session yet, or is a query.
func (d *session) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.giveUp != nil {
		d.giveUp()
	}
}

// start opens a session, or prepares a query.
func (d *session) start(ctx context.Context, c *driver.Command) error {
	ctx, cancel := context.WithCancel(ctx)
	d.mu.Lock()
	d.giveUp = cancel
	d.mu.Unlock()
	o := &transport.Options{CLI: c.CLI, Dir: c.Cwd, Logger: slog.New(slog.DiscardHandler)}
	for k, v := range c.Env {
		o.Env = append(o.Env, k+"="+v)
	}
	if c.Options != nil {
		d.configure(o, c.Options)
	}
	if c.Prompt != nil {
		next, _ := iter.Pull2(transport.Query(ctx, *c.Prompt, o).Messages())
		d.mu.Lock()
		d.messages = next
		d.mu.Unlock()
		return nil
	}
	s, err := transport.Open(ctx, o)
	if err != nil {
		return err
	}
	next, _ := iter.Pull2(s.Messages())
	d.mu.Lock()
	defer d.mu.Unlock()
	d.session, d.messages = s, next
	return nil
}

// read takes messages and reports them.
func (d *session) read(c *driver.Command, next func() (wire.Frame, error, bool)) error {
	for n := 0; c.Count == 0 || n < c.Count; n++ {
		f, err, ok := next()
		if !ok {
			d.report(driver.Report{Report: driver.End})
			return nil
		}
		if turn := (*transport.TurnError)(nil); errors.As(err, &turn) {
			continue // the result was a message
		}
		if err != nil {
			return err
		}
		text, err := f.AppendJSON(nil)
		if unreadable, ok := f.(*wire.UnknownFrame); ok && err != nil {
			text, err = json.Marshal(string(unreadable.Raw)) // not UTF-8
		}
		if err != nil {
			return err
		}
		subtype, _ := codec.Raw(text).Find("/subtype").Text()
		d.report(driver.Report{Report: driver.Message, Type: f.Type(), Subtype: subtype, Message: text})
		if c.Until == "result" && f.Type() == "result" {
			return nil
		}
	}
	return nil
}
