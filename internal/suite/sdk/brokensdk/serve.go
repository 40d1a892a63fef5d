package brokensdk

import (
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

var features = []string{
	"session", "query", "can_use_tool", "hooks", "mcp_servers", "interrupt", "set_model", "set_permission_mode", "mcp_status", "resume",
	"include_partial_messages", "close_input", "cancel", "nothing", "raise", "updated_input", "updated_permissions", "stderr", "exit_code",
	"allowed_tools", "disallowed_tools", "cli_path", "start_context", "sessions",
}

// Serve is a driver of the SDK with a bug, or none if that is empty.
func Serve(bug string, in io.Reader, out io.Writer) error {
	d := &server{bug: bug, out: json.NewEncoder(out), clients: map[string]*client{}}
	d.report(driver.Report{Report: driver.Ready, SDK: "brokensdk", Version: bug, Features: features})
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

// server is one driver.
type server struct {
	bug string

	mu      sync.Mutex // guards the fields below
	out     *json.Encoder
	calls   int
	clients map[string]*client // by the name of the session
	last    *client            // that was started
}

func (d *server) report(r driver.Report) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.out.Encode(&r) // nobody is there to be told
}

func (d *server) run(c *driver.Command) {
	value, err := d.do(c)
	if err == nil {
		d.report(driver.Report{Report: driver.Done, ID: c.ID, Value: value})
		return
	}
	r := driver.Report{Report: driver.Error, ID: c.ID, Text: err.Error()}
	if exit := (*exitError)(nil); errors.As(err, &exit) {
		r.ExitCode, r.Stderr = &exit.code, exit.stderr
	}
	d.report(r)
}

func (d *server) do(c *driver.Command) (json.RawMessage, error) {
	if c.Command == driver.Start {
		s := &client{bug: d.bug, once: c.Prompt != nil, last: func() *client {
			d.mu.Lock()
			defer d.mu.Unlock()
			return d.last
		}}
		s.call = func(b *driver.Behavior, r driver.Report, cancelled <-chan struct{}) bool {
			r.Session = c.Session
			return d.call(b, r, cancelled)
		}
		if c.Options != nil {
			s.options = *c.Options
		}
		if err := s.start(c.CLI, c.Cwd); err != nil {
			return nil, err
		}
		d.mu.Lock()
		d.clients[c.Session], d.last = s, s
		d.mu.Unlock()
		if s.once {
			go s.query(*c.Prompt) // ends when the prompt is sent
			return nil, nil
		}
		err := s.initialize()
		if s.options.CancelStartContext && s.has("start-context-kills") {
			_ = s.cmd.Process.Kill() // it may be gone
		}
		return nil, err
	}
	d.mu.Lock()
	s := d.clients[c.Session]
	d.mu.Unlock()
	if s == nil {
		return nil, errors.New("no session")
	}
	switch c.Command {
	case driver.Prompt:
		return nil, s.prompt(*c.Text)
	case driver.Read:
		return nil, d.read(s, c)
	case driver.Interrupt:
		return s.request(map[string]any{"subtype": "interrupt"})
	case driver.SetModel:
		return s.request(map[string]any{"subtype": "set_model", "model": c.Model})
	case driver.SetPermissionMode:
		return s.request(map[string]any{"subtype": "set_permission_mode", "mode": c.Mode})
	case driver.MCPStatus:
		return s.request(map[string]any{"subtype": "mcp_status"})
	case driver.CloseInput:
		return nil, s.in.Close()
	}
	s.close()
	if last := s.last(); last != s && s.has("sessions-share-close") {
		last.close()
	}
	return nil, nil
}

func (d *server) read(s *client, c *driver.Command) error {
	for n := 0; c.Count == 0 || n < c.Count; n++ {
		m, err := s.next()
		if err != nil {
			return err
		}
		if m == nil {
			d.report(driver.Report{Report: driver.End, Session: c.Session})
			return nil
		}
		var head struct{ Type, Subtype string }
		_ = json.Unmarshal(m, &head) // what has no type has none
		d.report(driver.Report{Report: driver.Message, Session: c.Session, Type: head.Type, Subtype: head.Subtype, Message: m})
		if c.Until == "result" && head.Type == "result" {
			return nil
		}
	}
	return nil
}

// call reports a callback and does what all of them can do. It returns false if the callback
// returns nothing.
func (d *server) call(b *driver.Behavior, r driver.Report, cancelled <-chan struct{}) bool {
	d.mu.Lock()
	d.calls++
	r.Report, r.Call = driver.Callback, d.calls
	d.mu.Unlock()
	d.report(r)
	time.Sleep(time.Duration(b.AfterMS) * time.Millisecond)
	switch b.Do {
	case driver.Nothing:
		return false
	case driver.Raise:
		panic(b.Message)
	case driver.Hang:
		select {}
	case driver.HangUntilCancelled:
		<-cancelled
		d.report(driver.Report{Report: driver.Cancelled, Session: r.Session, Call: r.Call})
		return false
	}
	return true
}
