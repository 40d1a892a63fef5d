package sdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// Step is one step of a script.
type Step struct {
	Line   int    // in the script, from 1
	Source string // the step as it is written
	// Given says that the scenario supposes it: if it does not hold, the scenario says nothing.
	Given bool
	op    any // one of the types below
}

type (
	// command is sent to the driver, and waited for unless it is only begun.
	command struct {
		send  driver.Command
		begin bool
	}
	// outcome waits for the end of the command of that name which was sent last.
	outcome struct {
		command string
		report  string // done, error, or "" for either
		pattern *scenario.Pattern
	}
	// wire waits for a line of one side.
	wire struct {
		fromSDK bool
		answer  bool // to a request of the CLI
		pattern *scenario.Pattern
	}
	// api waits for a report.
	api struct {
		pattern *scenario.Pattern
		message bool // it is for messages, which come only while they are read
	}
	// count says, at the end, how many lines of the SDK, or reports, match.
	count struct {
		api     bool
		n       int
		pattern *scenario.Pattern
	}
	// header waits for the start of the CLI.
	header struct{ pattern *scenario.Pattern }
	// faults waits until every fault of the script has happened.
	faults struct{}
	// eof waits until the SDK closed the CLI's input.
	eof struct{}
	// exit waits for the end of the CLI.
	exit struct {
		code int
		any  bool
	}
	// known says, at the end, that the schemas name everything that the SDK has written.
	known struct{}
	// always says that a rule holds in every session that is played; it is the only step.
	always struct{ rule Rule }
)

// ofDriver reports whether only a driver can do or show what a step says.
func (s *Step) ofDriver() bool {
	switch op := s.op.(type) {
	case command, outcome, api:
		return true
	case count:
		return op.api
	}
	return false
}

// ends reports whether a step is about the end of a session, for which SDKs give a CLI some
// seconds.
func (s *Step) ends() bool {
	name := ""
	switch op := s.op.(type) {
	case command:
		name = op.send.Command
	case outcome:
		name = op.command
	case eof, exit:
		return true
	}
	return name == driver.Close || name == driver.CloseInput
}

// awaits reports whether a step waits for something that happens, on the wire or at the API.
func (s *Step) awaits() bool {
	switch s.op.(type) {
	case wire, api, header, faults, eof, exit:
		return true
	}
	return false
}

// parseSteps reads a script.
func parseSteps(lines []scenario.Line) (steps []Step, err error) {
	for _, l := range lines {
		step := Step{Line: l.Number, Source: l.Text}
		word, rest := l.Word()
		// What a CLI asks depends on what came before; a rule about the answer supposes it.
		step.Given = word == "given" || word == "<request"
		if word == "given" {
			word, rest = scenario.Line{Text: rest}.Word()
		}
		if step.op, err = parseOp(word, rest); err != nil {
			return nil, l.Fail(err)
		}
		if step.Given && !step.awaits() {
			return nil, l.Fail(fmt.Errorf("%q is not something that happens: given is for lines, callbacks, messages, starts and ends", word))
		}
		steps = append(steps, step)
	}
	return steps, nil
}

func parseOp(word, rest string) (any, error) {
	switch word {
	case ">", "<":
		p, err := scenario.ParsePattern(rest)
		return wire{word == ">", word == ">" && strings.Contains(rest, `"control_response"`), p}, err
	case ">answer", ">refuse":
		return parseAnswer(word, rest)
	case "<request":
		name, body, _ := strings.Cut(rest, " ")
		return parseWire(false, `{"type":"control_request","request_id":"$bind:%s","request":%s}`, name, body)
	case "<result":
		return parseWire(false, `{"type":"result"%s}`, members(rest))
	case ">never", "api-never":
		p, err := scenario.ParsePattern(rest)
		return count{word == "api-never", 0, p}, err
	case ">count", "api-count":
		n, pattern, _ := strings.Cut(rest, " ")
		times, err := strconv.Atoi(n)
		if err != nil {
			return nil, fmt.Errorf("want a number: %w", err)
		}
		p, err := scenario.ParsePattern(pattern)
		return count{word == "api-count", times, p}, err
	case "api":
		p, err := scenario.ParsePattern(rest)
		return api{p, false}, err
	case "message", "callback":
		p, err := scenario.ParsePattern(fmt.Sprintf(`{"report":%q%s}`, word, members(rest)))
		return api{p, word == "message"}, err
	case "cli":
		p, err := scenario.ParsePattern(rest)
		return header{p}, err
	case "fault":
		return faults{}, nothing(rest)
	case "eof":
		return eof{}, nothing(rest)
	case "known":
		return known{}, nothing(rest)
	case "always":
		if !slices.Contains(Rules, Rule(rest)) {
			return nil, fmt.Errorf("%q is none of %q", rest, Rules)
		}
		return always{Rule(rest)}, nil
	case "exit":
		if rest == "any" {
			return exit{any: true}, nil
		}
		code, err := strconv.Atoi(rest)
		return exit{code: code}, err
	case "done", "error", "ended":
		return parseOutcome(word, rest)
	case "in":
		return parseIn(rest)
	case "begin":
		word, rest, _ = strings.Cut(rest, " ")
		c, err := parseCommand(word, strings.TrimSpace(rest))
		return command{c, true}, err
	}
	c, err := parseCommand(word, rest)
	return command{c, false}, err
}

