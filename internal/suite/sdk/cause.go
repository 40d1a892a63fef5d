package sdk

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// cause returns what the session shows to be wrong first, in words that are the same for every
// scenario which fails by it; "" for what is only the failure of its own rule. The signature is the
// same for hangs of one kind.
func (p *play) cause(err error) (cause, signature string) {
	signature = p.scenario.Name
	var step *stepError
	var op any
	if errors.As(err, &step) {
		op = step.step.op
	}
	name := "" // of the command whose end is waited for
	switch op := op.(type) {
	case command:
		name = op.send.Command
	case outcome:
		name = op.command
	case wire, api, header, exit, eof:
		signature = "waits for " + step.step.Source
	}
	if name != "" {
		signature = name + " does not end"
	}
	limit, _ := isLimit(err)
	if errors.Is(err, errNoError) {
		return p.untold(name), signature
	}
	if cause = p.shown(op, limit); cause != "" {
		return cause, cause
	}
	if failed, text := p.failed(); failed != "" {
		return fmt.Sprintf("%s fails: %s", failed, plain(text)), signature
	}
	switch _, exits := op.(exit); {
	case limit && exits && p.closed:
		return "the CLI outlives the session that was closed", signature
	case limit && name != "":
		_, hangs := p.unanswered()
		return p.waits(name, hangs), signature
	}
	return "", signature
}

// shown returns the cause that the wire and the driver's end show, whatever the driver reports; ""
// if they show none.
func (p *play) shown(op any, limit bool) string {
	if refusal := p.refusal(); refusal != "" {
		return refusal
	}
	if limit {
		if name := p.signalled(); name != "" {
			return "the SDK sends the CLI the signal " + name
		}
		if stream := p.unread(); stream != "" {
			return "the SDK does not read what the CLI writes to " + stream
		}
		if w, ok := op.(wire); ok && !w.fromSDK && p.asksNothing() {
			return "the CLI is started without --permission-prompt-tool stdio, and so asks for no permission"
		}
	}
	if p.promptless() {
		return "the CLI gets no prompt: with --input-format stream-json it is a line, whatever the arguments say"
	}
	if rejected := p.rejected(); rejected != "" {
		return rejected
	}
	if list, waits := p.unanswered(); limit && len(list) > 0 {
		cause := "the SDK does not answer " + list[0]
		switch {
		case p.inputClosed():
			cause = "the SDK closes the input before it answers " + list[0]
		case waits:
			cause += " while a callback does not return"
		case !p.subject.Spawn && p.heap():
			cause += " while nobody reads messages"
		}
		return cause
	}
	return p.crash()
}

// untold says what a command has not told that succeeded and should have failed.
func (p *play) untold(name string) string {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	switch {
	case name == driver.Read && slices.ContainsFunc(p.before(), func(e logged) bool { return e.Dir == journal.Exit }):
		return "reading ends without an error when the CLI fails"
	case operations[name] != "" && p.replied(operations[name]):
		return "an error that the CLI answers counts as a success"
	}
	return ""
}

// operations are the requests that commands make.
var operations = map[string]string{
	driver.Start: "initialize", driver.Interrupt: "interrupt", driver.SetModel: "set_model",
	driver.SetPermissionMode: "set_permission_mode", driver.MCPStatus: "mcp_status",
}

// waits says what a command that does not end waits for, as far as the wire shows it; "" if it does
// not. Hangs says that a callback does not return.
func (p *play) waits(name string, hangs bool) string {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	has := func(match func(e *logged) bool) bool {
		return slices.ContainsFunc(p.before(), func(e logged) bool { return match(&e) })
	}
	ended := has(func(e *logged) bool { return e.Dir == journal.Exit })
	request := operations[name]
	switch {
	case !p.closed && has(func(e *logged) bool { return e.Dir == journal.Closed && e.Line == "stdout" }):
		return "the SDK closes the CLI's stdout"
	case request != "" && p.replied(request) && hangs:
		return "a reply is not taken while a callback does not return"
	case name == driver.Close:
		return "closing the session does not end"
	case request != "" && p.replied(request) && !p.reads() && name != driver.Start:
		return "a reply is not taken while nobody reads messages"
	case request != "" && p.replied(request):
		return afterUnusual
	case ended && name == driver.Read:
		return "reading does not end when the CLI has"
	case ended && request != "":
		return "what waits for a reply of the CLI does not end when the CLI has"
	case name == driver.Read && p.missing() == "" && len(p.scenario.Faults) > 0 && has(func(e *logged) bool { return lineOf(e).Type == "result" }):
		return afterUnusual
	}
	return ""
}

// afterUnusual is the cause of what waits for a line that has come.
const afterUnusual = "what the CLI writes after something unusual is not taken"
