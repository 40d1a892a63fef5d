package sdk

import (
	"errors"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// The lines of sessions that fail.
const (
	interrupt = `{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}`
	setModel  = `{"type":"control_request","request_id":"2","request":{"subtype":"set_model"}}`
	modelSet  = `{"type":"control_response","response":{"subtype":"success","request_id":"2"}}`
	refused   = `{"type":"control_response","response":{"subtype":"error","request_id":"1","error":"not this one"}}`
	asksHook  = `{"type":"control_request","request_id":"h","request":{"subtype":"hook_callback"}}`
	asksTools = `{"type":"control_request","request_id":"m","request":{"subtype":"mcp_message"}}`
	aResult   = `{"type":"result"}`
)

func TestTheCauseIsWhatTheSessionShowsFirst(t *testing.T) {
	line := func(dir journal.Dir, text string) journal.Entry { return journal.Entry{Dir: dir, Line: text} }
	starts := func(args ...string) journal.Entry { return journal.Entry{Dir: journal.Header, Args: args} }
	ends := func(code int) journal.Entry {
		return journal.Entry{Dir: journal.Exit, Code: &code, Stderr: "no flag -x"}
	}
	noise := line(journal.Fault, "noise")
	late := error(&limitError{idle: true})
	pattern, err := scenario.ParsePattern(`{"type":"x"}`)
	if err != nil {
		t.Fatal(err)
	}
	asking := driver.Command{Command: driver.Start, Options: &driver.Options{CanUseTool: &driver.Behavior{Do: driver.Allow}}}
	hanging := driver.Command{Command: driver.Start, Options: &driver.Options{Hooks: []driver.Hook{{Behavior: driver.Behavior{Do: driver.Hang}}}}}
	read := driver.Command{Command: driver.Read}
	for name, c := range map[string]struct {
		op     any
		err    error
		faults []string
		sent   []driver.Command
		closed bool
		lines  []journal.Entry
		want   string
	}{
		"the CLI refuses its arguments": {
			op: wire{pattern: pattern}, err: late, lines: []journal.Entry{ends(1)},
			want: "the CLI ends with code 1: no flag -x"},
		"stdout is full": {
			op: wire{pattern: pattern}, err: late, lines: []journal.Entry{line(journal.Blocked, "stdout")},
			want: "the SDK does not read what the CLI writes to stdout"},
		"stderr is full": {
			op: outcome{command: driver.Read}, err: late, lines: []journal.Entry{line(journal.Blocked, "stderr")},
			want: "the SDK does not read what the CLI writes to stderr"},
		"the flag for questions is missing": {
			op: wire{pattern: pattern}, err: late, sent: []driver.Command{asking}, lines: []journal.Entry{starts("--verbose")},
			want: "the CLI is started without --permission-prompt-tool stdio, and so asks for no permission"},
		"the flag for questions has its value after =": {
			op: wire{pattern: pattern}, err: late, sent: []driver.Command{asking}, lines: []journal.Entry{starts("--permission-prompt-tool=stdio")},
			want: ""},
		"the flag for questions is there": {
			op: wire{pattern: pattern}, err: late, sent: []driver.Command{asking}, lines: []journal.Entry{starts("--permission-prompt-tool", "stdio")},
			want: ""},
		"the prompt is an argument": {
			op: api{pattern: pattern}, err: errors.New("no such message"), lines: []journal.Entry{starts("-p", "hello", "--input-format", "stream-json"), line(journal.EOF, ""), ends(0)},
			want: "the CLI gets no prompt: with --input-format stream-json it is a line, whatever the arguments say"},
		"a request is refused": {
			op: outcome{command: driver.Interrupt, report: driver.Done}, err: late, lines: []journal.Entry{line(journal.ToCLI, interrupt), line(journal.ToSDK, refused)},
			want: "the CLI refuses a request of the SDK: not this one"},
		"a request before the last is refused": {
			op: outcome{command: driver.SetModel, report: driver.Done}, err: late,
			lines: []journal.Entry{line(journal.ToCLI, interrupt), line(journal.ToSDK, refused), line(journal.ToCLI, setModel)},
			want:  ""},
		"a request is refused by a fault": {
			op: outcome{command: driver.Interrupt, report: driver.Error}, err: errNoError,
			lines: []journal.Entry{noise, line(journal.ToCLI, interrupt), line(journal.ToSDK, refused)},
			want:  "an error that the CLI answers counts as a success"},
		"an exit is not told": {
			op: outcome{command: driver.Read, report: driver.Error}, err: errNoError, lines: []journal.Entry{noise, ends(3)},
			want: "reading ends without an error when the CLI fails"},
		"a request is not answered before anything is read": {
			op: wire{fromSDK: true, pattern: pattern}, err: late, lines: []journal.Entry{line(journal.ToSDK, aResult), line(journal.ToSDK, asksHook)},
			want: "the SDK does not answer hook_callback while nobody reads messages"},
		"a request is not answered, since the input is closed": {
			op: wire{fromSDK: true, pattern: pattern}, err: late, sent: []driver.Command{read}, lines: []journal.Entry{line(journal.ToSDK, asksHook), line(journal.EOF, "")},
			want: "the SDK closes the input before it answers hook_callback"},
		"a request is not answered before there are messages": {
			op: wire{fromSDK: true, pattern: pattern}, err: late, lines: []journal.Entry{line(journal.ToSDK, asksHook)},
			want: "the SDK does not answer hook_callback"},
		"closing hangs": {
			op: outcome{command: driver.Close}, err: late, sent: []driver.Command{read},
			want: "closing the session does not end"},
		"the CLI lives on": {
			op: exit{any: true}, err: late, closed: true,
			want: "the CLI outlives the session that was closed"},
		"a request is not answered": {
			op: wire{fromSDK: true, pattern: pattern}, err: late, sent: []driver.Command{read}, lines: []journal.Entry{line(journal.ToSDK, asksHook)},
			want: "the SDK does not answer hook_callback"},
		"a request is not answered while a hook hangs": {
			op: wire{fromSDK: true, pattern: pattern}, err: late, sent: []driver.Command{hanging},
			lines: []journal.Entry{line(journal.ToSDK, asksHook), line(journal.ToSDK, asksTools)},
			want:  "the SDK does not answer mcp_message while a callback does not return"},
		"a hook hangs, as it should": {
			op: wire{fromSDK: true, pattern: pattern}, err: late, sent: []driver.Command{hanging}, lines: []journal.Entry{line(journal.ToSDK, asksHook)},
			want: ""},
		"the reader is gone": {
			op: outcome{command: driver.Read}, err: late, sent: []driver.Command{read}, lines: []journal.Entry{noise, line(journal.Closed, "stdout"), ends(-1)},
			want: "the SDK closes the CLI's stdout"},
		"the end is not seen": {
			op: outcome{command: driver.Read}, err: late, sent: []driver.Command{read}, lines: []journal.Entry{noise, ends(0)},
			want: "reading does not end when the CLI has"},
		"the result comes after noise": {
			op: outcome{command: driver.Read}, err: late, faults: []string{"noise"}, sent: []driver.Command{read}, lines: []journal.Entry{noise, line(journal.ToSDK, aResult)},
			want: afterUnusual},
		"the reply comes after a byte-order mark": {
			op: outcome{command: driver.SetModel}, err: late, sent: []driver.Command{read}, lines: []journal.Entry{line(journal.ToCLI, setModel), line(journal.ToSDK, "\ufeff"+modelSet)},
			want: afterUnusual},
		"the reply comes after noise, and the SDK ends the CLI": {
			op: outcome{command: driver.SetModel}, err: late, sent: []driver.Command{read}, lines: []journal.Entry{noise, line(journal.ToCLI, setModel), line(journal.ToSDK, modelSet), ends(0)},
			want: afterUnusual},
		"the CLI ends before the reply": {
			op: outcome{command: driver.SetModel}, err: late, sent: []driver.Command{read}, lines: []journal.Entry{noise, line(journal.ToCLI, setModel), ends(0)},
			want: "what waits for a reply of the CLI does not end when the CLI has"},
		"the reply comes while a hook hangs": {
			op: outcome{command: driver.SetModel}, err: late, sent: []driver.Command{hanging, read},
			lines: []journal.Entry{line(journal.ToSDK, asksHook), line(journal.ToCLI, setModel), line(journal.ToSDK, modelSet)},
			want:  "a reply is not taken while a callback does not return"},
		"an error without what the CLI said": {
			op: outcome{command: driver.Read, report: driver.Error}, err: errors.New("it differs"), lines: []journal.Entry{noise, ends(3)},
			want: ""},
		"an interrupt is a signal": {
			op: wire{fromSDK: true, pattern: pattern}, err: late, lines: []journal.Entry{line(journal.Signal, "INT")},
			want: "the SDK sends the CLI the signal INT"},
		"the SDK ends a CLI that misbehaves": {
			op: outcome{command: driver.SetModel}, err: late, sent: []driver.Command{read},
			lines: []journal.Entry{noise, line(journal.ToCLI, setModel), line(journal.ToSDK, modelSet), line(journal.Signal, "TERM"), ends(-1)},
			want:  afterUnusual},
		"the reply comes before anything is read": {
			op: outcome{command: driver.SetModel}, err: late, lines: []journal.Entry{line(journal.ToCLI, setModel), line(journal.ToSDK, modelSet)},
			want: "a reply is not taken while nobody reads messages"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &play{subject: &Subject{}, scenario: &Scenario{File: scenario.File{Name: "a/b"}, Faults: c.faults}, board: newBoard(), sent: c.sent, closed: c.closed}
			for _, e := range c.lines {
				p.board.lines = append(p.board.lines, logged{Entry: e})
			}
			got, _ := p.cause(&stepError{step: &Step{op: c.op}, err: c.err})
			if got != c.want {
				t.Errorf("the cause is %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhatTheEndOfTheSessionBringsIsNoCause(t *testing.T) {
	pattern, err := scenario.ParsePattern(`{"type":"x"}`)
	if err != nil {
		t.Fatal(err)
	}
	p := &play{subject: &Subject{}, scenario: &Scenario{}, board: newBoard(), stopped: time.Second}
	p.board.lines = []logged{{Entry: journal.Entry{Dir: journal.Signal, Line: "TERM"}, at: 2 * time.Second}}
	p.sent = []driver.Command{{Command: driver.Read}}
	p.board.reports = []reported{{Report: &driver.Report{Report: driver.Error, ID: 1, Text: "closed"}, at: 2 * time.Second}}
	if got, _ := p.cause(&stepError{step: &Step{op: wire{pattern: pattern}}, err: &limitError{idle: true}}); got != "" {
		t.Errorf("the cause is %q: the SDK ended the CLI when the scenario was over", got)
	}
}

func TestACrashIsNamedByItsError(t *testing.T) {
	for stderr, want := range map[string]string{
		"node:events:502\n      throw er;\n\nError: write EPIPE\n    at x.js:1\n\nNode.js v22.0.0\n": "Error: write EPIPE",
		"Traceback:\n  File \"a.py\"\nValueError: no\n":                                              "ValueError: no",
		"stopped\nfor good\n": "for good",
	} {
		if got := lastWords(stderr); got != want {
			t.Errorf("%q ends with %q, want %q", stderr, got, want)
		}
	}
}

func TestWhoMayCloseTheInputIsNotAccusedOfWhatItCannotAnswer(t *testing.T) {
	answer, err := scenario.ParsePattern(`{"type":"control_response"}`)
	if err != nil {
		t.Fatal(err)
	}
	closes := logged{Entry: journal.Entry{Dir: journal.EOF}}
	asks := logged{Entry: journal.Entry{Dir: journal.ToSDK, Line: asksHook}}
	hooked := []driver.Command{{Options: &driver.Options{Hooks: []driver.Hook{{}}}}}
	for name, c := range map[string]struct {
		features []string
		sent     []driver.Command
		lines    []logged
		want     bool
	}{
		"asked when the input is closed":  {lines: []logged{closes, asks}, want: true},
		"asked before that":               {lines: []logged{asks, closes}},
		"not closed":                      {lines: []logged{asks}},
		"with a callback":                 {sent: hooked, lines: []logged{closes, asks}},
		"in a session with more to write": {features: []string{"session"}, lines: []logged{closes, asks}},
	} {
		p := &play{subject: &Subject{Features: c.features}, board: newBoard(), sent: c.sent}
		p.board.lines = c.lines
		if got := p.endedInput(wire{fromSDK: true, pattern: answer}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