func parseWire(fromSDK bool, format string, args ...any) (any, error) {
	p, err := scenario.ParsePattern(fmt.Sprintf(format, args...))
	return wire{fromSDK, fromSDK, p}, err
}

// parseAnswer reads ">answer NAME {pattern}", a success, and ">refuse NAME", an error.
func parseAnswer(word, rest string) (any, error) {
	name, body, _ := strings.Cut(rest, " ")
	if name == "" {
		return nil, errors.New("want the name of a request")
	}
	if word == ">refuse" {
		return parseWire(true, `{"type":"control_response","response":{"subtype":"error","request_id":"$ref:%s","error":"$string"}}`, name)
	}
	if body = strings.TrimSpace(body); body != "" {
		body = `,"response":` + body
	}
	return parseWire(true, `{"type":"control_response","response":{"subtype":"success","request_id":"$ref:%s"%s}}`, name, body)
}

func parseOutcome(word, rest string) (any, error) {
	name, pattern, _ := strings.Cut(rest, " ")
	if !slices.Contains(commands, name) {
		return nil, fmt.Errorf("%q is not a command", name)
	}
	o := outcome{command: name, report: word}
	if word == "ended" {
		o.report = ""
	}
	if pattern == "" {
		return o, nil
	}
	var err error
	o.pattern, err = scenario.ParsePattern(pattern)
	return o, err
}

// parseIn reads "in SESSION STEP": a command for one of several sessions.
func parseIn(rest string) (any, error) {
	session, step, _ := strings.Cut(rest, " ")
	word, rest, _ := strings.Cut(strings.TrimSpace(step), " ")
	op, err := parseOp(word, strings.TrimSpace(rest))
	if err != nil {
		return nil, err
	}
	c, ok := op.(command)
	if !ok {
		return nil, fmt.Errorf("%q is not a command", word)
	}
	c.send.Session = session
	return c, nil
}

var commands = []string{driver.Start, driver.Prompt, driver.Read, driver.Interrupt, driver.SetModel, driver.SetPermissionMode, driver.MCPStatus, driver.CloseInput, driver.Close}

func parseCommand(word, rest string) (c driver.Command, err error) {
	c.Command = word
	switch word {
	case driver.Start:
		c.Options, err = parseOptions(rest)
	case "query":
		c.Command = driver.Start
		quoted, qerr := strconv.QuotedPrefix(rest)
		if qerr != nil {
			return c, fmt.Errorf("want a quoted text: %w", qerr)
		}
		text, _ := strconv.Unquote(quoted) // QuotedPrefix has checked it
		c.Prompt = &text
		c.Options, err = parseOptions(strings.TrimSpace(rest[len(quoted):]))
	case driver.Prompt:
		text, qerr := strconv.Unquote(rest)
		c.Text, err = &text, qerr
	case driver.Read:
		switch n, nerr := strconv.Atoi(rest); {
		case rest == "result" || rest == "end":
			c.Until = rest
		case nerr != nil || n < 1:
			err = fmt.Errorf("%q: want a number, result or end", rest)
		default:
			c.Count = n
		}
	case driver.SetModel:
		c.Model = rest
	case driver.SetPermissionMode:
		c.Mode = rest
	case driver.Interrupt, driver.MCPStatus, driver.CloseInput, driver.Close:
		err = nothing(rest)
	default:
		err = fmt.Errorf("unknown step %q", word)
	}
	return c, err
}

func parseOptions(text string) (*driver.Options, error) {
	if text == "" {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	o := &driver.Options{}
	return o, d.Decode(o)
}

// members returns the members of an object's text, to stand after others.
func members(text string) string {
	inner := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "{"), "}"))
	if inner == "" {
		return ""
	}
	return "," + inner
}

func nothing(rest string) error {
	if rest != "" {
		return fmt.Errorf("unexpected %q", rest)
	}
	return nil
}
