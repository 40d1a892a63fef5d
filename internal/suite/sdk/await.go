package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk/driver"
)

// errNoError says that what should have failed did not.
var errNoError = errors.New("want an error")

// command sends a command to the driver, and waits for its end unless it is only begun.
func (p *play) command(ctx context.Context, c command) error {
	send := c.send
	if !slices.Contains(p.subject.Features, "session") {
		switch { // the function for one prompt does both
		case send.Command == driver.Start && send.Prompt == nil:
			p.held = &c
			return nil
		case send.Command == driver.Prompt && p.held != nil:
			held := *p.held
			held.send.Prompt, p.held = send.Text, nil
			return p.command(ctx, held)
		}
	}
	send.ID = len(p.sent) + 1
	if send.Command == driver.Start {
		send.CLI, send.Cwd = p.stage.cli, p.stage.Cwd
	}
	if send.Text != nil {
		text, err := p.expand(*send.Text)
		if err != nil {
			return err
		}
		send.Text = &text
	}
	if send.Options != nil && send.Options.Resume != "" {
		o := *send.Options
		o.Resume = p.vars.Expand(o.Resume)
		send.Options = &o
	}
	if err := p.process.Send(&send); err != nil {
		return p.driverError(err)
	}
	p.sent = append(p.sent, send)
	p.ids[send.Command] = send.ID
	p.closed = p.closed || send.Command == driver.Close
	if c.begin {
		return nil
	}
	return p.outcome(ctx, outcome{command: send.Command, report: driver.Done})
}

// expand replaces ${repeat:N:text} and variables in a text.
func (p *play) expand(text string) (string, error) {
	quoted, err := json.Marshal(text)
	if err != nil {
		return "", err
	}
	expanded, err := p.vars.ExpandJSON(string(quoted))
	if err != nil {
		return "", err
	}
	err = json.Unmarshal([]byte(expanded), &text)
	return text, err
}

// outcome waits for the end of a command.
func (p *play) outcome(ctx context.Context, o outcome) error {
	id := p.ids[o.command]
	if id == 0 {
		return fmt.Errorf("%s was not sent", o.command)
	}
	found, err := p.ended(ctx, id)
	if err == nil && o.report == driver.Done && found.Report.Report == driver.Error && p.goesOn(ctx, o) {
		return fmt.Errorf("%s failed: %s; the session goes on for whoever reads again all the same", o.command, found.Text)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s does not end: %w", o.command, err)
	case o.report == driver.Done && found.Report.Report == driver.Error:
		return fmt.Errorf("%s failed: %s", o.command, found.Text)
	case o.report == driver.Error && found.Report.Report == driver.Done:
		return fmt.Errorf("%s succeeded, %w", o.command, errNoError)
	case o.pattern == nil:
		return nil
	}
	if m := o.pattern.Match(found.text, p.vars); m != nil {
		return fmt.Errorf("the end of %s differs: %w: %s", o.command, m, cut(found.text))
	}
	return nil
}

// ended waits for the report that ends the command of an id.
func (p *play) ended(ctx context.Context, id int) (found *reported, err error) {
	err = p.wait(ctx, func() bool {
		i := slices.IndexFunc(p.board.reports, func(r reported) bool {
			return r.ID == id && (r.Report.Report == driver.Done || r.Report.Report == driver.Error)
		})
		if i >= 0 {
			found = &p.board.reports[i]
		}
		return i >= 0
	})
	return found, err
}

// maxErrors is how many errors a reader may give before it goes on.
const maxErrors = 8

// goesOn reports whether a read that failed comes to its end if it is tried again: in some APIs an
// error is one item of a stream, and the next follows it.
func (p *play) goesOn(ctx context.Context, o outcome) bool {
	if o.command != driver.Read || p.scenario.Area() != "survive" {
		return false
	}
	for range maxErrors {
		again := p.sent[p.ids[driver.Read]-1]
		if p.command(ctx, command{send: again, begin: true}) != nil {
			return false
		}
		found, err := p.ended(ctx, p.ids[driver.Read])
		switch {
		case err != nil:
			return false
		case found.Report.Report == driver.Done:
			p.board.mu.Lock()
			defer p.board.mu.Unlock()
			return p.lastRead() == "result"
		}
	}
	return false
}

// lastRead returns the type of the last message that was read. It is called with the lock of the
// board.
func (p *play) lastRead() string {
	for _, r := range slices.Backward(p.board.reports) {
		if r.Report.Report == driver.Message {
			return r.Type
		}
	}
	return ""
}

// wait waits for the board, and fails at once when the driver is gone or broken.
func (p *play) wait(ctx context.Context, cond func() bool) error {
	held := false
	err := p.board.wait(ctx, func() bool {
		held = cond()
		return held || p.board.problem != nil || p.board.gone
	})
	if err != nil || held {
		return err
	}
	// What the driver left on the wire may still come.
	late, cancel := context.WithTimeout(ctx, p.limits.late)
	defer cancel()
	if p.board.wait(late, cond) == nil {
		return nil
	}
	return p.driverError(nil)
}

