package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// cause returns what the session shows to be wrong first, in words that are the same for every
// scenario which fails by it; "" for what is only the failure of its own rule. The signature is the
// same for hangs of one kind.
func (p *play) cause(err error) (cause, signature string) {
	signature = p.scenario.Name
	var step *stepError
	var name string
	if errors.As(err, &step) {
		switch op := step.step.op.(type) {
		case command:
			name = op.send.Command
		case outcome:
			name = op.command
		case wire, api, header, exit, eof:
			signature = "waits for " + step.step.Source
		}
	}
	if name != "" {
		signature = name + " does not end"
	}
	limit, _ := isLimit(err)
	if refusal := p.refusal(); refusal != "" {
		return refusal, refusal
	}
	if limit && p.unread() {
		return notRead, notRead
	}
	if list := p.unanswered(); limit && len(list) > 0 {
		cause = "the SDK does not answer " + list[0]
		return cause, cause
	}
	if gone := p.crash(); gone != "" {
		return gone, gone
	}
	if failed, text := p.failed(); failed != "" {
		return fmt.Sprintf("%s fails: %s", failed, plain(text)), signature
	}
	if limit && name != "" {
		return p.waits(name), signature
	}
	return "", signature
}

// refusal says why the CLI has ended by itself, "" if it has not.
func (p *play) refusal() string {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	if slices.ContainsFunc(p.board.lines, func(e logged) bool { return e.Dir == journal.Fault || e.Dir == journal.Signal }) {
		return ""
	}
	for i := range p.board.lines {
		if e := &p.board.lines[i]; e.Dir == journal.Exit && e.Code != nil && *e.Code > 0 {
			return fmt.Sprintf("the CLI ends with code %d: %s", *e.Code, plain(e.Stderr))
		}
	}
	return ""
}

// operations are the requests that commands make.
var operations = map[string]string{
	driver.Start: "initialize", driver.Interrupt: "interrupt", driver.SetModel: "set_model",
	driver.SetPermissionMode: "set_permission_mode", driver.MCPStatus: "mcp_status",
}

// waits says what a command that does not end waits for, as far as the wire shows it; "" if it does
// not.
func (p *play) waits(name string) string {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	ended := slices.ContainsFunc(p.board.lines, func(e logged) bool { return e.Dir == journal.Exit })
	request := operations[name]
	switch {
	case ended && name == driver.Read:
		return "reading does not end when the CLI has"
	case ended && request != "":
		return "what waits for a reply of the CLI does not end when the CLI has"
	case request != "" && p.replied(request):
		return "a reply that came after something unusual is not taken"
	}
	return ""
}

// replied reports whether the CLI has answered a request of the SDK.
func (p *play) replied(subtype string) bool {
	ids := map[string]bool{}
	for i := range p.board.lines {
		l := lineOf(&p.board.lines[i])
		switch {
		case l.Type == "control_request" && l.Request.Subtype == subtype:
			ids[string(l.RequestID)] = true
		case l.Type == "control_response" && p.board.lines[i].Dir == journal.ToSDK && ids[string(l.Response.RequestID)]:
			return true
		}
	}
	return false
}

// notRead is the cause of what fails because the pipe is full.
const notRead = "the SDK stops reading what the CLI writes"

// unread reports whether the CLI waits for the SDK to read.
func (p *play) unread() bool {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	n := len(p.board.lines)
	return n > 0 && p.board.lines[n-1].Dir == journal.Blocked
}

// crash says how the driver ended before it was told to, "" if it did not.
func (p *play) crash() string {
	if !p.died || p.subject.Spawn {
		return ""
	}
	code, signal := p.process.Exit()
	text := strings.TrimSpace(p.process.Stderr())
	return fmt.Sprintf("the driver ends with code %d%s: %s", code, spaced(signal), plain(text[strings.LastIndexByte(text, '\n')+1:]))
}

// failed returns the first command that ended with an error, and its text; "" if none did, or if
// the scenario waits for that.
func (p *play) failed() (name, text string) {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	for _, r := range p.board.reports {
		if r.Report.Report != driver.Error || r.ID <= 0 || r.ID > len(p.sent) {
			continue
		}
		name := p.sent[r.ID-1].Command
		if !slices.ContainsFunc(p.scenario.Steps, func(s Step) bool {
			o, ok := s.op.(outcome)
			return ok && o.command == name && o.report != driver.Done
		}) {
			return name, r.Text
		}
	}
	return "", ""
}

// unanswered returns the subtypes of the CLI's requests that have no answer and were not cancelled.
func (p *play) unanswered() (list []string) {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	var ids []string
	open := map[string]string{}
	for i := range p.board.lines {
		e := &p.board.lines[i]
		l := lineOf(e)
		asked := fmt.Sprint(e.pid, string(l.RequestID))
		switch l.Type {
		case "control_request":
			if e.Dir == journal.ToSDK {
				ids = append(ids, asked)
				open[asked] = l.Request.Subtype
			}
		case "control_cancel_request":
			delete(open, asked)
		case "control_response":
			delete(open, fmt.Sprint(e.pid, string(l.Response.RequestID)))
		}
	}
	for _, id := range ids {
		if subtype, ok := open[id]; ok {
			list = append(list, subtype)
			delete(open, id)
		}
	}
	return list
}

// control is what is looked at in a line.
type control struct {
	Type      string
	RequestID json.RawMessage `json:"request_id"`
	Request   struct{ Subtype string }
	Response  struct {
		RequestID json.RawMessage `json:"request_id"`
	}
}

// lineOf reads a line of either side; of other entries and of what is not such a line it returns
// the zero value.
func lineOf(e *logged) (l control) {
	if e.Dir != journal.ToCLI && e.Dir != journal.ToSDK || json.Unmarshal([]byte(e.Line), &l) != nil {
		return control{}
	}
	return l
}

// changing is what differs between two runs in a text of an error.
var changing = regexp.MustCompile(`0x[0-9a-f]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|/[^\s"':]*/[^\s"':]*|[0-9]+`)

// plain makes texts of one error the same.
func plain(text string) string {
	return short(changing.ReplaceAllString(text, "…"))
}
