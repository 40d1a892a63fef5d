package driver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/conformance/driver"
)

// fake is a session whose messages are given.
type fake struct{ messages []driver.Message }

func (f *fake) Prompt(_ context.Context, text string) error { return errors.New("no " + text) }
func (f *fake) Close() error                                { panic("close") }

func (f *fake) Next() (m driver.Message, err error) {
	if len(f.messages) == 0 {
		return m, io.EOF
	}
	m, f.messages = f.messages[0], f.messages[1:]
	return m, nil
}

// A talk is a driver that is spoken to line by line.
type talk struct {
	t       *testing.T
	in      *io.PipeWriter
	reports *bufio.Scanner
	served  chan error
}

func serve(t *testing.T, sdk *driver.SDK) *talk {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &talk{t, inW, bufio.NewScanner(outR), make(chan error, 1)}
	go func() { // ends with the input
		c.served <- sdk.Serve(inR, outW)
		outW.Close()
	}()
	return c
}

// say sends a command, if it is not empty, and wants these reports.
func (c *talk) say(command string, want ...string) {
	c.t.Helper()
	if command != "" {
		if _, err := io.WriteString(c.in, command+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
	for _, w := range want {
		if !c.reports.Scan() {
			c.t.Fatalf("no report, want %s", w)
		}
		if diff := cmp.Diff(w, c.reports.Text()); diff != "" {
			c.t.Errorf("-want +got\n%s", diff)
		}
	}
}

// end ends the input and returns what Serve returns.
func (c *talk) end() error {
	c.in.Close()
	for c.reports.Scan() {
	}
	return <-c.served
}

func opens(s driver.Session) func(context.Context, *driver.Options) (driver.Session, error) {
	return func(context.Context, *driver.Options) (driver.Session, error) { return s, nil }
}

func TestWhatTheSDKDoesIsReportedAsItIs(t *testing.T) {
	session := &fake{messages: []driver.Message{
		{Type: "system", Subtype: "init", JSON: json.RawMessage(`{"a":1}`)}, {JSON: json.RawMessage("not JSON")}, {Type: "result", JSON: json.RawMessage(`{}`)},
	}}
	c := serve(t, &driver.SDK{Name: "fake", Version: "1.0", Features: []string{driver.Hooks}, Open: opens(session)})
	c.say("", `{"report":"ready","sdk":"fake","version":"1.0","features":["hooks","session"]}`)
	c.say(`{"id":1,"command":"read","until":"end"}`, `{"report":"error","id":1,"text":"driver: there is no session to read from"}`)
	c.say(`{"id":2,"command":"start","cli":"claude"}`, `{"report":"done","id":2}`)
	c.say(`{"id":3,"command":"read","until":"result"}`,
		`{"report":"message","type":"system","subtype":"init","message":{"a":1}}`, `{"report":"message","message":"not JSON"}`,
		`{"report":"message","type":"result","message":{}}`, `{"report":"done","id":3}`)
	c.say(`{"id":4,"command":"read","count":1}`, `{"report":"end"}`, `{"report":"done","id":4}`)
	c.say(`{"id":5,"command":"prompt","text":"way"}`, `{"report":"error","id":5,"text":"no way"}`)
	c.say(`{"id":6,"command":"interrupt"}`, `{"report":"error","id":6,"text":"driver: there is no session that has interrupt"}`)
	c.say(`{"id":7,"command":"close"}`, `{"report":"error","id":7,"text":"panic: close"}`)
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

func TestSeveralSessionsAreToldApart(t *testing.T) {
	text := func(name string) *fake {
		return &fake{messages: []driver.Message{{Type: "result", JSON: json.RawMessage(`"` + name + `"`)}}}
	}
	var opened []driver.Options
	c := serve(t, &driver.SDK{Name: "fake", Features: []string{driver.Sessions}, Open: func(_ context.Context, o *driver.Options) (driver.Session, error) {
		opened = append(opened, *o)
		return text(o.Model), nil
	}})
	c.say("", `{"report":"ready","sdk":"fake","features":["sessions","session"]}`)
	c.say(`{"id":1,"command":"start","options":{"model":"one"}}`, `{"report":"done","id":1}`)
	c.say(`{"id":2,"command":"start","session":"b","options":{"model":"two","can_use_tool":{"do":"deny"}}}`, `{"report":"done","id":2}`)
	c.say(`{"id":3,"command":"read","until":"result"}`, `{"report":"message","type":"result","message":"one"}`, `{"report":"done","id":3}`)
	c.say(`{"id":4,"command":"read","session":"b","until":"end"}`,
		`{"report":"message","session":"b","type":"result","message":"two"}`, `{"report":"end","session":"b"}`, `{"report":"done","id":4}`)
	go opened[1].CanUseTool(context.Background(), driver.PermissionRequest{Tool: "Write", Input: json.RawMessage(`{}`)}) // ends once it is reported
	c.say("", `{"report":"callback","session":"b","call":1,"kind":"can_use_tool","name":"Write","input":{}}`)
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

func TestTheContextOfAStartEndsIfTheScenarioWantsThat(t *testing.T) {
	for options, ends := range map[string]bool{`{}`: false, `{"cancel_start_context":true}`: true} {
		started := make(chan context.Context, 1)
		c := serve(t, &driver.SDK{Name: "fake", Open: func(ctx context.Context, _ *driver.Options) (driver.Session, error) {
			started <- ctx
			return &fake{}, nil
		}})
		c.say("", `{"report":"ready","sdk":"fake","features":["session"]}`)
		c.say(`{"id":1,"command":"start","options":`+options+`}`, `{"report":"done","id":1}`)
		if ctx := <-started; (ctx.Err() != nil) != ends {
			t.Errorf("%s: the context has ended: %v", options, ctx.Err())
		}
		if err := c.end(); err != nil {
			t.Error(err)
		}
	}
}

func TestASessionThatIsNoneIsAnError(t *testing.T) {
	c := serve(t, &driver.SDK{Name: "fake", Open: opens(nil)})
	c.say("", `{"report":"ready","sdk":"fake","features":["session"]}`)
	c.say(`{"id":1,"command":"start"}`, `{"report":"error","id":1,"text":"driver: Open and Query must return a session, a stream or an error"}`)
	c.say(`{"id":2,"command":"start","prompt":"hi"}`, `{"report":"error","id":2,"text":"driver: the SDK does not have what the scenario starts"}`)
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

func TestALineThatIsNotACommandEndsTheDriver(t *testing.T) {
	sdk := &driver.SDK{Name: "fake", Open: opens(&fake{})}
	if err := sdk.Serve(strings.NewReader("hello\n"), io.Discard); err == nil || !strings.Contains(err.Error(), "not a command") {
		t.Errorf("got %v", err)
	}
}

func TestACallbackThatHangsEndsWithTheScenario(t *testing.T) {
	called := make(chan driver.Options, 1)
	c := serve(t, &driver.SDK{Name: "fake", Open: func(_ context.Context, o *driver.Options) (driver.Session, error) {
		called <- *o
		return &fake{}, nil
	}})
	c.say("", `{"report":"ready","sdk":"fake","features":["session"]}`)
	c.say(`{"id":1,"command":"start","options":{"can_use_tool":{"do":"hang"}}}`, `{"report":"done","id":1}`)
	o := <-called
	decided := make(chan error, 1)
	go func() { // ends with the scenario
		d, err := o.CanUseTool(context.Background(), driver.PermissionRequest{Tool: "Write", Input: json.RawMessage(`{}`)})
		if d != nil {
			err = errors.New("it has decided")
		}
		decided <- err
	}()
	c.say("", `{"report":"callback","call":1,"kind":"can_use_tool","name":"Write","input":{}}`)
	if err := c.end(); err != nil {
		t.Error(err)
	}
	if err := <-decided; err != nil {
		t.Error(err)
	}
}