// driverError says what is wrong with the driver.
func (p *play) driverError(err error) error {
	p.board.mu.Lock()
	problem, gone := p.board.problem, p.board.gone
	p.board.mu.Unlock()
	switch {
	case problem != nil:
		return problem
	case gone:
		code, signal := p.process.Exit()
		err := fmt.Errorf("the %s ended with code %d%s%s", p.subject.what(), code, spaced(signal), quoteTail(p.process.Stderr()))
		if code == 0 || p.scenario.AnyExit {
			err = &limitError{err: err} // it ended well, and what it left on the wire may be late
		}
		return err
	}
	return err
}

// wire waits for a line of one side.
func (p *play) wire(ctx context.Context, op wire) error {
	dir, what, at := op.dir(), "line of the CLI", &p.fromCLI
	if op.fromSDK {
		what, at = "line of the SDK", &p.fromSDK
	}
	return p.line(ctx, func(e *logged) *scenario.Mismatch {
		if e.Dir != dir {
			return skip
		}
		m := op.pattern.Match([]byte(e.Line), p.vars)
		if m != nil && op.answer && (m.Path == "/type" || m.Path == "/response/request_id") {
			return skip // the answer to another request is not near
		}
		return m
	}, what+" that matches "+p.resolved(op.pattern), at)
}

// resolved returns the text of a pattern with what its references stand for.
func (p *play) resolved(pattern *scenario.Pattern) string {
	text := pattern.String()
	for name, value := range p.vars {
		if v, err := json.Marshal(value); err == nil {
			text = strings.ReplaceAll(text, `"$ref:`+name+`"`, string(v))
		}
	}
	return text
}

// dir is the direction of the line.
func (op wire) dir() journal.Dir {
	if op.fromSDK {
		return journal.ToCLI
	}
	return journal.ToSDK
}

// line waits for an entry of the journal, from number *at on.
func (p *play) line(ctx context.Context, match func(*logged) *scenario.Mismatch, what string, at *int) error {
	var near *scenario.Mismatch
	var text string
	err := p.wait(ctx, func() bool {
		for ; *at < len(p.board.lines); *at++ {
			e := &p.board.lines[*at]
			switch m := match(e); {
			case m == nil:
				*at++
				return true
			case m != skip && (near == nil || m.Path != "/type"):
				near, text = m, e.Line
			}
		}
		return false
	})
	if err == nil {
		return nil
	}
	if p.subject.Spawn && p.oneWay() {
		return oneWayOnly
	}
	if near != nil {
		return fmt.Errorf("no %s: %w; the nearest differs: %w: %s", what, err, near, cut([]byte(text)))
	}
	return fmt.Errorf("no %s: %w", what, err)
}

// oneWayOnly says that a program uses no control protocol.
const oneWayOnly errNotApplicable = "the program runs the CLI for one prompt without the control protocol"

// oneWay reports whether the CLI was started for one prompt, without lines of JSON as its input.
func (p *play) oneWay() bool {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	return slices.ContainsFunc(p.board.lines, func(e logged) bool {
		return e.Dir == journal.Header && !slices.Contains(e.Args, "--input-format") && !slices.Contains(e.Args, "--input-format=stream-json")
	})
}

// gone waits until every CLI has ended, however that came.
func (p *play) gone(ctx context.Context) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for len(p.stage.running()) > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the CLI does not end: %w", context.Cause(ctx))
		}
	}
	return nil
}

// errRead says that a message will not come.
var errRead = errors.New("what was read did not have it")

// report waits for a report. A message does not come any more when nothing reads.
func (p *play) report(ctx context.Context, op api) error {
	var near *scenario.Mismatch
	var text []byte
	found := false
	err := p.wait(ctx, func() bool {
		for ; p.taken < len(p.board.reports) && !found; p.taken++ {
			r := &p.board.reports[p.taken]
			m := op.pattern.Match(r.text, p.vars)
			found = m == nil
			if !found && (near == nil || m.Path != "/report" && m.Path != "/kind") {
				near, text = m, r.text
			}
		}
		return found || op.message && !p.reading()
	})
	if err == nil && !found {
		err = errRead
	}
	switch {
	case err == nil:
		return nil
	case near != nil:
		return fmt.Errorf("the API gave nothing that matches %s: %w; the nearest differs: %w: %s", op.pattern, err, near, cut(text))
	}
	return fmt.Errorf("the API gave nothing that matches %s: %w", op.pattern, err)
}

// reading reports whether a read has not ended. It is called with the lock of the board.
func (p *play) reading() bool {
	return slices.ContainsFunc(p.sent, func(c driver.Command) bool {
		return c.Command == driver.Read && !slices.ContainsFunc(p.board.reports, func(r reported) bool {
			return r.ID == c.ID && (r.Report.Report == driver.Done || r.Report.Report == driver.Error)
		})
	})
}

// matches reports whether a text fits, and binds nothing.
func (p *play) matches(pattern *scenario.Pattern, text []byte) bool {
	return pattern.Match(text, maps.Clone(p.vars)) == nil
}

// cut shortens a text for a message.
func cut(text []byte) string {
	if len(text) > 400 {
		return string(text[:400]) + "…"
	}
	return string(text)
}
