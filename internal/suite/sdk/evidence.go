package sdk

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// before returns what happened before a step failed, without what the end of the session brought.
// It is called with the lock of the board.
func (p *play) before() []logged {
	if p.stopped == 0 {
		return p.board.lines
	}
	return slices.DeleteFunc(slices.Clone(p.board.lines), func(e logged) bool { return e.at > p.stopped })
}

// signalled returns the signal that the SDK has sent to a CLI that behaved, and before it was told
// to close; "" if there is none.
func (p *play) signalled() string {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	for _, e := range p.before() {
		switch {
		case e.Dir == journal.Fault || p.closed:
			return ""
		case e.Dir == journal.Signal:
			return e.Line
		}
	}
	return ""
}

// inputClosed reports whether the SDK has closed the CLI's input before it was told to close.
func (p *play) inputClosed() bool {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	return !p.closed && slices.ContainsFunc(p.before(), func(e logged) bool { return e.Dir == journal.EOF })
}

// asksNothing reports whether a permission callback was registered and the CLI not told to ask.
func (p *play) asksNothing() bool {
	if !slices.ContainsFunc(p.sent, func(c driver.Command) bool { return c.Options != nil && c.Options.CanUseTool != nil }) {
		return false
	}
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	return !slices.ContainsFunc(p.before(), func(e logged) bool {
		return e.Dir == journal.Header && slices.Contains(words(e.Args), "--permission-prompt-tool")
	})
}

// promptless reports whether the CLI reads lines, and the SDK closed the input without a prompt.
func (p *play) promptless() bool {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	lines, ended := false, false
	for _, e := range p.before() {
		switch e.Dir {
		case journal.Header:
			lines = slices.Contains(words(e.Args), "--input-format")
		case journal.EOF:
			ended = true
		case journal.Closed, journal.Signal, journal.Fault:
			return false
		case journal.ToCLI:
			if lineOf(&e).Type == "user" {
				return false
			}
		}
	}
	return lines && ended && !p.closed
}

// rejected says that the CLI, which behaved, has answered the last request of the SDK with an
// error; "" if it has not.
func (p *play) rejected() (cause string) {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	for _, e := range p.before() {
		switch l := lineOf(&e); {
		case e.Dir == journal.Fault:
			return ""
		case e.Dir == journal.ToCLI && l.Type == "control_request":
			cause = ""
		case e.Dir == journal.ToSDK && l.Type == "control_response" && l.Response.Subtype == "error":
			cause = "the CLI refuses a request of the SDK: " + plain(l.Response.Error)
		}
	}
	return cause
}

// refusal says why the CLI has ended by itself, "" if it has not.
func (p *play) refusal() string {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	if slices.ContainsFunc(p.before(), func(e logged) bool { return e.Dir == journal.Fault || e.Dir == journal.Signal }) {
		return ""
	}
	for _, e := range p.before() {
		if e.Dir == journal.Exit && e.Code != nil && *e.Code > 0 && e.Stderr != "" {
			return fmt.Sprintf("the CLI ends with code %d: %s", *e.Code, plain(e.Stderr))
		}
	}
	return ""
}

// reads reports whether messages were asked for.
func (p *play) reads() bool {
	return slices.ContainsFunc(p.sent, func(c driver.Command) bool { return c.Command == driver.Read })
}

// heap reports whether messages came that nobody asked for.
func (p *play) heap() bool {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	return !p.reads() && slices.ContainsFunc(p.before(), func(e logged) bool {
		return e.Dir == journal.ToSDK && !strings.HasPrefix(lineOf(&e).Type, "control_")
	})
}

// replied reports whether the CLI has answered a request of the SDK.
func (p *play) replied(subtype string) bool {
	ids := map[string]bool{}
	for _, e := range p.before() {
		l := lineOf(&e)
		switch {
		case l.Type == "control_request" && l.Request.Subtype == subtype:
			ids[string(l.RequestID)] = true
		case l.Type == "control_response" && e.Dir == journal.ToSDK && ids[string(l.Response.RequestID)]:
			return true
		}
	}
	return false
}

// unread returns the stream that the CLI waits for the SDK to read, "" if it does not.
func (p *play) unread() string {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	lines := p.before()
	if n := len(lines); n > 0 && lines[n-1].Dir == journal.Blocked {
		return lines[n-1].Line
	}
	return ""
}

// crash says how the driver ended before it was told to, "" if it did not.
func (p *play) crash() string {
	if !p.died || p.subject.Spawn {
		return ""
	}
	code, signal := p.process.Exit()
	return fmt.Sprintf("the driver ends with code %d%s: %s", code, spaced(signal), plain(lastWords(p.process.Stderr())))
}

// anError is what the line of an error has in it, in most languages.
var anError = regexp.MustCompile(`Error|Exception|panic|error:`)

// lastWords returns the last line that tells of an error, or else the last line.
func lastWords(stderr string) (words string) {
	for line := range strings.Lines(strings.TrimSpace(stderr)) {
		if anError.MatchString(line) || !anError.MatchString(words) {
			words = strings.TrimSpace(line)
		}
	}
	return words
}

// failed returns the first command that ended with an error before a step failed, and its text; ""
// if none did, or if the scenario waits for that.
func (p *play) failed() (name, text string) {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	for _, r := range p.board.reports {
		if r.Report.Report != driver.Error || r.ID <= 0 || r.ID > len(p.sent) || p.stopped > 0 && r.at > p.stopped {
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
// Those for which the scenario has a callback that does not return are left out; waits says that
// there are such.
func (p *play) unanswered() (list []string, waits bool) {
	hanging := p.hanging()
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	var ids []string
	open := map[string]string{}
	for _, e := range p.before() {
		l := lineOf(&e)
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
		subtype, ok := open[id]
		delete(open, id)
		switch {
		case !ok:
		case hanging[subtype] > 0:
			hanging[subtype]--
			waits = true
		default:
			list = append(list, subtype)
		}
	}
	return list, waits
}

// hanging counts the callbacks that never return, by the request that calls them.
func (p *play) hanging() map[string]int {
	n := map[string]int{}
	add := func(subtype string, b driver.Behavior) {
		if b.Do == driver.Hang || b.Do == driver.HangUntilCancelled {
			n[subtype]++
		}
	}
	for _, c := range p.sent {
		if c.Options == nil {
			continue
		}
		if c.Options.CanUseTool != nil {
			add("can_use_tool", *c.Options.CanUseTool)
		}
		for _, h := range c.Options.Hooks {
			add("hook_callback", h.Behavior)
		}
		for _, s := range c.Options.MCPServers {
			for _, t := range s.Tools {
				add("mcp_message", t.Behavior)
			}
		}
	}
	return n
}

// control is what is looked at in a line.
type control struct {
	Type      string
	RequestID json.RawMessage `json:"request_id"`
	Request   struct{ Subtype string }
	Response  struct {
		Subtype, Error string
		RequestID      json.RawMessage `json:"request_id"`
	}
}

// lineOf reads a line of either side; of other entries and of what is not such a line it returns
// the zero value.
func lineOf(e *logged) (l control) {
	if e.Dir != journal.ToCLI && e.Dir != journal.ToSDK || json.Unmarshal([]byte(strings.TrimPrefix(e.Line, "\ufeff")), &l) != nil {
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
